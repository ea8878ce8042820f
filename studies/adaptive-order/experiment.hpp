// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/pipeline/assembly.hpp>

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

/// The study of Inci, Gomes, Croes and Desmet (2023), "Error estimators for adaptive scheduling
/// algorithm for serial co-simulation": who should go first, of two masses on springs?
namespace rubato::studies::adaptive_order {

/// The masses, dampers and springs of both units and of the coupling, in the study's order.
struct Parameters {
    double m1 = 1, d1 = 1, c1 = 1, m2 = 1, d2 = 1, c2 = 1, dc = 1, cc = 1;

    static constexpr std::array<std::string_view, 8> names = {"m1", "d1", "c1", "m2",
                                                              "d2", "c2", "dc", "cc"};
    std::array<double, 8> values() const { return {m1, d1, c1, m2, d2, c2, dc, cc}; }
    static Parameters from(const std::array<double, 8>& values);
};

enum class First { msd1, msd2 };

/// An input that is extrapolated linearly, with what the estimators want to know of it.
scenario::InputSettings linear(std::string name, double gain, double weight);

/// How a co-simulation chooses its order.
struct Method {
    First first = First::msd1;                         ///< that it begins with
    std::optional<scenario::OrderEstimator> estimator; ///< none: the order stays
    bool inverted = false;
    friend auto operator<=>(const Method&, const Method&) = default;
};

constexpr double macro_step = 0.01;
constexpr double stop_time = 5;
constexpr std::size_t point_count = 501; ///< communication points, with the start
constexpr int inner_steps = 10;

/// v1 at all communication points.
using Trajectory = std::vector<double>;

/// The exact solution of the coupled system.
Trajectory reference(const Parameters& parameters);

/// Runs co-simulations of the pair through the engine. One thread uses it at a time.
class Experiment {
public:
    /// With an FMU of the model `oscillator`, both units are instances of it.
    explicit Experiment(std::optional<std::filesystem::path> fmu = std::nullopt);

    /// The result is valid until the next run.
    const Trajectory& run(const Parameters& parameters, const Method& method);
    /// How often the order changed in the last run.
    std::uint64_t switches() const { return switches_; }

    /// The scenario of a run, as it could be written to a file.
    scenario::Scenario scenario(const Parameters& parameters, const Method& method) const;

private:
    pipeline::Assembly& assembly(const Method& method);

    std::optional<std::filesystem::path> fmu_;
    unit::Library library_;
    std::map<Method, pipeline::Assembly> assemblies_; ///< understood once each
    Trajectory trajectory_;
    std::uint64_t switches_ = 0;
};

} // namespace rubato::studies::adaptive_order
