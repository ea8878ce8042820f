// SPDX-License-Identifier: Apache-2.0
#include "conf_parts.hpp"
#include "connections.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace rubato::scenario::formats {

namespace {

using Names = std::vector<std::string>;

InputSettings read_input(Reporter& reporter, const std::string& path, const Entry& entry,
                         ConfClocks& clocks) {
    MapReader map(reporter, path, entry.value);
    InputSettings input;
    input.name = entry.key;
    input.where = reporter.locate(entry.mark);
    require(reporter, map, "reactivity", entry.mark);
    input.contract = map.read<Reactivity>("reactivity");
    read_port_clocks(reporter, map, entry, clocks);
    map.report_unknown_keys();
    return input;
}

OutputSettings read_output(Reporter& reporter, const std::string& path, const Entry& entry,
                           ConfClocks& clocks) {
    MapReader map(reporter, path, entry.value);
    OutputSettings output;
    output.name = entry.key;
    output.where = reporter.locate(entry.mark);
    require(reporter, map, "dependencies-init", entry.mark);
    require(reporter, map, "dependencies", entry.mark);
    output.feedthrough = map.read<Names>("dependencies");
    output.feedthrough_initial = map.read<Names>("dependencies-init");
    read_port_clocks(reporter, map, entry, clocks);
    map.report_unknown_keys();
    return output;
}

void read_path(Reporter& reporter, MapReader& map, Unit& unit) {
    const Entry* path = map.find("path");
    if (!path) return;
    const bool is_empty = path->value.kind == Kind::scalar && path->value.text.empty();
    if (is_empty) return;
    if (auto text = read_as<std::string>(reporter, map.path_of("path"), path->value)) {
        unit.origin = FmuFile{std::move(*text)};
    }
}

void read_unit(Reporter& reporter, const std::string& path, const Entry& entry, ConfUnits& result) {
    check_unit_name(reporter, entry);
    MapReader map(reporter, path, entry.value);
    Unit unit;
    ConfClocks clocks;
    unit.name = clocks.unit.unit = entry.key;
    unit.where = reporter.locate(entry.mark);
    if (const Entry* inputs = map.find("inputs")) {
        const std::string list = map.path_of("inputs");
        for (const Entry* port : entries_of(reporter, list, inputs->value))
            unit.inputs.push_back(read_input(reporter, list + "." + port->key, *port, clocks));
    }
    if (const Entry* outputs = map.find("outputs")) {
        const std::string list = map.path_of("outputs");
        for (const Entry* port : entries_of(reporter, list, outputs->value))
            unit.outputs.push_back(read_output(reporter, list + "." + port->key, *port, clocks));
    }
    unit.can_reject_step = map.read<bool>("can-reject-step").value_or(false);
    read_path(reporter, map, unit);
    read_unit_clocks(reporter, map, clocks);
    map.report_unknown_keys();
    result.units.push_back(std::move(unit));
    result.clocks.push_back(std::move(clocks));
}

/// The configurable input that a key of `inputs` means: `unit.port`, or the first of this port
/// name.
const PortName* find_configurable(const std::vector<PortName>& inputs, const std::string& key) {
    const auto whole = split_port_name(key);
    for (const PortName& input : inputs) {
        if (input.port == key || (whole && input == *whole)) return &input;
    }
    return nullptr;
}

std::vector<ConfigurationSettings::Contract>
read_contracts(Reporter& reporter, const std::string& path, const Node& node,
               const std::vector<PortName>& configurable) {
    std::vector<ConfigurationSettings::Contract> contracts;
    for (const Entry* entry : entries_of(reporter, path, node)) {
        MapReader map(reporter, path + "." + entry->key, entry->value);
        require(reporter, map, "reactivity", entry->mark);
        const auto reactivity = map.read<Reactivity>("reactivity");
        map.report_unknown_keys();
        const PortName* input = find_configurable(configurable, entry->key);
        if (!input) {
            Names names;
            for (const PortName& name : configurable) names.push_back(name.port);
            reporter.error(entry->mark, format("\"{}\" is no configurable input", entry->key),
                           suggest(entry->key, names, "the configurable inputs"));
        } else if (reactivity) {
            contracts.push_back(
                {input->unit, input->port, *reactivity, reporter.locate(entry->mark)});
        }
    }
    return contracts;
}

ConfigurationSettings read_configuration(Reporter& reporter, const std::string& path,
                                         const Entry& entry,
                                         const std::vector<PortName>& configurable,
                                         std::size_t connections) {
    MapReader map(reporter, path, entry.value);
    ConfigurationSettings result;
    result.name = entry.key;
    result.where = reporter.locate(entry.mark);
    if (const Entry* inputs = map.find("inputs")) {
        result.contracts =
            read_contracts(reporter, map.path_of("inputs"), inputs->value, configurable);
    }
    require(reporter, map, "cosim-step", entry.mark);
    result.procedure = map.read<std::string>("cosim-step").value_or("");
    if (const Entry* list = require(reporter, map, "connections", entry.mark)) {
        result.connections =
            read_plain_connections(reporter, map.path_of("connections"), list->value);
        if (result.connections.size() != connections) {
            reporter.error(list->mark,
                           format("configuration \"{}\" has {} connections, the scenario {}",
                                  result.name, result.connections.size(), connections),
                           "a configuration names all its connections");
        }
    }
    map.report_unknown_keys();
    return result;
}

std::vector<PortName> read_configurable(Reporter& reporter, MapReader& map) {
    std::vector<PortName> inputs;
    const Entry* entry = map.find("configurable-inputs");
    if (!entry) return inputs;
    const std::string path = map.path_of("configurable-inputs");
    for (const Node& item : items_of(reporter, path, entry->value)) {
        const auto text = read_as<std::string>(reporter, "an item of " + path, item);
        if (!text) continue;
        if (auto input = split_port_name(*text)) {
            inputs.push_back(std::move(*input));
        } else {
            reporter.error(item.mark, format("\"{}\" is not an input", *text), "write unit.input");
        }
    }
    return inputs;
}

/// By unit: its place, and the names it has declared.
struct Declared {
    std::size_t unit = 0;
    std::unordered_set<std::string> ports;
};

} // namespace

ConfUnits read_conf_units(Reporter& reporter, const std::string& path, const Node& node) {
    ConfUnits result;
    for (const Entry* entry : entries_of(reporter, path, node)) {
        read_unit(reporter, path + "." + entry->key, *entry, result);
    }
    if (result.units.empty()) reporter.error(node.mark, "the scenario has no units");
    return result;
}

std::vector<ConfigurationSettings> read_conf_configurations(Reporter& reporter, const Entry& entry,
                                                            std::size_t connections) {
    MapReader map(reporter, "scenario.configuration", entry.value);
    const std::vector<PortName> configurable = read_configurable(reporter, map);
    const Entry* list = map.find("configurations");
    map.report_unknown_keys();
    std::vector<ConfigurationSettings> result;
    if (configurable.empty() || !list) return result; // then they do not count
    const std::string path = map.path_of("configurations");
    for (const Entry* item : entries_of(reporter, path, list->value)) {
        result.push_back(
            read_configuration(reporter, path + "." + item->key, *item, configurable, connections));
    }
    return result;
}

void declare_connected_ports(Scenario& scenario) {
    std::unordered_map<std::string, Declared> declared;
    for (std::size_t u = 0; u < scenario.units.size(); ++u) {
        Declared& unit = declared[scenario.units[u].name];
        unit.unit = u;
        for (const InputSettings& input : scenario.units[u].inputs) unit.ports.insert(input.name);
        for (const OutputSettings& output : scenario.units[u].outputs)
            unit.ports.insert(output.name);
    }
    const auto declare = [&](const std::vector<Connection>& connections) {
        for (const Connection& connection : connections) {
            const auto from = declared.find(connection.from_unit);
            if (from != declared.end() && from->second.ports.insert(connection.from_port).second) {
                scenario.units[from->second.unit].outputs.push_back({.name = connection.from_port,
                                                                     .feedthrough = Names{},
                                                                     .feedthrough_initial = Names{},
                                                                     .where = connection.where});
            }
            const auto to = declared.find(connection.to_unit);
            if (to != declared.end() && to->second.ports.insert(connection.to_port).second) {
                scenario.units[to->second.unit].inputs.push_back(
                    {connection.to_port, {}, {}, Reactivity::delayed, connection.where});
            }
        }
    };
    declare(scenario.connections);
    for (const ConfigurationSettings& configuration : scenario.configurations)
        declare(configuration.connections);
}

} // namespace rubato::scenario::formats
