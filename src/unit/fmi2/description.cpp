// SPDX-License-Identifier: Apache-2.0
#include "description.hpp"

#include "../elements.hpp"
#include "../model_structure.hpp"
#include "../variables.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>
#include <array>

namespace rubato::unit {

using scenario::Variable;

namespace {

constexpr std::array<std::pair<const char*, ValueType>, 5> types = {{
    {"Real", ValueType::float64},
    {"Integer", ValueType::int32},
    {"Boolean", ValueType::boolean},
    {"String", ValueType::string},
    {"Enumeration", ValueType::enumeration},
}};

/// FMI 2.0 tells that inputs may have derivatives, not of which order. This is the highest that an
/// approximation of inputs has (quadratic); an FMU that takes less says so when it is set.
constexpr unsigned highest_input_derivative = 2;

/// What both interfaces say in the same words.
InterfaceDescription read_interface(const XmlReader& reader, pugi::xml_node node) {
    InterfaceDescription result;
    result.model_identifier = read_model_identifier(reader, node);
    scenario::Capabilities& can = result.capabilities;
    can.snapshots = reader.flag(node, "canGetAndSetFMUstate");
    can.serialization = reader.flag(node, "canSerializeFMUstate");
    can.directional_derivatives = reader.flag(node, "providesDirectionalDerivative");
    can.one_instance_per_process = reader.flag(node, "canBeInstantiatedOnlyOncePerProcess");
    can.needs_execution_tool = reader.flag(node, "needsExecutionTool");
    return result;
}

void read_interfaces(const XmlReader& reader, pugi::xml_node root, ModelDescription& result) {
    if (const auto node = root.child("CoSimulation")) {
        result.co_simulation = read_interface(reader, node);
        scenario::Capabilities& can = result.co_simulation->capabilities;
        can.variable_step = reader.flag(node, "canHandleVariableCommunicationStepSize");
        can.input_derivatives =
            reader.flag(node, "canInterpolateInputs") ? highest_input_derivative : 0;
        can.output_derivatives = reader.count(node, "maxOutputDerivativeOrder");
        can.may_reject_step = can.snapshots && can.variable_step;
    }
    if (const auto node = root.child("ModelExchange")) {
        result.model_exchange = read_interface(reader, node);
        result.continuous.event_indicators = reader.count(root, "numberOfEventIndicators");
        result.continuous.needs_completed_step =
            !reader.flag(node, "completedIntegratorStepNotNeeded");
    }
}

pugi::xml_node find_type_element(pugi::xml_node node, ValueType& type) {
    for (const auto& [name, value_type] : types) {
        if (const auto element = node.child(name)) {
            type = value_type;
            return element;
        }
    }
    return {};
}

DeclaredTypes read_type_definitions(const XmlReader& reader, pugi::xml_node root) {
    DeclaredTypes declared;
    ValueType type{};
    for (const auto node : root.child("TypeDefinitions").children("SimpleType"))
        declared[reader.required(node, "name")] = find_type_element(node, type);
    return declared;
}

Variable read_scalar_variable(const XmlReader& reader, pugi::xml_node node,
                              const DeclaredTypes& declared) {
    Variable variable;
    const auto element = find_type_element(node, variable.type);
    if (!element) {
        reader.error(node, format("variable \"{}\" has no type; one of <Real>, <Integer>, "
                                  "<Boolean>, <String> and <Enumeration> is needed",
                                  node.attribute("name").value()));
    }
    read_common_attributes(reader, node, variable);
    read_quantity(reader, element, declared, variable);
    if (const auto start = element.attribute("start")) {
        read_start(reader, element, start.value(), variable);
    }
    return variable;
}

/// `derivative` counts from 1 and may point to a variable that comes later.
void read_derivatives(const XmlReader& reader, const std::vector<pugi::xml_node>& nodes,
                      std::vector<Variable>& variables) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const auto index = reader.find_index(nodes[i].child("Real"), "derivative");
        if (!index) continue;
        if (*index >= 1 && *index <= variables.size()) {
            variables[i].derivative_of = *index - 1;
        } else {
            reader.error(nodes[i],
                         format("variable \"{}\" is declared the derivative of variable {}, but "
                                "there is no such variable",
                                variables[i].name, *index));
        }
    }
}

void read_model_variables(const XmlReader& reader, pugi::xml_node root,
                          std::vector<Variable>& variables) {
    const DeclaredTypes declared = read_type_definitions(reader, root);
    std::vector<pugi::xml_node> nodes;
    for (const auto node : root.child("ModelVariables").children("ScalarVariable")) {
        nodes.push_back(node);
        variables.push_back(read_scalar_variable(reader, node, declared));
    }
    check_names(reader, nodes, variables);
    read_derivatives(reader, nodes, variables);
}

void read_model_structure(const XmlReader& reader, pugi::xml_node root, ModelDescription& result) {
    const auto resolve = [count = result.unit.variables.size()](std::uint32_t index) {
        return index >= 1 && index <= count ? std::optional<std::uint32_t>(index - 1)
                                            : std::nullopt;
    };
    ModelStructureReader structure(reader, result.unit, "index", resolve);
    const auto node = root.child("ModelStructure");
    for (const auto unknown : node.child("Outputs").children("Unknown"))
        structure.read_step(unknown);
    for (const auto unknown : node.child("InitialUnknowns").children("Unknown"))
        structure.read_initial(unknown);
    if (!result.model_exchange) return;
    std::vector<pugi::xml_node> derivatives;
    for (const auto unknown : node.child("Derivatives").children("Unknown"))
        derivatives.push_back(unknown);
    result.continuous.states = structure.read_states(derivatives);
}

} // namespace

ModelDescription read_fmi2_description(const XmlReader& reader, pugi::xml_node root) {
    ModelDescription result;
    result.version = FmiVersion::fmi2;
    result.unit.model = reader.required(root, "modelName");
    result.unit.identifier = reader.required(root, "guid");
    result.unit.description = reader.text(root, "description");
    result.unit.generation_tool = reader.text(root, "generationTool");
    read_interfaces(reader, root, result);
    read_model_variables(reader, root, result.unit.variables);
    read_model_structure(reader, root, result);
    read_measures(reader, root, result.unit.variables);
    result.unit.default_experiment = read_default_experiment(reader, root);
    return result;
}

} // namespace rubato::unit
