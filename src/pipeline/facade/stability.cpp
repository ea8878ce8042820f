// SPDX-License-Identifier: Apache-2.0
#include "scenario.hpp"

#include <rubato/analysis.hpp>
#include <rubato/core/text.hpp>
#include <rubato/pipeline/stability.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/eigenvalue_plot.hpp>

namespace rubato {

namespace {

using facade::Access;

pipeline::Assembly assemble(const Access::Loaded& loaded) {
    return facade::assemble(loaded.scenario, {}, *loaded.library, *loaded.log);
}

std::vector<Stability::Share> shares_of(const std::vector<stability::Share>& shares) {
    std::vector<Stability::Share> result;
    for (const stability::Share& each : shares) result.push_back({each.name, each.part});
    return result;
}

} // namespace

Stability analyze_stability(const Scenario& scenario, std::optional<double> at) {
    const Access::Loaded& loaded = Access::of(scenario);
    const pipeline::Assembly assembly = assemble(loaded);
    const stability::Linearization map =
        pipeline::linearize(assembly, *loaded.library, silent_log(), {.at = at});
    Stability result{.is_stable = map.spectral_radius <= pipeline::largest_stable_radius,
                     .spectral_radius = map.spectral_radius,
                     .uncertainty = map.uncertainty,
                     .time = map.time.seconds,
                     .step = map.step.seconds,
                     .modes = {},
                     .remarks = pipeline::remarks_of(map),
                     .picture = {}};
    report::EigenvaluePlot plot{.title = assembly.scenario.name,
                                .subtitle = format("eigenvalues of a step of {} s at t = {} s",
                                                   shortest(result.step), shortest(result.time)),
                                .largest_stable = pipeline::largest_stable_radius};
    for (const stability::Mode& mode : map.modes) {
        result.modes.push_back(
            {mode.eigenvalue, shares_of(mode.connections), shares_of(mode.units)});
        plot.eigenvalues.push_back(mode.eigenvalue);
    }
    result.picture = report::to_svg(plot);
    return result;
}

std::vector<StableStep> find_stable_steps(const Scenario& scenario, std::optional<double> at) {
    const Access::Loaded& loaded = Access::of(scenario);
    const pipeline::Assembly assembly = assemble(loaded);
    std::vector<StableStep> result;
    for (pipeline::RecipeStability& each :
         pipeline::compare_recipes(assembly.scenario, *loaded.library, silent_log(),
                                   {.at = at, .linearization = {.accuracy = 1e-7}}))
        result.push_back({std::string(to_string(each.recipe)), each.step.stable, each.step.unstable,
                          each.step.radius, std::move(each.step.reason)});
    return result;
}

} // namespace rubato
