// SPDX-License-Identifier: Apache-2.0
// check_levels SCENARIO.yaml: compares a run of two tanks with the solution of their equations, and
// steps through it with a controller of its own. With a = drain / area
//
//   upper(t) = exp(-a t)        lower(t) = a t exp(-a t)
#include <rubato/rubato.hpp>

#include <cmath>
#include <cstdio>
#include <exception>
#include <stdexcept>

const rubato::model::ModelType& rubato_model_tank();

namespace {

struct Errors {
    double upper = 0, lower = 0;
};

Errors largest_errors(const rubato::Result& result) {
    constexpr double a = 1.0 / 2;
    const auto time = result.time(), upper = result["upper.level"], lower = result["lower.level"];
    Errors largest;
    for (std::size_t i = 0; i < time.size(); ++i) {
        const double decay = std::exp(-a * time[i]);
        largest.upper = std::fmax(largest.upper, std::abs(upper[i] - decay));
        largest.lower = std::fmax(largest.lower, std::abs(lower[i] - a * time[i] * decay));
    }
    return largest;
}

/// What flows out of the upper tank flows in again: how far its level moves from 1.
double controlled_change(const rubato::Scenario& scenario) {
    auto simulation = rubato::start(scenario, {.stop = 1.0});
    simulation.set("upper.inflow", simulation.get("upper.outflow"));
    double largest = 0;
    while (simulation.step()) {
        largest = std::fmax(largest, std::abs(simulation.get("upper.level") - 1));
        simulation.set("upper.inflow", simulation.get("upper.outflow"));
    }
    return largest;
}

} // namespace

int main(int argc, char** argv) try {
    if (argc != 2) throw std::runtime_error("usage: check_levels SCENARIO.yaml");
    auto scenario = rubato::load(argv[1], {.models = {&rubato_model_tank()}});
    const auto result = rubato::run(scenario);
    const Errors errors = largest_errors(result);
    const double change = controlled_change(scenario);
    std::printf("%zu rows, largest error: upper %g m, lower %g m; controlled: %g m\n",
                result.time().size(), errors.upper, errors.lower, change);
    // The upper tank is solved exactly. The lower one sees straight lines instead of its inflow:
    // they are off by at most h²/8 · max|inflow''| = h² a²/8, its level by 1/drain times that.
    constexpr double bound = 0.1 * 0.1 * 0.25 / 8;
    const bool is_right = result.time().size() == 101 && errors.upper < 1e-12 &&
                          errors.lower < bound && change < 1e-12;
    return is_right ? 0 : 1;
} catch (const std::exception& fault) {
    std::fprintf(stderr, "%s\n", fault.what());
    return 1;
}
