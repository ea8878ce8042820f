// SPDX-License-Identifier: Apache-2.0
#include "yaml_parts.hpp"

#include "conf_parts.hpp"
#include "connections.hpp"
#include "statements.hpp"
#include "yaml_settings.hpp"

#include <algorithm>
#include <utility>

namespace rubato::scenario::formats {

namespace {

std::vector<ConfigurationSettings::Contract>
read_contracts(Reporter& reporter, const std::string& path, const Node& node) {
    std::vector<ConfigurationSettings::Contract> contracts;
    for (const Entry* entry : entries_of(reporter, path, node)) {
        const auto reactivity =
            read_as<Reactivity>(reporter, path + "." + entry->key, entry->value);
        const auto name = split_port_name(entry->key);
        if (!name) {
            reporter.error(entry->mark, format("\"{}\" is not an input", entry->key),
                           "write unit.input: delayed or unit.input: reactive");
        } else if (reactivity) {
            contracts.push_back(
                {name->unit, name->port, *reactivity, reporter.locate(entry->mark)});
        }
    }
    return contracts;
}

std::optional<Condition> read_condition(Reporter& reporter, const std::string& text, Mark mark) {
    auto condition = parse_condition(text);
    if (!condition) {
        reporter.error(mark, format("\"{}\" is no condition", text),
                       "write unit.output, unit.output = 2, unit.output > 0.5 or "
                       "unit.output < 0.5");
        return std::nullopt;
    }
    condition->where = reporter.locate(mark);
    return condition;
}

UnitClocks read_clocks_of_unit(Reporter& reporter, const std::string& path, const Entry& entry) {
    MapReader map(reporter, path, entry.value);
    ConfClocks clocks;
    clocks.unit.unit = entry.key;
    read_unit_clocks(reporter, map, clocks);
    if (const Entry* ports = map.find("ports")) {
        const std::string list = map.path_of("ports");
        for (const Entry* port : entries_of(reporter, list, ports->value)) {
            auto names =
                read_as<std::vector<std::string>>(reporter, list + "." + port->key, port->value);
            if (!names) continue;
            clocks.unit.ports.push_back(
                {port->key, std::move(*names), reporter.locate(port->mark)});
        }
    }
    map.report_unknown_keys();
    return std::move(clocks.unit);
}

} // namespace

void update_written(Reporter& reporter, MapReader& algorithm, const Entry& section, bool has_recipe,
                    std::optional<WrittenAlgorithm>& written) {
    const Entry* initialization = algorithm.find("initialization");
    const Entry* step = algorithm.find("step");
    const Entry* steps = algorithm.find("steps");
    const Entry* event = algorithm.find("event");
    const Entry* events = algorithm.find("events");
    const bool is_given = initialization || step || steps || event || events;
    const Entry* recipe = algorithm.find("recipe");
    if ((is_given && has_recipe) || (recipe && (is_given || written))) {
        reporter.error(recipe ? recipe->mark : section.mark,
                       "the algorithm is both named and written out",
                       "remove recipe, or remove initialization and step");
    }
    if (!is_given) return;
    if (step && steps) {
        reporter.error(steps->mark, "algorithm has both step and steps",
                       "step is one procedure, steps are several by name: give one of them");
    }
    if (event && events) {
        reporter.error(events->mark, "algorithm has both event and events",
                       "event is one procedure, events are several by the name of their "
                       "configuration: give one of them");
    }
    if (!written) {
        written.emplace();
        written->where = reporter.locate(section.mark);
    }
    if (initialization) {
        written->initialization =
            read_statements(reporter, "algorithm.initialization", initialization->value);
    }
    if (step)
        written->steps = {
            read_unnamed_procedure(reporter, "algorithm.step", *step, unnamed_procedure)};
    if (steps) written->steps = read_procedures(reporter, "algorithm.steps", steps->value);
    if (event)
        written->events = {
            read_unnamed_procedure(reporter, "algorithm.event", *event, unnamed_event)};
    if (events) written->events = read_procedures(reporter, "algorithm.events", events->value);
}

namespace {

std::optional<ChangeLimit> read_change_limit(Reporter& reporter, const Node& node) {
    MapReader map(reporter, "step-limits.changes", node);
    ChangeLimit limit;
    const auto of = map.read<std::string>("of");
    limit.minus = map.read<std::string>("minus");
    limit.absolute = map.read<double>("absolute");
    limit.relative = map.read<double>("relative");
    limit.where = reporter.locate(node.mark);
    map.report_unknown_keys();
    if (!of) {
        reporter.error(node.mark, "an item of step-limits.changes lacks its output",
                       "write {of: tank.level, absolute: 0.01}");
        return std::nullopt;
    }
    limit.of = *of;
    return limit;
}

std::optional<SamplingInstants> read_sampling(Reporter& reporter, const Node& node) {
    MapReader map(reporter, "step-limits.sampling", node);
    SamplingInstants sampling;
    const auto period = map.read<double>("period");
    sampling.start = map.read<double>("start");
    sampling.where = reporter.locate(node.mark);
    map.report_unknown_keys();
    if (!period) {
        reporter.error(node.mark, "an item of step-limits.sampling lacks its period",
                       "write {period: 0.1}, or {period: 0.1, start: 0.05}: [s]");
        return std::nullopt;
    }
    sampling.period = *period;
    return sampling;
}

} // namespace

void update_step_limits(Reporter& reporter, const Entry& section, StepLimitSettings& limits) {
    prepare(reporter, section, limits);
    MapReader map(reporter, "step-limits", section.value);
    if (const Entry* entry = map.find("changes")) {
        limits.changes.clear();
        for (const Node& item : items_of(reporter, map.path_of("changes"), entry->value))
            if (auto limit = read_change_limit(reporter, item))
                limits.changes.push_back(std::move(*limit));
    }
    if (const Entry* entry = map.find("sampling")) {
        limits.sampling.clear();
        for (const Node& item : items_of(reporter, map.path_of("sampling"), entry->value))
            if (auto sampling = read_sampling(reporter, item))
                limits.sampling.push_back(std::move(*sampling));
    }
    map.report_unknown_keys();
}

namespace {

/// False: it is no bond, which has been reported.
bool update_bond(Reporter& reporter, const Entry& entry, BondSettings& bond) {
    const std::string path = "bonds." + entry.key;
    MapReader map(reporter, path, entry.value);
    bool is_complete = true;
    const auto read_half = [&](std::string_view key, Connection& half) {
        const Entry* given = map.find(key);
        if (given) {
            auto connection = read_plain_connection(reporter, map.path_of(key), given->value);
            is_complete = is_complete && connection;
            if (connection) half = std::move(*connection);
        } else if (half.from_unit.empty()) {
            is_complete = false;
            reporter.error(entry.mark, format("{} lacks {}", path, key),
                           "a bond is a pair of connections: {effort: a.F -> b.F, flow: b.v "
                           "-> a.v}");
        }
    };
    read_half("effort", bond.effort);
    read_half("flow", bond.flow);
    map.report_unknown_keys();
    return is_complete;
}

void update_configuration(Reporter& reporter, const Entry& entry, const Scenario& scenario,
                          ConfigurationSettings& configuration) {
    MapReader map(reporter, "configurations." + entry.key, entry.value);
    if (configuration.procedure.empty()) {
        configuration.procedure = entry.key;
        configuration.connections = scenario.connections;
    }
    if (auto procedure = map.read<std::string>("procedure"))
        configuration.procedure = std::move(*procedure);
    if (const Entry* inputs = map.find("inputs")) {
        configuration.contracts = read_contracts(reporter, map.path_of("inputs"), inputs->value);
    }
    if (const Entry* own = map.find("connections"))
        configuration.connections = read_connections(reporter, own->value);
    if (const auto from = map.read<double>("from")) configuration.from = from;
    if (const auto text = map.read<std::string>("when"))
        configuration.when = read_condition(reporter, *text, map.find("when")->mark);
    map.report_unknown_keys();
}

} // namespace

void update_bonds(Reporter& reporter, const Entry& section, std::vector<BondSettings>& bonds) {
    std::vector<std::string> incomplete;
    update_named(reporter, "bonds", section.value, bonds, &BondSettings::name,
                 [&](const Entry& entry, BondSettings& bond) {
                     if (!update_bond(reporter, entry, bond)) incomplete.push_back(bond.name);
                 });
    std::erase_if(bonds, [&](const BondSettings& bond) {
        return std::ranges::find(incomplete, bond.name) != incomplete.end();
    });
}

void update_configurations(Reporter& reporter, const Entry& section, Scenario& scenario) {
    update_named(reporter, "configurations", section.value, scenario.configurations,
                 &ConfigurationSettings::name,
                 [&](const Entry& entry, ConfigurationSettings& configuration) {
                     update_configuration(reporter, entry, scenario, configuration);
                 });
}

void update_clocks(Reporter& reporter, const Entry& section, std::optional<Clocks>& clocks) {
    if (!section.value.is_path || !clocks) clocks.emplace();
    MapReader map(reporter, "clocks", section.value);
    if (const Entry* units = map.find("units")) {
        update_named(reporter, "clocks.units", units->value, clocks->units, &UnitClocks::unit,
                     [&](const Entry& entry, UnitClocks& unit) {
                         if (report_path(reporter, entry)) return;
                         unit = read_clocks_of_unit(reporter, "clocks.units." + entry.key, entry);
                     });
    }
    if (const Entry* list = map.find("connections")) {
        clocks->connections = read_clock_connections(reporter, "clocks.connections", list->value);
    }
    if (const Entry* strategies = map.find("event-strategies")) {
        clocks->strategies =
            read_strategies(reporter, "clocks.event-strategies", strategies->value);
    }
    map.report_unknown_keys();
}

} // namespace rubato::scenario::formats
