// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "execution.hpp"

#include <rubato/algorithm/verify.hpp>

namespace rubato::algorithm::verification {

/// How the steps that units accept are drawn.
enum class Draws {
    every,           ///< each unit by itself, when it is first asked
    representatives, ///< see representatives.hpp
};

/// A co-simulation step as it was chosen: what is needed to repeat it.
struct ChosenStep {
    std::size_t mode = 0;
    Ticks step = 0;
    std::vector<Ticks> draws;
};

/// A run that breaks a precondition.
struct Finding {
    Breach breach;
    Draws draws = Draws::every;
    std::vector<ChosenStep> steps; ///< empty: it happens in the initialization
    std::uint64_t operations = 0;  ///< from the start
};

struct Exploration {
    std::vector<Finding> findings; ///< the shortest of each operation and port, shortest first
    std::uint64_t runs = 0;
    Coverage coverage = Coverage::every_run;
};

/// Explores the initialization and co-simulation steps: the first with the largest step in the
/// first mode, and as many more as there are modes with every step in every mode, and in each all
/// steps that units may accept. Where that is more than the effort allows, by representatives. The
/// algorithm must be well-formed.
Exploration explore(const scenario::System& system, const Algorithm& algorithm,
                    const std::vector<Mode>& modes, const Effort& effort);

/// The same by representatives at once: they must be sound.
Exploration explore_representatives(const scenario::System& system, const Algorithm& algorithm,
                                    const std::vector<Mode>& modes, const Effort& effort);

/// Is notified of what happens in the steps, and of which steps begin.
class StepObserver : public Observer {
public:
    virtual void on_step(std::size_t number, const ChosenStep& step) = 0;
};

/// Goes the way of a finding again.
void replay(const scenario::System& system, const Algorithm& algorithm,
            const std::vector<Mode>& modes, const Finding& finding, StepObserver& observer);

} // namespace rubato::algorithm::verification
