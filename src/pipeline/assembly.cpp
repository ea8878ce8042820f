// SPDX-License-Identifier: Apache-2.0
#include "nested.hpp"
#include "resolve_and_synthesize.hpp"

#include <rubato/algorithm/events.hpp>
#include <rubato/algorithm/traversal.hpp>
#include <rubato/algorithm/written.hpp>
#include <rubato/core/text.hpp>
#include <rubato/pipeline/assembly.hpp>
#include <rubato/pipeline/formats.hpp>
#include <rubato/pipeline/transform.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/placement.hpp>
#include <rubato/synthesis/roll_back.hpp>

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

namespace rubato::pipeline {

namespace {

/// The communication step where neither the scenario nor a unit says one [s].
constexpr double usual_step = 0.01;

void describe_unit(Assembly& assembly, std::size_t index, unit::Library& library,
                   Verification verification, Diagnostics& diagnostics) {
    const scenario::Unit& unit = assembly.scenario.units[index];
    if (const auto* const nested = std::get_if<scenario::NestedScenario>(&unit.origin)) {
        assembly.nested[index] = assemble_nested(*nested->scenario, unit, assembly.path, library,
                                                 verification, diagnostics);
        assembly.descriptions[index] = assembly.nested[index]->interface.description;
        return;
    }
    try {
        assembly.descriptions[index] =
            unit.is_only_declared() ? scenario::declared_description(unit)
                                    : library.describe(unit, assembly.scenario.file.parent_path());
        scenario::settle_dimensions(assembly.descriptions[index], unit.parameters);
    } catch (const InputError& error) {
        diagnostics.error(unit.where, format("unit \"{}\": {}", unit.name, error.what()));
    }
}

/// A unit with its own step makes that, whatever the others do.
void apply_own_step(const scenario::Unit& unit, scenario::UnitDescription& description) {
    if (!unit.step) return;
    description.capabilities.variable_step = true;
    description.capabilities.intermediate_outputs = false;
    description.default_experiment.step = unit.step;
}

/// Where steps do not end at the jumps of a table, they act at the next communication point.
bool accept_any_step(const std::vector<scenario::UnitDescription>& descriptions) {
    return std::ranges::all_of(descriptions, [](const scenario::UnitDescription& description) {
        return description.capabilities.variable_step;
    });
}

bool is_table(const scenario::Unit& unit) {
    return std::holds_alternative<scenario::TableFile>(unit.origin);
}

/// Tables come last: what their columns hold depends on what they feed.
void describe_units(Assembly& assembly, unit::Library& library, Verification verification,
                    Diagnostics& diagnostics) {
    auto& units = assembly.scenario.units;
    assembly.descriptions.resize(units.size());
    assembly.nested.resize(units.size());
    for (std::size_t u = 0; u < units.size(); ++u)
        if (!is_table(units[u])) describe_unit(assembly, u, library, verification, diagnostics);
    for (std::size_t u = 0; u < units.size(); ++u) {
        auto* const table = std::get_if<scenario::TableFile>(&units[u].origin);
        if (!table) continue;
        table->columns =
            scenario::settled_columns(assembly.scenario, units[u], assembly.descriptions);
        describe_unit(assembly, u, library, verification, diagnostics);
    }
    for (std::size_t u = 0; u < units.size(); ++u)
        apply_own_step(units[u], assembly.descriptions[u]);
    for (scenario::Unit& unit : units) {
        auto* const table = std::get_if<scenario::TableFile>(&unit.origin);
        if (table && !table->stop_at_jumps)
            table->stop_at_jumps = accept_any_step(assembly.descriptions);
    }
}

/// The algorithm as written, or else as the recipe has it.
synthesis::Orchestration orchestrate(const scenario::Scenario& scenario,
                                     const scenario::System& system, Diagnostics& diagnostics) {
    if (!scenario.written) return synthesis::orchestrate(system, scenario.algorithm, diagnostics);
    synthesis::Orchestration result{
        .system = system, .algorithm = algorithm::resolve_algorithm(scenario, system, diagnostics)};
    if (result.algorithm.events.empty())
        result.algorithm.events =
            synthesis::synthesize_events(system, synthesis::convergence_of(scenario.algorithm));
    return result;
}

template <class Kind>
bool contains(const algorithm::Body& body) {
    bool found = false;
    algorithm::for_each_of<Kind>(body, [&](const Kind&) { found = true; });
    return found;
}

/// Threads that find nothing to do are worth a word.
void check_threads(const Assembly& assembly, Diagnostics& diagnostics) {
    const auto& settings = assembly.scenario.algorithm;
    if (settings.threads == 1) return;
    const auto& steps = assembly.orchestration.algorithm.steps;
    const bool any = std::ranges::any_of(steps, [](const algorithm::Procedure& step) {
        return contains<algorithm::Parallel>(step.body);
    });
    if (any) return;
    diagnostics.warning(settings.where,
                        format("of {} threads only one has work: no two units step at the same "
                               "time",
                               settings.threads),
                        assembly.scenario.written ? "write parallel sections"
                                                  : "jacobi lets all units step at the same time");
}

/// Whether a unit provides a variable at the events within its steps.
bool is_told_at_events(const scenario::UnitDescription& unit, const scenario::Variable& variable) {
    return unit.interface == scenario::Interface::model_exchange && !variable.is_array() &&
           storage_of(variable.type) != Storage::string && variable.type != ValueType::clock &&
           variable.clocks.empty();
}

/// What is recorded of a unit that provides some outputs within its steps.
void check_watched(const Assembly& assembly, UnitId id, Diagnostics& diagnostics) {
    std::vector<std::string> others;
    bool any = false, any_at_events = false;
    const scenario::UnitDescription& description = assembly.descriptions[id.value];
    for (const scenario::Observed& entry : assembly.orchestration.system.observed) {
        if (entry.unit != id) continue;
        const auto& variable = description.variables[entry.variable];
        if (!variable.intermediate && is_told_at_events(description, variable)) {
            any_at_events = true;
            continue;
        }
        const bool is_told =
            variable.intermediate && variable.causality == scenario::Causality::output;
        any = any || is_told;
        const bool is_new = others.empty() || others.back() != variable.name;
        if (!is_told && is_new) others.push_back(variable.name);
    }
    if (!any && any_at_events) {
        diagnostics.warning(assembly.scenario.recording.where,
                            format("within steps of unit \"{}\" nothing but events is recorded: "
                                   "no continuous output is",
                                   assembly.scenario.units[id.value].name),
                            "record continuous outputs, too");
        return;
    }
    if (others.empty()) return;
    constexpr std::size_t most_listed = 12;
    const std::size_t count = others.size();
    others.resize(std::min(count, most_listed));
    const std::string names =
        format("{}{}", fmt::join(others, ", "), count > most_listed ? ", …" : "");
    const Location& where = assembly.scenario.recording.where;
    const std::string& unit = assembly.scenario.units[id.value].name;
    if (any) {
        diagnostics.note(where,
                         format("within steps, unit \"{}\" does not provide {}: what was at the "
                                "last communication point is recorded",
                                unit, names));
        return;
    }
    diagnostics.warning(
        where,
        format("nothing is recorded within steps: unit \"{}\" does not provide {} there", unit,
               names),
        "record continuous outputs, too");
}

/// Rows within steps are those of one unit: where another one has steps inside, it has them at
/// other times.
void check_intermediate(const Assembly& assembly, Diagnostics& diagnostics) {
    const scenario::Recording& recording = assembly.scenario.recording;
    if (recording.intermediate == 0) return;
    const auto& units = assembly.scenario.units;
    const auto others = static_cast<std::size_t>(std::ranges::count_if(units, is_table));
    if (units.size() - others != 1) {
        diagnostics.error(recording.where,
                          format("record.intermediate is for a unit on its own, tables apart: here "
                                 "are {}",
                                 units.size() - others),
                          "use a smaller experiment.step");
        return;
    }
    const auto index = std::ranges::find_if_not(units, is_table) - units.begin();
    const auto& description = assembly.descriptions[static_cast<std::size_t>(index)];
    const scenario::Unit& unit = units[static_cast<std::size_t>(index)];
    if (!unit.sub_steps && !description.capabilities.intermediate_outputs) {
        diagnostics.warning(recording.where,
                            format("nothing is recorded within steps: unit \"{}\", {}, does not "
                                   "provide its outputs there",
                                   unit.name, description.kind),
                            "use a smaller experiment.step, or type: me if the FMU offers that");
    } else {
        check_watched(assembly, nth<UnitId>(static_cast<std::size_t>(index)), diagnostics);
    }
}

/// Units of machines, which are ranks of a distributed run, must be there, each once.
void check_placement(const scenario::Scenario& scenario, Diagnostics& diagnostics) {
    std::unordered_map<std::string_view, const scenario::Machine*> machine_of;
    for (const scenario::Unit& unit : scenario.units) machine_of[unit.name] = nullptr;
    const std::string_view key = scenario::are_ranks(scenario.machines) ? "placement" : "machines";
    for (const scenario::Machine& machine : scenario.machines) {
        for (const std::string& unit : machine.units) {
            const auto found = machine_of.find(unit);
            if (found == machine_of.end()) {
                std::vector<std::string> names;
                for (const scenario::Unit& each : scenario.units) names.push_back(each.name);
                diagnostics.error(machine.where,
                                  format("{}: the scenario has no unit \"{}\"", key, unit),
                                  suggest(unit, names, "its units"));
            } else if (const scenario::Machine* other = std::exchange(found->second, &machine)) {
                diagnostics.error(machine.where,
                                  format("unit \"{}\" is on two machines, \"{}\" and \"{}\"", unit,
                                         other->name, machine.name),
                                  "let it be on one of them");
            }
        }
    }
}

/// They group units for `rubato transform`, and place them in a distributed run.
void note_machines(const scenario::Scenario& scenario, Diagnostics& diagnostics) {
    if (scenario::are_ranks(scenario.machines)) return;
    if (!scenario.machines.empty())
        diagnostics.note(scenario.machines.front().where,
                         "machines do not change the results of a run: all units exchange values "
                         "every experiment.step",
                         "rubato transform makes a composite of each machine");
    else if (const scenario::CommunicationSettings usual{.where = scenario.communication.where};
             !(scenario.communication == usual))
        diagnostics.warning(scenario.communication.where,
                            "communication has no effect: there are no machines",
                            "name them in the section machines");
}

/// Divergence is what iterating changes.
void check_divergence(const Assembly& assembly, Diagnostics& diagnostics) {
    const scenario::StepControlSettings& control = assembly.scenario.step_control;
    if (control.controller != scenario::StepController::divergence) return;
    for (const algorithm::Procedure& step : assembly.orchestration.algorithm.steps)
        if (contains<algorithm::FixedPoint>(step.body)) return;
    diagnostics.error(control.where,
                      "step-control.controller is divergence, but nothing is iterated, so nothing "
                      "shows how long a step may be",
                      "use waveform-gauss-seidel where units feed each other, or predictor");
}

/// The scenarios of verification tools do not say when a configuration is entered.
void check_configurations(const scenario::Scenario& scenario, Diagnostics& diagnostics) {
    for (std::size_t c = 1; c < scenario.configurations.size(); ++c) {
        const scenario::ConfigurationSettings& settings = scenario.configurations[c];
        if (settings.from || settings.when) continue;
        diagnostics.warning(
            settings.where,
            format("no run enters configuration \"{}\": it has no condition", settings.name),
            "give it from: TIME or when: unit.output");
    }
}

/// Units that a hand-written algorithm saves must be able to go back.
void require_roll_back(const Assembly& assembly, Diagnostics& diagnostics) {
    if (!assembly.scenario.written) return; // synthesis has looked after it
    synthesis::require_roll_back(assembly.orchestration.system, assembly.scenario.algorithm,
                                 assembly.orchestration.algorithm, diagnostics);
}

void verify(Assembly& assembly, Diagnostics& diagnostics) {
    const synthesis::Orchestration& orchestration = assembly.orchestration;
    algorithm::Verdict verdict = algorithm::verify(orchestration.system, orchestration.algorithm);
    std::ranges::move(algorithm::verify_events(assembly.scenario),
                      std::back_inserter(verdict.violations));
    for (const algorithm::Violation& violation : verdict.violations) {
        diagnostics.error(assembly.scenario.algorithm.where, violation.message, violation.hint);
    }
    if (verdict.outcome() == algorithm::Outcome::not_decided) {
        diagnostics.error(assembly.scenario.algorithm.where,
                          "it is not decided whether the algorithm is correct: " +
                              verdict.undecided->message,
                          verdict.undecided->hint);
    }
    assembly.verdict = std::move(verdict);
}

} // namespace

void resolve_and_synthesize(Assembly& assembly, Verification verification,
                            Diagnostics& diagnostics) {
    const scenario::System system = scenario::resolve(assembly.scenario, assembly.descriptions,
                                                      diagnostics, !assembly.path.empty());
    if (diagnostics.has_errors()) return;
    assembly.orchestration = orchestrate(assembly.scenario, system, diagnostics);
    if (!assembly.path.empty()) nest(assembly);
    require_roll_back(assembly, diagnostics);
    check_threads(assembly, diagnostics);
    check_intermediate(assembly, diagnostics);
    check_divergence(assembly, diagnostics);
    check_configurations(assembly.scenario, diagnostics);
    check_placement(assembly.scenario, diagnostics);
    if (verification == Verification::perform && !diagnostics.has_errors())
        verify(assembly, diagnostics);
}

Verification verification_of(const Assembly& assembly) {
    return assembly.verdict ? Verification::perform : Verification::skip;
}

void assemble(Assembly& assembly, unit::Library& library, Verification verification,
              Diagnostics& diagnostics) {
    if (!assembly.scenario.constraints.empty())
        assembly.scenario = with_constraints_as_units(assembly.scenario, library, diagnostics);
    if (diagnostics.has_errors()) return;
    note_machines(assembly.scenario, diagnostics);
    describe_units(assembly, library, verification, diagnostics);
    if (diagnostics.has_errors()) return;
    scenario::Experiment& experiment = assembly.scenario.experiment;
    const scenario::Experiment::Open open = experiment.open;
    assembly.assumed = scenario::settle_experiment(experiment, assembly.descriptions, usual_step);
    if (!assembly.path.empty()) experiment.open = open; // the whole knows
    resolve_and_synthesize(assembly, verification, diagnostics);
}

Assembly assemble(scenario::Scenario scenario, unit::Library& library, Diagnostics& diagnostics,
                  Verification verification) {
    read_nested(scenario, diagnostics);
    Assembly assembly{.scenario = std::move(scenario)};
    assemble(assembly, library, verification, diagnostics);
    return assembly;
}

std::optional<Assembly> with_negotiation(const Assembly& assembly,
                                         const engine::StepRejected& rejection) {
    std::optional<Assembly> result = assembly;
    if (!let_reject(*result, rejection.unit())) result.reset();
    return result;
}

} // namespace rubato::pipeline
