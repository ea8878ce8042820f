// SPDX-License-Identifier: Apache-2.0
#include "groups.hpp"

#include "hierarchy/chain.hpp"

#include <rubato/core/log.hpp>
#include <rubato/pipeline/native_models.hpp>
#include <rubato/pipeline/placement.hpp>
#include <rubato/pipeline/run.hpp>
#include <rubato/pipeline/transform.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/text_table.hpp>

#include <algorithm>
#include <cstdio>
#include <limits>

namespace rubato::studies::scaling {

namespace {

using hierarchy::Chain;
using hierarchy::Setting;

struct Outcome {
    std::uint64_t exchanges = 0;
    std::size_t messages = 0; ///< in each exchange
    double seconds = 0;
    double error = 0; ///< of positions at the end [m]
};

/// Every value is exchanged at every small step.
scenario::Scenario exchanged_always(const Chain& chain, const Setting& setting) {
    scenario::Scenario scenario = scenario_of(chain, setting);
    const auto approximate = [&](std::size_t unit, const char* input) {
        scenario::InputSettings settings;
        settings.name = input;
        settings.approximation = static_cast<scenario::Approximation>(setting.order);
        scenario.units[unit].inputs.push_back(std::move(settings));
    };
    approximate(chain.slow - 1, "F");
    approximate(chain.slow, "xo");
    approximate(chain.slow, "vo");
    return scenario;
}

/// The same in composites that exchange every large step.
scenario::Scenario exchanged_seldom(const Chain& chain, const Setting& setting,
                                    unit::Library& library) {
    Diagnostics diagnostics;
    auto transformed =
        pipeline::transform_scenario(scenario_of(chain, setting), library,
                                     std::vector{transform::Concern::communication}, diagnostics);
    diagnostics.throw_if_errors();
    return transformed->scenario;
}

Outcome outcome_of(const scenario::Scenario& scenario, unit::Library& library,
                   engine::Processes& all, const std::vector<double>& exact) {
    Diagnostics diagnostics;
    const pipeline::Assembly assembly = pipeline::assemble(scenario, library, diagnostics);
    diagnostics.throw_if_errors();
    pipeline::RunSettings settings{
        .estimate_errors = false, .keep_series = true, .processes = &all};
    const std::size_t units = scenario.units.size();
    for (std::size_t u = 0; u < units; ++u)
        settings.placement.push_back(2 * u < units ? 0 : 1); // machines are in this order
    Outcome outcome{.messages = pipeline::forecast(pipeline::unit_graph(assembly),
                                                   settings.placement, all.count())
                                    .messages,
                    .seconds = std::numeric_limits<double>::infinity()};
    constexpr int rounds = 3;
    for (int round = 0; round < rounds; ++round) {
        pipeline::RunHooks hooks;
        const pipeline::RunOutcome run =
            pipeline::run(assembly, library, settings, hooks, silent_log());
        outcome.seconds = std::min(outcome.seconds, run.wall_seconds);
        outcome.exchanges = run.summary.steps;
        if (!run.series) continue;
        std::vector<double> positions;
        for (std::size_t c = 0; c < run.series->columns().size(); ++c)
            positions.push_back(run.series->value(run.series->times().size() - 1, c));
        outcome.error = hierarchy::largest_difference(positions, exact);
    }
    return outcome;
}

} // namespace

void show_groups(engine::Processes& all) {
    if (all.count() != 2) throw Error("the chain has two machines: run it on two ranks");
    Chain chain{.slow = 100, .fast = 100};
    chain.displaced = chain.slow - 1; // where the machines meet
    const Setting setting{.step = 1.0 / 64, .small_step = 1.0 / 1024, .order = 2};
    unit::Library library(silent_log());
    pipeline::add_native_models(library);
    const std::vector<double> exact = hierarchy::exact(chain);
    const Outcome before = outcome_of(exchanged_always(chain, setting), library, all, exact);
    const Outcome after =
        outcome_of(exchanged_seldom(chain, setting, library), library, all, exact);
    if (all.rank() != 0) return;
    std::puts("two machines of 100 oscillators on two ranks, H_small = 1/1024 s, H = 1/64 s");
    using report::Align;
    report::TextTable table({{""},
                             {"exchanges", Align::right},
                             {"messages", Align::right},
                             {"time [ms]", Align::right},
                             {"error [m]", Align::right}});
    const auto add = [&](const char* name, const Outcome& each) {
        table.add({name, format("{}", each.exchanges), format("{}", each.exchanges * each.messages),
                   format("{:.1f}", 1e3 * each.seconds), format("{:.2e}", each.error)});
    };
    add("as written", before);
    add("transform --only communication", after);
    std::printf("%s\n", table.to_string().c_str());
}

} // namespace rubato::studies::scaling
