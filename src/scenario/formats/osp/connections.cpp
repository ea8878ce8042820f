// SPDX-License-Identifier: Apache-2.0
#include "formats/osp/system.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <tuple>

namespace rubato::scenario::formats::osp {

namespace {

const Simulator* find_simulator(const System& system, pugi::xml_node node) {
    const std::string name = system.source.required(node, "simulator");
    const auto found = system.simulators.find(name);
    if (found != system.simulators.end()) return &found->second;
    std::vector<std::string> names;
    for (const auto& [known, simulator] : system.simulators) names.push_back(known);
    if (!name.empty())
        system.source.error(node, format("there is no simulator \"{}\"", name),
                            suggest(name, names, "the simulators"));
    return nullptr;
}

const Function* find_function(const System& system, pugi::xml_node node) {
    const std::string name = system.source.required(node, "function");
    const auto found = system.functions.find(name);
    if (found != system.functions.end()) return &found->second;
    if (!name.empty()) system.source.error(node, format("there is no function \"{}\"", name));
    return nullptr;
}

/// All variables below a group, in their order.
void gather(pugi::xml_node group, std::vector<std::string>& variables) {
    for (const pugi::xml_node child : group.children()) {
        if (child.type() != pugi::node_element) continue;
        if (local_name(child) == "Variable")
            variables.emplace_back(child.attribute("ref").value());
        else
            gather(child, variables);
    }
}

/// Groups may stand within others.
pugi::xml_node find_group(pugi::xml_node groups, const std::string& name) {
    return groups.find_node([&](pugi::xml_node node) {
        return node.type() == pugi::node_element && local_name(node) != "Variable" &&
               name == node.attribute("name").value();
    });
}

/// The variables of a group, which a file next to the FMU, or next to the system, lists.
std::vector<Terminal> variables_of_group(System& system, pugi::xml_node node) {
    const Simulator* const simulator = find_simulator(system, node);
    const std::string name = system.source.required(node, "name");
    if (!simulator || name.empty()) return {};
    const std::string model =
        simulator->description ? simulator->description->model : simulator->source.stem().string();
    const std::string file = model + "_OspModelDescription.xml";
    for (const auto& folder : {simulator->source.parent_path(), system.file.parent_path()}) {
        std::string text;
        try {
            text = system.files.read(folder / file);
        } catch (const InputError&) {
            continue;
        }
        const XmlSource source(system.files.label(folder / file), std::move(text),
                               system.diagnostics);
        const pugi::xml_node group = find_group(child_of(source.root(), "VariableGroups"), name);
        if (!group) {
            system.source.error(node, format("{} has no variable group \"{}\"",
                                             system.files.label(folder / file), name));
            return {};
        }
        std::vector<std::string> names;
        gather(group, names);
        std::vector<Terminal> terminals;
        for (const std::string& each : names)
            terminals.push_back({system.source.text(node, "simulator"), each, false});
        return terminals;
    }
    system.source.error(node,
                        format("variable group \"{}\" is not known: there is no {}", name, file),
                        "it lies next to the FMU or next to the system");
    return {};
}

/// The signals of a function's group: `in[1]`, `out`.
std::vector<Terminal> signals_of_group(System& system, pugi::xml_node node) {
    const Function* const function = find_function(system, node);
    if (!function) return {};
    const std::string name = system.source.required(node, "name");
    std::vector<Terminal> terminals;
    for (int i = 0; i < std::max(function->dimension, 1); ++i)
        terminals.push_back(
            {function->name, function->dimension > 0 ? format("{}[{}]", name, i) : name, true});
    return terminals;
}

/// What one end of a connection stands for.
std::vector<Terminal> terminals_of(System& system, pugi::xml_node node) {
    const std::string_view kind = local_name(node);
    if (kind == "Variable") {
        const std::string name = system.source.required(node, "name");
        if (!find_simulator(system, node) || name.empty()) return {};
        return {{system.source.text(node, "simulator"), name, false}};
    }
    if (kind == "Signal") {
        const Function* const function = find_function(system, node);
        const std::string name = system.source.required(node, "name");
        if (!function || name.empty()) return {};
        return {{function->name, name, true}};
    }
    if (kind == "VariableGroup") return variables_of_group(system, node);
    if (kind == "SignalGroup") return signals_of_group(system, node);
    system.source.error(node, format("<{}> is no end of a connection", node.name()));
    return {};
}

/// nullopt: nobody knows.
std::optional<bool> gives_values(const System& system, const Terminal& terminal) {
    if (terminal.is_signal) return terminal.name.starts_with("out");
    const Variable* const variable =
        find_variable(system.simulators.at(terminal.owner).description, terminal.name);
    if (!variable) return std::nullopt;
    return variable->causality == Causality::output ||
           variable->causality == Causality::calculated_parameter;
}

/// The first end says which way values go.
void add_wire(System& system, const Terminal& first, const Terminal& second,
              const Location& where) {
    auto is_source = gives_values(system, first);
    if (!is_source) {
        const auto other = gives_values(system, second);
        is_source = other ? !*other : true;
    }
    system.wires.push_back(*is_source ? Wire{first, second, where} : Wire{second, first, where});
}

/// OSP does not convert units of measure.
void keep_units(const System& system, const Terminal& from, const Terminal& to,
                Connection& connection) {
    if (from.is_signal || to.is_signal) return;
    const auto* const source =
        find_variable(system.simulators.at(from.owner).description, from.name);
    const auto* const target = find_variable(system.simulators.at(to.owner).description, to.name);
    if (!source || !target || source->unit == target->unit) return;
    if (source->unit.empty() || target->unit.empty()) return;
    connection.convert = false;
    system.diagnostics.warning(
        connection.where,
        format("{}.{} in \"{}\" goes to {}.{} in \"{}\" as it is: OSP does not "
               "convert units of measure",
               from.owner, from.name, source->unit, to.owner, to.name, target->unit));
}

} // namespace

void read_connections(System& system, pugi::xml_node list) {
    std::map<std::string, Connection> halves;
    for (const pugi::xml_node node : list.children()) {
        if (node.type() != pugi::node_element) continue;
        std::vector<pugi::xml_node> ends;
        for (const pugi::xml_node end : node.children())
            if (end.type() == pugi::node_element) ends.push_back(end);
        if (ends.size() != 2) {
            system.source.error(
                node, format("<{}> has {} ends instead of two", node.name(), ends.size()));
            continue;
        }
        const auto first = terminals_of(system, ends[0]), second = terminals_of(system, ends[1]);
        if (first.empty() || second.empty()) continue; // which has been reported
        if (first.size() != second.size()) {
            system.source.error(
                node,
                format("<{}> connects {} values with {}", node.name(), first.size(), second.size()),
                "groups are connected value by value");
            continue;
        }
        for (std::size_t i = 0; i < first.size(); ++i)
            add_wire(system, first[i], second[i], system.source.locate(node));
        const std::string bond = system.source.text(node, "powerBond");
        if (!bond.empty()) add_bond(system, bond, system.wires.back(), halves);
    }
}

namespace {

/// "in[2][1]" of a vector sum is input 2 of its sum 1.
std::optional<std::pair<int, int>> indices_of(const Function& function, std::string_view signal) {
    const auto index = [&]() -> std::optional<int> {
        if (!signal.starts_with('[')) return std::nullopt;
        const auto end = signal.find(']');
        if (end == std::string_view::npos) return std::nullopt;
        const auto number = files::parse_number<std::uint32_t>(signal.substr(1, end - 1));
        signal.remove_prefix(end + 1);
        return number && *number < 100'000 ? std::optional(static_cast<int>(*number))
                                           : std::nullopt;
    };
    const bool is_input = signal.starts_with("in");
    signal.remove_prefix(std::min<std::size_t>(is_input ? 2 : 3, signal.size()));
    int input = 0, element = 0;
    if (is_input && function.kind == Function::Kind::sum) {
        const auto number = index();
        if (!number || *number >= function.inputs) return std::nullopt;
        input = *number;
    }
    if (function.dimension > 0) {
        const auto number = index();
        if (!number || *number >= function.dimension) return std::nullopt;
        element = *number;
    }
    if (!signal.empty()) return std::nullopt;
    return std::pair(input, element);
}

/// Makes connections of wires through functions.
class Connector {
public:
    explicit Connector(System& system) : system_(system) {}

    void connect() {
        for (const auto& [name, function] : system_.functions)
            if (function.kind == Function::Kind::sum) add_sums(function);
        for (const Wire& wire : system_.wires)
            if (wire.to.is_signal) add_input(wire);
        for (const Wire& wire : system_.wires)
            if (!wire.to.is_signal) add_output(wire);
        for (const auto& [name, function] : system_.functions) check_inputs(function);
    }

private:
    /// A sum is the native model "gain", with a row of ones.
    void add_sums(const Function& function) {
        for (int i = 0; i < std::max(function.dimension, 1); ++i) {
            Unit unit;
            unit.name = sum_name(function, i);
            unit.where = function.where;
            unit.origin = NativeModel{"gain"};
            Assignment row{"A", {}, function.where, {}, {}};
            row.elements.assign(static_cast<std::size_t>(function.inputs), Value(1.0));
            row.shape = {1, static_cast<std::uint64_t>(function.inputs)};
            unit.parameters = {{"m", Value(std::int64_t{1}), function.where, {}, {}},
                               {"n", Value(std::int64_t{function.inputs}), function.where, {}, {}},
                               std::move(row)};
            system_.scenario.units.push_back(std::move(unit));
        }
    }

    static std::string sum_name(const Function& function, int element) {
        const std::string name = plain_name(function.name);
        return function.dimension > 0 ? format("{}-{}", name, element) : name;
    }

    std::optional<std::pair<int, int>> find_indices(const Terminal& signal, const Location& where) {
        const Function& function = system_.functions.at(signal.owner);
        const auto indices = indices_of(function, signal.name);
        if (!indices)
            system_.diagnostics.error(
                where, format("function \"{}\" has no signal \"{}\"", function.name, signal.name));
        return indices;
    }

    void add_input(const Wire& wire) {
        const Function& function = system_.functions.at(wire.to.owner);
        const auto indices = find_indices(wire.to, wire.where);
        if (!indices) return;
        if (wire.from.is_signal) {
            system_.diagnostics.error(wire.where, "a function cannot feed another one");
            return;
        }
        const auto key = std::tuple(function.name, indices->first, indices->second);
        if (!sources_.emplace(key, wire.from).second) {
            system_.diagnostics.error(
                wire.where,
                format("\"{}\" of function \"{}\" has two sources", wire.to.name, function.name));
            return;
        }
        if (function.kind != Function::Kind::sum) return;
        Connection connection;
        std::tie(connection.from_unit, connection.from_port) =
            std::tuple(unit_of(wire.from), wire.from.name);
        connection.to_unit = sum_name(function, indices->second);
        connection.to_port = format("u[{}]", indices->first + 1);
        connection.where = wire.where;
        system_.scenario.connections.push_back(std::move(connection));
    }

    void add_output(const Wire& wire) {
        Connection connection;
        connection.where = wire.where;
        connection.to_unit = unit_of(wire.to);
        connection.to_port = wire.to.name;
        if (!wire.from.is_signal) {
            connection.from_unit = unit_of(wire.from);
            connection.from_port = wire.from.name;
            keep_units(system_, wire.from, wire.to, connection);
        } else {
            const Function& function = system_.functions.at(wire.from.owner);
            const auto indices = find_indices(wire.from, wire.where);
            if (!indices || !add_function(function, indices->second, connection)) return;
        }
        system_.scenario.connections.push_back(std::move(connection));
    }

    /// False: it has no source, which is reported elsewhere.
    bool add_function(const Function& function, int element, Connection& connection) {
        if (function.kind == Function::Kind::sum) {
            connection.from_unit = sum_name(function, element);
            connection.from_port = "y[1]";
            return true;
        }
        const auto source = sources_.find(std::tuple(function.name, 0, 0));
        if (source == sources_.end()) return false;
        connection.from_unit = unit_of(source->second);
        connection.from_port = source->second.name;
        connection.factor = function.factor;
        connection.offset = function.offset;
        connection.convert = false;
        return true;
    }

    void check_inputs(const Function& function) {
        for (int input = 0; input < function.inputs; ++input)
            for (int element = 0; element < std::max(function.dimension, 1); ++element)
                if (!sources_.contains(std::tuple(function.name, input, element)))
                    system_.diagnostics.error(function.where,
                                              format("input {} of function \"{}\" is not connected",
                                                     input, function.name));
    }

    std::string unit_of(const Terminal& terminal) const {
        return system_.scenario.units[system_.simulators.at(terminal.owner).unit].name;
    }

    System& system_;
    std::map<std::tuple<std::string, int, int>, Terminal> sources_; ///< of inputs of functions
};

} // namespace

void connect(System& system) {
    if (!system.diagnostics.has_errors()) Connector(system).connect();
}

} // namespace rubato::scenario::formats::osp
