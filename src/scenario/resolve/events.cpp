// SPDX-License-Identifier: Apache-2.0
#include "resolver.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <unordered_set>

namespace rubato::scenario {

namespace {

bool wants_events(const Scenario& scenario) {
    const EventSettings& settings = scenario.events;
    if (settings.locate != Locate::automatic) return settings.locate != Locate::never;
    return is_waveform(scenario.algorithm.recipe) || !settings.crossings.empty();
}

void check_limits(const Scenario& scenario, Diagnostics& diagnostics) {
    const EventSettings& settings = scenario.events;
    const double step = scenario.experiment.step;
    if (settings.tolerance && !(*settings.tolerance > 0 && *settings.tolerance <= step)) {
        diagnostics.error(
            settings.where, format("events.tolerance is {}", shortest(*settings.tolerance)),
            format("it must be positive and at most experiment.step, which is {}", shortest(step)));
    }
    if (settings.limit < 1)
        diagnostics.error(settings.where,
                          format("events.limit is {}: it must be at least 1", settings.limit));
    if (settings.locate == Locate::never && !settings.crossings.empty())
        diagnostics.warning(settings.where, "events.crossings are not looked at: locate is never",
                            "remove one of them");
}

class WatchedOutputs {
public:
    explicit WatchedOutputs(Resolver& resolver) : resolver_(resolver) {}

    void add_crossing(const std::string& text) {
        const Location& where = resolver_.scenario.events.where;
        auto condition = parse_condition(text);
        if (!condition) {
            resolver_.diagnostics.error(where,
                                        format("events.crossings: \"{}\" is no condition", text),
                                        "write it as tank.level > 0.5");
            return;
        }
        condition->where = where;
        const auto output = find_compared(resolver_, *condition);
        if (!output) return;
        resolver_.system.watched.push_back(
            {*output, Comparison{*output, condition->relation, condition->value}});
    }

    /// Where a connection makes a boolean of a number, an event is where that changes.
    void add_threshold(const Link& link) {
        if (link.to_type != TypeConversion::threshold || link.factor == 0) return;
        const Relation relation = link.factor > 0 ? Relation::exceeds : Relation::falls_below;
        resolver_.system.watched.push_back(
            {link.from,
             Comparison{link.from, relation, (link.threshold - link.offset) / link.factor}});
    }

    /// Discrete outputs that others take. Those of units with event mode change at events only.
    void add_sources(const std::vector<Link>& links) {
        for (const Link& link : links) {
            const Port& port = resolver_.system.port(link.from);
            if (port.is_continuous && port.part.count == 1) add_threshold(link);
            add_discrete(link.from);
        }
    }

    /// Discrete outputs that the scenario shows to others.
    void add_exposed() {
        const std::vector<Port>& ports = resolver_.system.ports;
        for (std::size_t p = 0; p < ports.size(); ++p) {
            const std::string& unit = resolver_.unit(ports[p].unit).name;
            const std::string& name = resolver_.variable(ports[p].unit, ports[p].variable).name;
            if (ports[p].direction == Direction::output &&
                resolver_.is_exposed(&InterfaceSettings::outputs, unit + "." + name))
                add_discrete(nth<PortId>(p));
        }
    }

private:
    void add_discrete(PortId output) {
        const Port& port = resolver_.system.port(output);
        const bool is_clocked = !resolver_.variable(port.unit, port.variable).clocks.empty();
        const bool has_event_mode = resolver_.descriptions[port.unit.value].capabilities.event_mode;
        if (port.is_continuous || is_clocked || has_event_mode) return;
        if (seen_.insert(output).second) resolver_.system.watched.push_back({output, std::nullopt});
    }

    Resolver& resolver_;
    std::unordered_set<PortId> seen_;
};

std::vector<std::string> units_that(const Resolver& resolver, bool (*lacks)(const Capabilities&)) {
    std::vector<std::string> names;
    for (std::size_t u = 0; u < resolver.descriptions.size(); ++u)
        if (lacks(resolver.descriptions[u].capabilities))
            names.push_back(resolver.system.units[u].name);
    return names;
}

/// Without a way back, an event is seen at the end of the step that it lies in.
void note_lateness(Resolver& resolver, const std::vector<std::string>& names,
                   std::string_view what) {
    const Scenario& scenario = resolver.scenario;
    const bool adapts = scenario.step_control.controller != StepController::fixed;
    const double longest = !adapts ? scenario.experiment.step
                                   : scenario.step_control.maximum.value_or(
                                         scenario.experiment.stop - scenario.experiment.start);
    resolver.diagnostics.warning(
        scenario.events.where,
        format("events cannot be located: {} cannot {}; they are found at the end of the step in "
               "which they happen, up to {} s late",
               listed_units(names), what, shortest(longest)),
        format("choose {} as short as the delay that you can accept; events: never hides this",
               adapts ? "step-control.maximum" : "experiment.step"));
}

/// A crossing with two sides: the values before it predict its time.
bool is_predictable(const Watched& watched) {
    return watched.crossing && watched.crossing->relation != Relation::equals;
}

void note_unpredictable(Resolver& resolver, const std::vector<std::string>& rigid) {
    resolver.diagnostics.warning(
        resolver.scenario.events.where,
        rigid.empty() ? std::string("events.locate is predict, but there are no crossings: changes "
                                    "of discrete outputs cannot be predicted")
                      : format("crossings cannot be predicted: {} cannot vary {} step",
                               listed_units(rigid), rigid.size() == 1 ? "its" : "their"),
        rigid.empty() ? "declare them: events: {locate: predict, crossings: [tank.level > 0.5]}"
                      : "choose experiment.step as short as the delay that you can accept");
}

} // namespace

std::string listed_units(const std::vector<std::string>& names) {
    return format("{} \"{}\"", names.size() == 1 ? "unit" : "units", fmt::join(names, "\", \""));
}

void choose_watched(Resolver& resolver) {
    const Scenario& scenario = resolver.scenario;
    check_limits(scenario, resolver.diagnostics);
    if (!wants_events(scenario)) return;
    WatchedOutputs watched(resolver);
    for (const std::string& text : scenario.events.crossings) watched.add_crossing(text);
    const System& system = resolver.system;
    watched.add_sources(system.links);
    watched.add_sources(system.event_links);
    watched.add_exposed();
    for (const Configuration& configuration : system.configurations) {
        watched.add_sources(configuration.links);
        watched.add_sources(configuration.event_links);
    }
    const auto one_way = units_that(resolver, [](const Capabilities& c) { return !c.snapshots; });
    const auto rigid = units_that(resolver, [](const Capabilities& c) { return !c.variable_step; });
    const bool may_go_back = scenario.events.locate != Locate::predict;
    resolver.system.ends_steps_at_events = may_go_back && one_way.empty() && rigid.empty();
    resolver.system.predicts_crossings = !system.ends_steps_at_events && rigid.empty() &&
                                         std::ranges::any_of(system.watched, is_predictable);
    if (!may_go_back && !system.predicts_crossings) note_unpredictable(resolver, rigid);
    if (system.watched.empty()) return;
    if (!rigid.empty()) return note_lateness(resolver, rigid, "vary the step");
    if (one_way.empty()) return;
    if (!system.predicts_crossings) return note_lateness(resolver, one_way, "go back");
    resolver.diagnostics.note(
        scenario.events.where,
        format("crossings are predicted: {} cannot go back; steps are shortened towards them{}",
               listed_units(one_way),
               std::ranges::all_of(system.watched, is_predictable)
                   ? ""
                   : ", and changes of discrete outputs are found at the end of a step"));
}

} // namespace rubato::scenario
