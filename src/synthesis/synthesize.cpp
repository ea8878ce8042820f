// SPDX-License-Identifier: Apache-2.0
#include "procedure.hpp"
#include "sections.hpp"

#include <rubato/private/format.hpp>
#include <rubato/synthesis/synthesize.hpp>

#include <algorithm>
#include <array>

namespace rubato::synthesis {

using scenario::System;

std::string_view to_string(LoopKind kind) {
    static constexpr std::array<std::string_view, 4> names = {
        "feed-through loop", "reactivity loop", "step negotiation", "nested step negotiation"};
    return names.at(static_cast<std::size_t>(kind));
}

std::string describe(const Loop& loop, const System& system) {
    std::vector<std::string> units, ports, guessed;
    for (const UnitId id : loop.units) units.push_back(system.unit(id).name);
    for (const PortId id : loop.ports) ports.push_back(system.name_of(id));
    for (const PortId id : loop.guessed) guessed.push_back(system.name_of(id));
    std::string text(to_string(loop.kind));
    if (!units.empty()) text += format(" of {}", fmt::join(units, ", "));
    if (!ports.empty()) text += format(" over {}", fmt::join(ports, ", "));
    if (!guessed.empty()) text += format(", guessing {}", fmt::join(guessed, ", "));
    if (!loop.guesses_fewest)
        text += format(" ({} guesses, not proven to be the fewest)", guessed.size());
    return text;
}

Synthesis synthesize(const System& system, const SynthesisOptions& options) {
    Synthesis result;
    const Opening open = opening_of(system, options);
    algorithm::Convergence step_until = options.until;
    step_until.iterations = options.iterations;

    const auto add_step = [&](const std::string& name, const System& configured) {
        Derived derived = derive_procedure(step_graph(configured), open, step_until);
        if (options.sections) derived.body = with_sections(configured, std::move(derived.body));
        result.algorithm.steps.push_back({name, std::move(derived.body)});
        result.step_loops.push_back(std::move(derived.loops));
    };
    for (const scenario::Configuration& configuration : system.configurations) {
        add_step(configuration.procedure, in_configuration(system, configuration));
    }
    if (system.configurations.empty()) add_step("step", system);

    Derived derived = derive_procedure(initialization_graph(system), open, options.until);
    result.algorithm.initialization = std::move(derived.body);
    result.initial_loops = std::move(derived.loops);
    result.algorithm.events = synthesize_events(system, options.until);
    return result;
}

std::vector<algorithm::Procedure>
synthesize_events(const System& system, const algorithm::Convergence& until, bool always) {
    std::vector<algorithm::Procedure> events;
    if (!always && !has_events(system)) return events;
    const Opening open = opening_of(system, {});
    const auto add = [&](std::string name, const System& configured) {
        Derived derived = derive_procedure(event_graph(configured), open, until);
        events.push_back({std::move(name), std::move(derived.body)});
    };
    if (system.configurations.empty()) add(std::string(scenario::unnamed_event), system);
    for (std::size_t c = 0; c < system.configurations.size(); ++c) {
        const scenario::Configuration& configuration = system.configurations[c];
        if (first_with_connections_of(system, c) == c)
            add(configuration.name, in_configuration(system, configuration));
    }
    return events;
}

} // namespace rubato::synthesis
