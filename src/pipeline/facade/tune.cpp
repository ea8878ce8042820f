// SPDX-License-Identifier: Apache-2.0
#include "scenario.hpp"

#include <rubato/analysis.hpp>
#include <rubato/core/text.hpp>
#include <rubato/pipeline/tune.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <thread>

namespace rubato {

namespace {

using facade::Access;
using pipeline::TuneCost;

TuneCost cost_of(const std::string& name) {
    std::vector<std::string> names;
    for (const TuneCost cost : {TuneCost::time, TuneCost::messages, TuneCost::unit_steps}) {
        if (to_string(cost) == name) return cost;
        names.emplace_back(to_string(cost));
    }
    throw InputError(format("there is no cost \"{}\"", name), suggest(name, names, "the costs"));
}

Tuning::Trial trial_of(const pipeline::Tried& tried) {
    return {.way = to_string(tried.candidate),
            .error = tried.error,
            .worst = tried.worst,
            .seconds = tried.costs.seconds,
            .messages = tried.costs.messages,
            .unit_steps = tried.costs.unit_steps,
            .is_within = tried.is_within,
            .fault = tried.fault};
}

} // namespace

Tuning tune(const Scenario& scenario, const TuneOptions& options) {
    const Access::Loaded& loaded = Access::of(scenario);
    const scenario::Scenario& given = loaded.scenario; // constraints included: they are kept anew
    (void)facade::assemble(given, {}, *loaded.library, *loaded.log);
    const unsigned processors = std::max(1u, std::thread::hardware_concurrency());
    std::size_t runs = 0;
    pipeline::TuneSettings settings{.tolerance = options.tolerance,
                                    .budget = options.budget,
                                    .minimize = cost_of(options.minimize),
                                    .parallel =
                                        options.parallel > 0 ? options.parallel : processors,
                                    .stop = options.stop_request};
    if (options.progress)
        settings.on_tried = [&](const pipeline::Tried&) { options.progress(++runs); };
    const pipeline::Tuned tuned = pipeline::tune(given, *loaded.library, settings);
    Tuning result;
    std::ranges::transform(tuned.tried, std::back_inserter(result.trials), trial_of);
    result.best = tuned.best;
    result.front = tuned.front;
    result.reference = to_string(tuned.reference.candidate);
    result.reference_change = tuned.reference.change;
    result.reference_is_sure = tuned.reference.is_sure;
    result.stopped = tuned.stopped;
    if (!tuned.best) return result;
    Access::Loaded best = loaded;
    best.scenario = pipeline::tuned_scenario(
        given, *loaded.library, tuned.tried[*tuned.best].candidate, given.file.parent_path());
    result.scenario = Access::make_scenario(std::move(best));
    return result;
}

} // namespace rubato
