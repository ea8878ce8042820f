// SPDX-License-Identifier: Apache-2.0
#include "order_setup.hpp"
#include "resolve_and_synthesize.hpp"
#include "variable_values.hpp"

#include <rubato/composite/composite_unit.hpp>
#include <rubato/engine/distribution.hpp>
#include <rubato/pipeline/scenario_unit.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <functional>
#include <set>
#include <thread>

namespace rubato::pipeline {

using engine::FirstGuess;
using engine::Simulation;

namespace {

/// Structural parameters come first: other variables have their size from them.
void assign(unit::Unit& unit, const scenario::UnitDescription& description,
            const std::vector<scenario::Assignment>& assignments) {
    auto assigned = scenario::assigned_variables(description, assignments);
    const auto variable = [&](const scenario::AssignedVariable& each) -> const auto& {
        return description.variables[each.variable];
    };
    std::stable_partition(assigned.begin(), assigned.end(), [&](const auto& each) {
        return variable(each).causality == scenario::Causality::structural_parameter;
    });
    for (const auto& each : assigned) set_values(unit, variable(each), each.values);
}

std::unique_ptr<unit::Unit> make_nested(const Assembly& assembly, std::size_t index,
                                        const scenario::Unit& unit, unit::Library& library,
                                        Log& log, const BuildOptions& options);

/// How outputs move between the points of a unit with its own step, as resolving has settled it.
void settle_outputs(const scenario::System& system, UnitId id, scenario::Unit& unit) {
    if (!unit.step) return;
    for (const PortId output : system.unit(id).outputs) {
        const scenario::Port& port = system.port(output);
        auto settings = std::ranges::find(unit.outputs, port.name, &scenario::OutputSettings::name);
        if (settings == unit.outputs.end())
            settings = unit.outputs.insert(settings, {.name = port.name});
        settings->approximation = port.approximation;
    }
}

/// Units are called by their paths. Those of other processes are null; `distribution` is null where
/// there are none.
std::vector<std::unique_ptr<unit::Unit>>
make_units(const Assembly& assembly, unit::Library& library, Log& log, const BuildOptions& options,
           const engine::Distribution* distribution = nullptr) {
    std::vector<std::unique_ptr<unit::Unit>> units;
    for (std::size_t u = 0; u < assembly.scenario.units.size(); ++u) {
        if (distribution && !distribution->owns(nth<UnitId>(u))) {
            units.push_back(nullptr);
            continue;
        }
        scenario::Unit unit = assembly.scenario.units[u];
        unit.name = assembly.path + unit.name;
        settle_outputs(assembly.orchestration.system, nth<UnitId>(u), unit);
        if (unit.is_only_declared()) {
            throw InputError(format("{}: unit \"{}\" is only declared: there is nothing to run",
                                    to_string(unit.where), unit.name),
                             "give it an FMU or a native model");
        }
        units.push_back(assembly.nested[u]
                            ? make_nested(assembly, u, unit, library, log, options)
                            : library.instantiate(unit, assembly.scenario.file.parent_path()));
        if (options.wrap) units.back() = options.wrap(std::move(units.back()));
        unit::calling_units([&] {
            assign(*units.back(), assembly.descriptions[u], unit.parameters);
            assign(*units.back(), assembly.descriptions[u], unit.start);
        });
    }
    return units;
}

bool lacks_event_mode(const scenario::UnitDescription& description, unit::Unit& unit) {
    return description.capabilities.event_mode && unit.event_mode() == nullptr;
}

/// FMUs may refuse the event mode that they declare. What would be set at events is then set
/// between steps; nullopt: there are none.
std::optional<Assembly>
without_refused_event_modes(const Assembly& assembly,
                            std::span<const std::unique_ptr<unit::Unit>> units) {
    std::optional<Assembly> actual;
    for (std::size_t u = 0; u < units.size(); ++u) {
        if (!lacks_event_mode(assembly.descriptions[u], *units[u])) continue;
        if (!actual) actual = assembly;
        actual->descriptions[u].capabilities.event_mode = false;
    }
    if (!actual) return actual;
    Diagnostics diagnostics;
    resolve_and_synthesize(*actual, verification_of(assembly), diagnostics);
    diagnostics.throw_if_errors();
    return actual;
}

/// Start values of inputs. Where a loop guesses the input, it starts from them.
std::vector<FirstGuess> first_guesses(const Assembly& assembly) {
    const scenario::System& system = assembly.orchestration.system;
    std::vector<FirstGuess> guesses;
    for (std::size_t u = 0; u < system.units.size(); ++u) {
        const auto assigned = scenario::assigned_variables(assembly.descriptions[u],
                                                           assembly.scenario.units[u].start);
        if (assigned.empty()) continue;
        for (const PortId input : system.units[u].inputs) {
            const scenario::Port& port = system.port(input);
            const auto start =
                std::ranges::find(assigned, port.variable, &scenario::AssignedVariable::variable);
            if (start == assigned.end()) continue;
            const auto first = start->values.begin() + port.part.first;
            guesses.push_back({input, {first, first + port.part.count}});
        }
    }
    return guesses;
}

/// More threads than units or processors would only wait.
unsigned useful_threads(const Assembly& assembly) {
    const std::size_t processors = std::max(1u, std::thread::hardware_concurrency());
    const auto wanted = static_cast<std::size_t>(std::max(1, assembly.scenario.algorithm.threads));
    const std::size_t units = std::max<std::size_t>(1, assembly.scenario.units.size());
    return static_cast<unsigned>(std::min({wanted, units, processors}));
}

/// Of several processes, the first one estimates errors: it records, and reports to the user.
Simulation simulation_of(const Assembly& assembly, std::vector<std::unique_ptr<unit::Unit>> units,
                         const scenario::Experiment& experiment, Log& log,
                         const BuildOptions& options,
                         const std::shared_ptr<engine::Distribution>& distribution = nullptr) {
    const bool records_bonds = assembly.scenario.recording.bonds && assembly.path.empty();
    const bool estimates = options.estimate_errors || records_bonds;
    const bool is_first = !distribution || distribution->is_first();
    return Simulation(assembly.orchestration.system, assembly.orchestration.algorithm,
                      std::move(units), experiment, log,
                      {.threads = distribution ? 1 : useful_threads(assembly),
                       .step_control = options.points.empty() ? assembly.scenario.step_control
                                                              : scenario::StepControlSettings{},
                       .step_limits = assembly.scenario.step_limits,
                       .events = assembly.scenario.events,
                       .loops = assembly.scenario.loops,
                       .estimate_errors = estimates && is_first,
                       .record_bonds = records_bonds && is_first,
                       .stop_at_not_finite = options.stop_at_not_finite,
                       .order = order_control(assembly),
                       .points = options.points,
                       .first_guesses = first_guesses(assembly),
                       .distribution = distribution,
                       .first_estimates_errors = estimates});
}

/// Start, stop and, where the scenario does not say, step are those of the whole.
scenario::Experiment experiment_within(const scenario::Experiment& own, double step,
                                       const unit::Horizon& horizon) {
    scenario::Experiment experiment = own;
    experiment.start = horizon.start.seconds;
    if (own.open.step) experiment.step = step;
    experiment.stop = horizon.stop ? horizon.stop->seconds : experiment.start + experiment.step;
    experiment.open.stop = !horizon.stop; // then its spans say how far it goes
    if (!experiment.tolerance) experiment.tolerance = horizon.tolerance;
    return experiment;
}

/// What the whole says of a scenario within it.
struct Surroundings {
    double step = 0; ///< for a scenario that leaves its own open
    bool ends_steps_at_events = false;
    bool shares_events = false;
    std::function<void(Time)> at_point = {};
};

/// Where steps do not end at events that only others take part in, these need not be located.
void watch_own_events(scenario::System& system) {
    std::set<PortId> sources;
    const auto add = [&](const std::vector<scenario::Link>& links) {
        for (const scenario::Link& link : links) sources.insert(link.from);
    };
    add(system.links);
    add(system.event_links);
    for (const scenario::Configuration& configuration : system.configurations) {
        add(configuration.links);
        add(configuration.event_links);
    }
    std::erase_if(system.watched, [&](const scenario::Watched& each) {
        return !each.crossing && !sources.contains(each.output);
    });
}

std::unique_ptr<unit::Unit> make_composite(const std::string& name,
                                           const std::shared_ptr<const NestedAssembly>& nested,
                                           const Surroundings& whole, unit::Library& library,
                                           Log& log, const BuildOptions& options) {
    auto units = make_units(nested->assembly, library, log, options);
    auto refused = without_refused_event_modes(nested->assembly, units);
    const auto actual =
        std::make_shared<Assembly>(refused ? std::move(*refused) : nested->assembly);
    if (!whole.ends_steps_at_events) watch_own_events(actual->orchestration.system);
    BuildOptions within = options;
    within.points.clear(); // they are those of the whole
    within.processes = nullptr;
    const auto simulate = [nested, actual, within, step = whole.step,
                           &log](auto all, const unit::Horizon& horizon) {
        return simulation_of(*actual, std::move(all),
                             experiment_within(actual->scenario.experiment, step, horizon), log,
                             within);
    };
    return composite::make_composite(name, {.interface = nested->interface,
                                            .units = std::move(units),
                                            .simulate = simulate,
                                            .ends_steps_at_events = whole.ends_steps_at_events,
                                            .shares_events = whole.shares_events,
                                            .at_point = whole.at_point});
}

std::unique_ptr<unit::Unit> make_nested(const Assembly& assembly, std::size_t index,
                                        const scenario::Unit& unit, unit::Library& library,
                                        Log& log, const BuildOptions& options) {
    const scenario::SystemUnit& as_resolved = assembly.orchestration.system.units[index];
    const Surroundings whole{assembly.scenario.experiment.step,
                             as_resolved.can_reject_step,
                             as_resolved.has_event_mode,
                             {}};
    return library.instantiate_by(
        [&] {
            return make_composite(unit.name, assembly.nested[index], whole, library, log, options);
        },
        unit);
}

} // namespace

namespace {

std::vector<engine::Distribution::Named> named_units(const Assembly& assembly,
                                                     unit::Library& library) {
    std::vector<engine::Distribution::Named> all;
    for (std::size_t u = 0; u < assembly.scenario.units.size(); ++u) {
        const scenario::Unit& unit = assembly.scenario.units[u];
        const auto folder = assembly.scenario.file.parent_path();
        all.push_back({assembly.path + unit.name, assembly.nested[u]
                                                      ? &assembly.nested[u]->interface.description
                                                      : &library.describe(unit, folder)});
    }
    return all;
}

} // namespace

Simulation build(const Assembly& assembly, unit::Library& library, Log& log,
                 const BuildOptions& options) {
    std::shared_ptr<engine::Distribution> distribution;
    if (options.processes)
        distribution =
            std::make_shared<engine::Distribution>(*options.processes, options.placement);
    std::vector<std::unique_ptr<unit::Unit>> units =
        make_units(assembly, library, log, options, distribution.get());
    if (distribution) units = distribution->share(std::move(units), named_units(assembly, library));
    const std::optional<Assembly> actual = without_refused_event_modes(assembly, units);
    const Assembly& used = actual ? *actual : assembly;
    return simulation_of(used, std::move(units), used.scenario.experiment, log, options,
                         distribution);
}

std::unique_ptr<unit::Unit> make_unit(const std::shared_ptr<const NestedAssembly>& scenario,
                                      unit::Library& library, Log& log,
                                      const UnitSurroundings& around) {
    scenario::Unit unit;
    unit.name = scenario->assembly.path.substr(0, scenario->assembly.path.size() - 1);
    const Surroundings whole{scenario->assembly.scenario.experiment.step,
                             around.ends_steps_at_events, around.has_event_mode, around.at_point};
    return library.instantiate_by(
        [&] { return make_composite(unit.name, scenario, whole, library, log, {}); }, unit);
}

} // namespace rubato::pipeline
