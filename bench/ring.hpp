// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fmi2/fmi2_unit.hpp"

#include <rubato/pipeline/assembly.hpp>

#include <cstdint>
#include <vector>

namespace rubato::bench {

constexpr double step_size = 1e-3; ///< [s]

enum class Processes { this_one, one_per_node };
enum class Levels { one, two }; ///< two: the ring is a unit of another scenario

/// N node FMUs, each fed by both its neighbours.
class Ring {
public:
    /// `work`: rounds of floating-point work per step of a node.
    Ring(int nodes, std::int64_t work, int threads = 1, Processes processes = Processes::this_one,
         scenario::Recipe recipe = scenario::Recipe::jacobi, Levels levels = Levels::one);

    void step(int count) {
        simulation_.begin_span(simulation_.time(), Duration{count * step_size});
        (void)simulation_.advance();
    }
    engine::Simulation& simulation() { return simulation_; }

    static scenario::Scenario scenario(int nodes, std::int64_t work);

private:
    unit::Library library_;
    engine::Simulation simulation_;
};

/// The same FMI calls on the same instances, with nothing around them.
class Floor {
public:
    Floor(Ring& ring, int nodes);
    void step(int count);

private:
    unit::Fmi2Functions functions_;
    std::vector<fmi2::Component> components_;
    fmi2::ValueReference inputs_[2] = {}, output_ = 0;
    std::vector<double> inputs_of_all_, outputs_of_all_;
    double time_ = 0;
};

} // namespace rubato::bench
