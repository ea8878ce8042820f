// SPDX-License-Identifier: Apache-2.0
#include "description.hpp"

#include "description/elements.hpp"
#include "description/model_structure.hpp"
#include "description/variables.hpp"
#include "rules/structure.hpp"
#include "rules/variables.hpp"

#include <rubato/private/format.hpp>

#include <array>
#include <optional>

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

/// FMI 2.0 declares that inputs may have derivatives, not of which order. This is the highest that
/// an approximation of inputs has (quadratic); an FMU that takes less says so when it is set.
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

Variable read_scalar_variable(const XmlReader& reader, const VariableNode& node, ValueType type,
                              const Definitions& definitions) {
    Variable variable;
    variable.type = type;
    read_common_attributes(reader, node.variable, variable);
    read_quantity(reader, node.type, definitions, variable);
    if (const auto start = node.type.attribute("start")) {
        read_start(reader, node.type, start.value(), variable);
    }
    return variable;
}

/// The variables of a description, with where they stand in it.
struct VariableList {
    std::vector<VariableNode> nodes; ///< of the variables
    /// By their place in the description: where the variables went; nullopt: left out.
    std::vector<std::optional<std::uint32_t>> places;

    /// FMI 2.0 refers to variables by their place, counted from 1.
    std::optional<std::uint32_t> find(std::uint32_t index) const {
        return index >= 1 && index <= places.size() ? places[index - 1] : std::nullopt;
    }
};

/// A derivative may be that of a variable that comes later.
void read_derivatives(const XmlReader& reader, const VariableList& list,
                      std::vector<Variable>& variables) {
    for (std::size_t i = 0; i < variables.size(); ++i) {
        const auto index = reader.find_index(list.nodes[i].type, "derivative");
        if (!index) continue;
        variables[i].derivative_of = list.find(*index);
        if (!variables[i].derivative_of)
            reader.report(Rule::derivative_index, list.nodes[i].variable,
                          format("variable \"{}\" is declared the derivative of variable {}, but "
                                 "there is no such variable",
                                 variables[i].name, *index));
    }
}

VariableList read_model_variables(const XmlReader& reader, pugi::xml_node root,
                                  std::vector<Variable>& variables) {
    const Definitions definitions = check_definitions(reader, root);
    VariableAdmission admission(reader);
    VariableList list;
    for (const auto node : root.child("ModelVariables").children("ScalarVariable")) {
        ValueType type{};
        const auto type_element = find_type_element(node, type);
        const bool is_usable = admission.admit(node, type_element);
        list.places.push_back(
            is_usable ? std::optional(static_cast<std::uint32_t>(variables.size())) : std::nullopt);
        if (!is_usable) continue;
        list.nodes.push_back({node, type_element});
        variables.push_back(read_scalar_variable(reader, list.nodes.back(), type, definitions));
    }
    read_derivatives(reader, list, variables);
    check_variables(reader, FmiVersion::fmi2, root, definitions, list.nodes, variables);
    return list;
}

void read_model_structure(const XmlReader& reader, pugi::xml_node root, const VariableList& list,
                          ModelDescription& result) {
    const auto resolve = [&](std::uint32_t index) { return list.find(index); };
    check_structure(reader, FmiVersion::fmi2, root, result.unit.variables, resolve);
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
    result.unit.model = reader.text(root, "modelName");
    result.unit.identifier = read_identifier(reader, root, "guid");
    result.unit.description = reader.text(root, "description");
    result.unit.generation_tool = reader.text(root, "generationTool");
    read_interfaces(reader, root, result);
    const VariableList list = read_model_variables(reader, root, result.unit.variables);
    read_model_structure(reader, root, list, result);
    read_measures(reader, root, result.unit.variables);
    result.unit.default_experiment = read_default_experiment(reader, root);
    return result;
}

} // namespace rubato::unit
