// SPDX-License-Identifier: Apache-2.0
#include "description.hpp"

#include "clocks.hpp"
#include "description/elements.hpp"
#include "description/model_structure.hpp"
#include "description/variables.hpp"
#include "fmu/input_derivatives.hpp"
#include "rules/structure.hpp"
#include "rules/variables.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>
#include <array>
#include <sstream>
#include <unordered_map>

namespace rubato::unit {

using scenario::Variable;

namespace {

constexpr std::array<std::pair<std::string_view, ValueType>, 15> types = {{
    {"Float64", ValueType::float64},
    {"Float32", ValueType::float32},
    {"Int8", ValueType::int8},
    {"UInt8", ValueType::uint8},
    {"Int16", ValueType::int16},
    {"UInt16", ValueType::uint16},
    {"Int32", ValueType::int32},
    {"UInt32", ValueType::uint32},
    {"Int64", ValueType::int64},
    {"UInt64", ValueType::uint64},
    {"Enumeration", ValueType::enumeration},
    {"Boolean", ValueType::boolean},
    {"String", ValueType::string},
    {"Binary", ValueType::binary},
    {"Clock", ValueType::clock},
}};

/// What both interfaces say in the same words.
InterfaceDescription read_interface(const XmlReader& reader, pugi::xml_node node) {
    InterfaceDescription result;
    result.model_identifier = read_model_identifier(reader, node);
    scenario::Capabilities& can = result.capabilities;
    can.snapshots = reader.flag(node, "canGetAndSetFMUState");
    can.serialization = reader.flag(node, "canSerializeFMUState");
    can.directional_derivatives = reader.flag(node, "providesDirectionalDerivatives");
    can.one_instance_per_process = reader.flag(node, "canBeInstantiatedOnlyOncePerProcess");
    can.needs_execution_tool = reader.flag(node, "needsExecutionTool");
    return result;
}

void read_interfaces(const XmlReader& reader, pugi::xml_node root, ModelDescription& result) {
    if (const auto node = root.child("CoSimulation")) {
        result.co_simulation = read_interface(reader, node);
        scenario::Capabilities& can = result.co_simulation->capabilities;
        can.variable_step = reader.flag(node, "canHandleVariableCommunicationStepSize");
        can.may_return_early = reader.flag(node, "mightReturnEarlyFromDoStep");
        can.output_derivatives = reader.count(node, "maxOutputDerivativeOrder");
        can.event_mode = reader.flag(node, "hasEventMode");
        can.may_reject_step =
            can.snapshots && can.variable_step && (can.may_return_early || can.event_mode);
        can.intermediate_outputs = reader.flag(node, "providesIntermediateUpdate");
    }
    if (const auto node = root.child("ModelExchange")) {
        result.model_exchange = read_interface(reader, node);
        result.continuous.needs_completed_step = reader.flag(node, "needsCompletedIntegratorStep");
    }
}

/// Strings and binaries have their start values in elements, the others in an attribute.
std::vector<std::string> start_texts(pugi::xml_node node, ValueType type) {
    std::vector<std::string> texts;
    if (storage_of(type) == Storage::string) {
        for (const auto start : node.children("Start"))
            texts.emplace_back(start.attribute("value").value());
        return texts;
    }
    std::istringstream words(node.attribute("start").value());
    for (std::string word; words >> word;) texts.push_back(std::move(word));
    return texts;
}

void read_start_value(const XmlReader& reader, pugi::xml_node node, Variable& variable) {
    if (node.child("Dimension")) return;
    if (storage_of(variable.type) == Storage::string) {
        const auto start = node.child("Start").attribute("value");
        if (start) read_start(reader, node, start.value(), variable);
    } else if (const auto start = node.attribute("start")) {
        read_start(reader, node, start.value(), variable);
    }
}

/// As many as there are elements, or one for all; any other number says nothing (rule start-count).
void read_start_elements(const XmlReader& reader, pugi::xml_node node, Variable& variable) {
    std::vector<Value>& elements = variable.start_elements;
    for (const std::string& text : start_texts(node, variable.type)) {
        read_start(reader, node, text, variable);
        if (variable.start) elements.push_back(*variable.start);
    }
    variable.start.reset();
    if (elements.size() > 1 && elements.size() != variable.element_count()) elements.clear();
}

Variable read_variable(const XmlReader& reader, pugi::xml_node node, ValueType type,
                       const Definitions& definitions) {
    Variable variable;
    variable.type = type;
    read_common_attributes(reader, node, variable);
    read_quantity(reader, node, definitions, variable);
    read_start_value(reader, node, variable);
    if (type == ValueType::clock) variable.clock = read_clock(reader, node, definitions);
    variable.intermediate = reader.flag(node, "intermediateUpdate");
    return variable;
}

/// A dimension is a number, or that which a structural parameter starts with.
scenario::Dimension read_dimension(const XmlReader& reader, pugi::xml_node node,
                                   const std::vector<Variable>& variables,
                                   const IndexByReference& index_of) {
    if (const auto fixed = reader.find_index(node, "start")) return {*fixed, std::nullopt};
    const auto reference = reader.find_index(node, "valueReference");
    const auto found = reference ? index_of.find(*reference) : index_of.end();
    const Value* size = nullptr;
    if (found != index_of.end() && variables[found->second].start) {
        size = &*variables[found->second].start;
    }
    if (size != nullptr && std::holds_alternative<std::int64_t>(*size)) {
        return {static_cast<std::uint64_t>(std::get<std::int64_t>(*size)), found->second};
    }
    reader.report(Rule::dimension, node,
                  "<Dimension> has neither a start nor the valueReference of a structural "
                  "parameter with a start value");
    return {};
}

/// What points to other variables, which may come later.
void read_references(const XmlReader& reader, pugi::xml_node node, const IndexByReference& index_of,
                     std::vector<Variable>& variables, Variable& variable) {
    for (const auto dimension : node.children("Dimension")) {
        variable.dimensions.push_back(read_dimension(reader, dimension, variables, index_of));
    }
    if (variable.is_array()) read_start_elements(reader, node, variable);
    variable.clocks = read_clocks_of(reader, node, index_of, variables);
    const auto derivative = reader.find_index(node, "derivative");
    if (!derivative) return;
    const auto found = index_of.find(*derivative);
    if (found != index_of.end()) {
        variable.derivative_of = found->second;
    } else {
        reader.report(Rule::derivative_index, node,
                      format("variable \"{}\" is declared the derivative of value reference {}, "
                             "but there is no such variable",
                             variable.name, *derivative));
    }
}

/// Other names of a variable become local variables: they can be looked at, not connected.
void add_aliases(const XmlReader& reader, const std::vector<VariableNode>& nodes,
                 VariableAdmission& admission, std::vector<Variable>& variables) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (const auto node : nodes[i].variable.children("Alias")) {
            if (!admission.admit_name(node)) continue;
            Variable alias = variables[i];
            alias.name = reader.text(node, "name");
            alias.description = reader.text(node, "description");
            alias.causality = scenario::Causality::local;
            variables.push_back(std::move(alias));
        }
    }
}

IndexByReference read_model_variables(const XmlReader& reader, pugi::xml_node root,
                                      std::vector<Variable>& variables) {
    const Definitions definitions = check_definitions(reader, root);
    VariableAdmission admission(reader);
    std::vector<VariableNode> nodes;
    IndexByReference index_of;
    for (const auto node : root.child("ModelVariables").children()) {
        const auto type = std::ranges::find(types, std::string_view(node.name()),
                                            &std::pair<std::string_view, ValueType>::first);
        if (!admission.admit(node, type == types.end() ? pugi::xml_node() : node)) continue;
        nodes.push_back({node, node});
        variables.push_back(read_variable(reader, node, type->second, definitions));
        const auto index = static_cast<std::uint32_t>(variables.size() - 1);
        if (!index_of.emplace(variables.back().reference, index).second) {
            reader.report(Rule::duplicate_value_reference, node,
                          format("variable \"{}\" has the value reference {} of another one",
                                 variables.back().name, variables.back().reference));
        }
    }
    for (std::size_t i = 0; i < nodes.size(); ++i)
        read_references(reader, nodes[i].variable, index_of, variables, variables[i]);
    check_variables(reader, FmiVersion::fmi3, root, definitions, nodes, variables);
    add_aliases(reader, nodes, admission, variables);
    return index_of;
}

void read_model_structure(const XmlReader& reader, pugi::xml_node root,
                          const IndexByReference& index_of, ModelDescription& result) {
    const auto resolve = [&](std::uint32_t reference) {
        const auto found = index_of.find(reference);
        return found == index_of.end() ? std::nullopt : std::optional<std::uint32_t>(found->second);
    };
    check_structure(reader, FmiVersion::fmi3, root, result.unit.variables, resolve);
    ModelStructureReader structure(reader, result.unit, "valueReference", resolve);
    const auto node = root.child("ModelStructure");
    for (const auto unknown : node.children("Output")) structure.read_step(unknown);
    for (const auto unknown : node.children("InitialUnknown")) structure.read_initial(unknown);
    if (!result.model_exchange) return;
    std::vector<pugi::xml_node> derivatives;
    for (const auto unknown : node.children("ContinuousStateDerivative"))
        derivatives.push_back(unknown);
    result.continuous.states = structure.read_states(derivatives);
    for ([[maybe_unused]] const auto indicator : node.children("EventIndicator"))
        ++result.continuous.event_indicators;
}

/// Inputs move within steps by inputs that carry their derivatives, or by being set there.
void settle_input_derivatives(const std::vector<Variable>& variables, scenario::Capabilities& can) {
    constexpr unsigned most_by_setting = 2;
    const unsigned carried = InputDerivativeMap(variables).max_order();
    can.input_derivatives = carried;
    if (!can.intermediate_outputs || inputs_set_within_steps(variables).empty()) return;
    can.input_derivatives = carried == 0 ? most_by_setting : std::min(carried, most_by_setting);
}

} // namespace

ModelDescription read_fmi3_description(const XmlReader& reader, pugi::xml_node root) {
    ModelDescription result;
    result.version = FmiVersion::fmi3;
    result.unit.model = reader.text(root, "modelName");
    result.unit.identifier = read_identifier(reader, root, "instantiationToken");
    result.unit.description = reader.text(root, "description");
    result.unit.generation_tool = reader.text(root, "generationTool");
    read_interfaces(reader, root, result);
    const auto index_of = read_model_variables(reader, root, result.unit.variables);
    read_model_structure(reader, root, index_of, result);
    const bool is_configurable =
        std::ranges::any_of(result.unit.variables, [](const Variable& variable) {
            return variable.causality == scenario::Causality::structural_parameter;
        });
    if (result.co_simulation) {
        result.co_simulation->capabilities.structural_parameters = is_configurable;
        settle_input_derivatives(result.unit.variables, result.co_simulation->capabilities);
    }
    if (result.model_exchange) {
        scenario::Capabilities& can = result.model_exchange->capabilities;
        can.structural_parameters = is_configurable;
        can.event_mode = std::ranges::any_of(result.unit.variables, [](const Variable& variable) {
            return variable.clock.has_value();
        });
    }
    read_measures(reader, root, result.unit.variables);
    result.unit.default_experiment = read_default_experiment(reader, root);
    return result;
}

} // namespace rubato::unit
