// SPDX-License-Identifier: Apache-2.0
#include "yaml_parts.hpp"

#include "conf_parts.hpp"
#include "connections.hpp"
#include "statements.hpp"

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

std::optional<WrittenAlgorithm> read_written(Reporter& reporter, MapReader& algorithm,
                                             const Entry& section) {
    const Entry* initialization = algorithm.find("initialization");
    const Entry* step = algorithm.find("step");
    const Entry* steps = algorithm.find("steps");
    if (!initialization && !step && !steps) return std::nullopt;
    if (const Entry* recipe = algorithm.find("recipe")) {
        reporter.error(recipe->mark, "the algorithm is both named and written out",
                       "remove recipe, or remove initialization and step");
    }
    if (step && steps) {
        reporter.error(steps->mark, "algorithm has both step and steps",
                       "step is one procedure, steps are several by name: give one of them");
    }
    WrittenAlgorithm written;
    written.where = reporter.locate(section.mark);
    if (initialization) {
        written.initialization =
            read_statements(reporter, "algorithm.initialization", initialization->value);
    }
    if (step) written.steps.push_back(read_unnamed_procedure(reporter, "algorithm.step", *step));
    if (steps) written.steps = read_procedures(reporter, "algorithm.steps", steps->value);
    return written;
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

StepLimits read_step_limits(Reporter& reporter, const Entry& section) {
    StepLimits limits;
    limits.where = reporter.locate(section.mark);
    MapReader map(reporter, "step-limits", section.value);
    if (const Entry* entry = map.find("changes")) {
        for (const Node& item : items_of(reporter, map.path_of("changes"), entry->value))
            if (auto limit = read_change_limit(reporter, item))
                limits.changes.push_back(std::move(*limit));
    }
    if (const Entry* entry = map.find("sampling")) {
        for (const Node& item : items_of(reporter, map.path_of("sampling"), entry->value))
            if (auto sampling = read_sampling(reporter, item))
                limits.sampling.push_back(std::move(*sampling));
    }
    map.report_unknown_keys();
    return limits;
}

std::vector<BondSettings> read_bonds(Reporter& reporter, const Entry& section) {
    std::vector<BondSettings> bonds;
    for (const Entry* entry : entries_of(reporter, "bonds", section.value)) {
        const std::string path = "bonds." + entry->key;
        MapReader map(reporter, path, entry->value);
        std::optional<Connection> halves[2];
        for (const std::size_t i : {0u, 1u}) {
            const std::string_view key = i == 0 ? "effort" : "flow";
            if (const Entry* half = map.find(key)) {
                halves[i] = read_plain_connection(reporter, map.path_of(key), half->value);
            } else {
                reporter.error(entry->mark, format("{} lacks {}", path, key),
                               "a bond is a pair of connections: {effort: a.F -> b.F, flow: b.v "
                               "-> a.v}");
            }
        }
        map.report_unknown_keys();
        if (halves[0] && halves[1])
            bonds.push_back({entry->key, *halves[0], *halves[1], reporter.locate(entry->mark)});
    }
    return bonds;
}

std::vector<ConfigurationSettings> read_configurations(Reporter& reporter, const Entry& section,
                                                       const std::vector<Connection>& connections) {
    std::vector<ConfigurationSettings> configurations;
    for (const Entry* entry : entries_of(reporter, "configurations", section.value)) {
        MapReader map(reporter, "configurations." + entry->key, entry->value);
        ConfigurationSettings configuration;
        configuration.name = entry->key;
        configuration.where = reporter.locate(entry->mark);
        configuration.procedure = map.read<std::string>("procedure").value_or(entry->key);
        if (const Entry* inputs = map.find("inputs")) {
            configuration.contracts =
                read_contracts(reporter, map.path_of("inputs"), inputs->value);
        }
        const Entry* own = map.find("connections");
        configuration.connections = own ? read_connections(reporter, own->value) : connections;
        configuration.from = map.read<double>("from");
        if (const auto text = map.read<std::string>("when"))
            configuration.when = read_condition(reporter, *text, map.find("when")->mark);
        map.report_unknown_keys();
        configurations.push_back(std::move(configuration));
    }
    return configurations;
}

Clocks read_clocks(Reporter& reporter, const Entry& section) {
    MapReader map(reporter, "clocks", section.value);
    Clocks clocks;
    if (const Entry* units = map.find("units")) {
        for (const Entry* entry : entries_of(reporter, "clocks.units", units->value)) {
            clocks.units.push_back(
                read_clocks_of_unit(reporter, "clocks.units." + entry->key, *entry));
        }
    }
    if (const Entry* list = map.find("connections")) {
        clocks.connections = read_clock_connections(reporter, "clocks.connections", list->value);
    }
    if (const Entry* strategies = map.find("event-strategies")) {
        clocks.strategies = read_strategies(reporter, "clocks.event-strategies", strategies->value);
    }
    map.report_unknown_keys();
    return clocks;
}

} // namespace rubato::scenario::formats
