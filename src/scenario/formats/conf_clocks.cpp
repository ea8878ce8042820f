// SPDX-License-Identifier: Apache-2.0
#include "conf_parts.hpp"
#include "connections.hpp"

#include <utility>

namespace rubato::scenario::formats {

namespace {

using Names = std::vector<std::string>;

InputClock read_input_clock(Reporter& reporter, const std::string& path, const Entry& entry) {
    MapReader map(reporter, path, entry.value);
    InputClock clock;
    clock.name = entry.key;
    clock.where = reporter.locate(entry.mark);
    require(reporter, map, "type-of-clock", entry.mark);
    clock.type = map.read<ClockType>("type-of-clock").value_or(ClockType::triggered);
    clock.interval = map.read<int>("interval").value_or(0);
    map.report_unknown_keys();
    if ((clock.type == ClockType::timed) != (clock.interval > 0)) {
        reporter.error(
            entry.mark,
            format("{} is {} with an interval of {}", path, to_string(clock.type), clock.interval),
            "a timed clock has an interval of at least 1, a triggered one none or 0");
    }
    return clock;
}

OutputClock read_output_clock(Reporter& reporter, const std::string& path, const Entry& entry) {
    MapReader map(reporter, path, entry.value);
    OutputClock clock;
    clock.name = entry.key;
    clock.where = reporter.locate(entry.mark);
    require(reporter, map, "type-of-clock", entry.mark);
    clock.type = map.read<ClockType>("type-of-clock").value_or(ClockType::triggered);
    clock.dependencies = map.read<Names>("dependencies").value_or(Names{});
    clock.dependencies_clocks = map.read<Names>("dependencies-clocks").value_or(Names{});
    map.report_unknown_keys();
    return clock;
}

std::optional<EventOp> read_event_op(Reporter& reporter, const std::string& path,
                                     const Node& node) {
    const bool is_one = node.kind == Kind::map && node.entries.size() == 1;
    if (!is_one) {
        reporter.error(node.mark, format("an item of {} is not one operation", path),
                       "write one such as {set-clock: unit.clock} per item");
        return std::nullopt;
    }
    const Entry& entry = node.entries.front();
    const auto operation = find_word<EventOperation>(entry.key);
    if (!operation) {
        reporter.error(entry.mark, format("\"{}\" is no operation of an event", entry.key),
                       suggest(entry.key, word_list<EventOperation>(), "the operations"));
        return std::nullopt;
    }
    auto object = read_as<std::string>(reporter, entry.key, entry.value);
    if (!object) return std::nullopt;
    return EventOp{*operation, std::move(*object), reporter.locate(entry.mark)};
}

} // namespace

void read_port_clocks(Reporter& reporter, MapReader& port, const Entry& entry, ConfClocks& clocks) {
    if (!port.find("clocks")) return;
    clocks.is_told = true;
    auto names = port.read<Names>("clocks").value_or(Names{});
    if (names.empty()) return;
    clocks.unit.ports.push_back({entry.key, std::move(names), reporter.locate(entry.mark)});
}

void read_unit_clocks(Reporter& reporter, MapReader& unit, ConfClocks& clocks) {
    if (const Entry* inputs = unit.find("input-clocks")) {
        clocks.is_told = true;
        const std::string path = unit.path_of("input-clocks");
        for (const Entry* entry : entries_of(reporter, path, inputs->value)) {
            clocks.unit.inputs.push_back(
                read_input_clock(reporter, path + "." + entry->key, *entry));
        }
    }
    if (const Entry* outputs = unit.find("output-clocks")) {
        clocks.is_told = true;
        const std::string path = unit.path_of("output-clocks");
        for (const Entry* entry : entries_of(reporter, path, outputs->value)) {
            clocks.unit.outputs.push_back(
                read_output_clock(reporter, path + "." + entry->key, *entry));
        }
    }
}

std::vector<ClockConnection> read_clock_connections(Reporter& reporter, const std::string& path,
                                                    const Node& node) {
    std::vector<ClockConnection> connections;
    for (Connection& c : read_plain_connections(reporter, path, node)) {
        connections.push_back({std::move(c.from_unit), std::move(c.from_port), std::move(c.to_unit),
                               std::move(c.to_port), std::move(c.where)});
    }
    return connections;
}

std::vector<EventStrategy> read_strategies(Reporter& reporter, const std::string& path,
                                           const Node& node) {
    std::vector<EventStrategy> strategies;
    for (const Entry* entry : entries_of(reporter, path, node)) {
        MapReader map(reporter, path + "." + entry->key, entry->value);
        EventStrategy strategy;
        strategy.name = entry->key;
        strategy.where = reporter.locate(entry->mark);
        require(reporter, map, "clocks", entry->mark);
        strategy.clocks = map.read<Names>("clocks").value_or(Names{});
        if (const Entry* iterate = require(reporter, map, "iterate", entry->mark)) {
            const std::string list = map.path_of("iterate");
            for (const Node& item : items_of(reporter, list, iterate->value)) {
                if (auto op = read_event_op(reporter, list, item))
                    strategy.iterate.push_back(std::move(*op));
            }
        }
        map.report_unknown_keys();
        strategies.push_back(std::move(strategy));
    }
    return strategies;
}

} // namespace rubato::scenario::formats
