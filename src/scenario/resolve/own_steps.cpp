// SPDX-License-Identifier: Apache-2.0
#include "resolver.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>

namespace rubato::scenario {

namespace {

bool has_own_step(const Resolver& resolver, UnitId unit) {
    return resolver.unit(unit).step.has_value();
}

/// After how many of its steps a unit is at a communication point; nullopt: never within the run.
std::optional<double> steps_until_meeting(double own, const Experiment& experiment) {
    constexpr double rounding = 1e-9;
    constexpr int most = 100'000;
    const double ratio = own / experiment.step;
    const double span = experiment.stop - experiment.start;
    for (int n = 1; n <= most && n * own <= span * (1 + rounding); ++n) {
        const double steps = n * ratio;
        if (std::abs(steps - std::round(steps)) <= rounding * std::max(1.0, steps)) return n;
    }
    return std::nullopt;
}

/// Values are exchanged at communication points: how often the unit's own points are among them.
void note_meetings(Resolver& resolver, const Unit& unit) {
    const Experiment& experiment = resolver.scenario.experiment;
    if (resolver.scenario.step_control.controller != StepController::fixed || resolver.is_nested)
        return;
    if (!(experiment.step > 0) || !(experiment.stop > experiment.start)) return;
    if (*unit.step > experiment.stop - experiment.start) {
        resolver.diagnostics.warning(
            unit.where,
            format("unit \"{}\" makes a single step, at the end: its step, {} s, is longer than "
                   "the run, which is {} s",
                   unit.name, shortest(*unit.step), shortest(experiment.stop - experiment.start)),
            format("give it a shorter step, or the run a later stop"));
        return;
    }
    const auto steps = steps_until_meeting(*unit.step, experiment);
    if (steps == 1.0 || (steps && *unit.step < experiment.step)) return;
    if (steps) {
        resolver.diagnostics.note(
            unit.where,
            format("unit \"{}\" is at a communication point only after every {} of its steps: its "
                   "step is {} s, that of the communication {} s",
                   unit.name, shortest(*steps), shortest(*unit.step), shortest(experiment.step)));
        return;
    }
    resolver.diagnostics.warning(
        unit.where,
        format("the points of unit \"{}\", every {} s, never meet the communication points, every "
               "{} s: others see its outputs late",
               unit.name, shortest(*unit.step), shortest(experiment.step)),
        "make its step a multiple or a fraction of experiment.step");
}

bool is_stepped(const Unit& unit) {
    return !std::holds_alternative<TableFile>(unit.origin) &&
           !std::holds_alternative<Links>(unit.origin);
}

void check_own_step(Resolver& resolver, UnitId id) {
    const Unit& unit = resolver.unit(id);
    const auto error = [&](const std::string& message, const std::string& hint = {}) {
        resolver.diagnostics.error(unit.where, message, hint);
    };
    if (!(*unit.step > 0) || !std::isfinite(*unit.step))
        return error(
            format("units.{}.step is {}: it must be positive", unit.name, shortest(*unit.step)));
    if (!is_stepped(unit))
        return error(
            format("unit \"{}\" has a step, but makes none: it has values at any time", unit.name),
            "remove step");
    if (resolver.descriptions[id.value].capabilities.event_mode)
        return error(format("unit \"{}\" cannot have a step of its own: it handles events together "
                            "with other units, which may be between its points",
                            unit.name),
                     "remove step; to divide the steps of all into parts, use sub-steps");
    note_meetings(resolver, unit);
}

/// Units that make several steps between two communication points do not see each other there.
void note_late_exchange(Resolver& resolver) {
    const double step = resolver.scenario.experiment.step;
    const auto is_fast = [&](UnitId id) {
        const Unit& unit = resolver.unit(id);
        return unit.step && *unit.step < step * (1 - 1e-9);
    };
    for (const Link& link : resolver.system.links) {
        const UnitId from = resolver.system.port(link.from).unit;
        const UnitId to = resolver.system.port(link.to).unit;
        if (from == to || !is_fast(from) || !is_fast(to)) continue;
        const double shorter = std::min(*resolver.unit(from).step, *resolver.unit(to).step);
        resolver.diagnostics.warning(
            resolver.unit(to).where,
            format("units \"{}\" and \"{}\" make steps of {} s and {} s, but exchange values every "
                   "{} s",
                   resolver.unit(from).name, resolver.unit(to).name,
                   shortest(*resolver.unit(from).step), shortest(*resolver.unit(to).step),
                   shortest(step)),
            format("use experiment.step: {}; units that need no such short steps have their own",
                   shortest(shorter)));
        return;
    }
}

/// An output between the points of its unit: as the scenario says, or else as those need it that
/// extrapolate it further.
void settle_output_between(Resolver& resolver, const OutputSettings& settings, UnitId unit) {
    const Approximation wanted = *settings.approximation;
    if (!has_own_step(resolver, unit)) {
        resolver.diagnostics.warning(
            settings.where,
            format("the approximation of output \"{}\" has no effect: unit \"{}\" has no step of "
                   "its own",
                   settings.name, resolver.unit(unit).name),
            "give the unit a step, or approximate the inputs that the output feeds");
        return;
    }
    for (const PortId id : resolver.find_ports(unit, settings.name, Direction::output)) {
        Port& port = resolver.system.port(id);
        const bool is_possible = port.is_continuous && storage_of(port.type) == Storage::real &&
                                 port.part.is_whole() &&
                                 !resolver.variable(unit, port.variable).is_array();
        if (wanted != Approximation::constant && !is_possible) {
            resolver.diagnostics.error(
                settings.where,
                format("output \"{}\" of unit \"{}\" cannot be extrapolated: it is no continuous "
                       "real scalar",
                       settings.name, resolver.unit(unit).name),
                "use constant");
            return;
        }
        port.approximation = wanted;
    }
}

void adopt_approximation(Resolver& resolver, const Link& link) {
    Port& from = resolver.system.port(link.from);
    const Approximation wanted = resolver.system.port(link.to).approximation;
    if (!has_own_step(resolver, from.unit) || !from.is_continuous ||
        storage_of(from.type) != Storage::real ||
        resolver.variable(from.unit, from.variable).is_array())
        return;
    const auto& outputs = resolver.unit(from.unit).outputs;
    const bool is_given = std::ranges::any_of(outputs, [&](const OutputSettings& output) {
        return output.name == from.name && output.approximation;
    });
    if (!is_given) from.approximation = std::max(from.approximation, wanted);
}

} // namespace

void check_own_steps(Resolver& resolver) {
    for (std::size_t u = 0; u < resolver.scenario.units.size(); ++u) {
        const UnitId id = nth<UnitId>(u);
        if (has_own_step(resolver, id)) check_own_step(resolver, id);
        for (const OutputSettings& output : resolver.unit(id).outputs)
            if (output.approximation) settle_output_between(resolver, output, id);
    }
    note_late_exchange(resolver);
    for (const Link& link : resolver.system.links) adopt_approximation(resolver, link);
    for (const Configuration& configuration : resolver.system.configurations)
        for (const Link& link : configuration.links) adopt_approximation(resolver, link);
}

} // namespace rubato::scenario
