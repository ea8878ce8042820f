// SPDX-License-Identifier: Apache-2.0
#include "description.hpp"

#include "description/elements.hpp"
#include "description/variables.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace rubato::unit {

using scenario::Causality;
using scenario::Initial;
using scenario::Variability;
using scenario::Variable;

namespace {

constexpr std::array<std::pair<const char*, ValueType>, 5> types = {{
    {"Real", ValueType::float64},
    {"Integer", ValueType::int32},
    {"Boolean", ValueType::boolean},
    {"String", ValueType::string},
    {"Enumeration", ValueType::enumeration},
}};

/// As in FMI 2.0, the order of derivatives that inputs take is not declared.
constexpr unsigned highest_input_derivative = 2;

InterfaceDescription read_slave(const XmlReader& reader, pugi::xml_node root,
                                pugi::xml_node capabilities) {
    InterfaceDescription result;
    result.model_identifier = read_model_identifier(reader, root);
    scenario::Capabilities& can = result.capabilities;
    can.variable_step = reader.flag(capabilities, "canHandleVariableCommunicationStepSize");
    can.input_derivatives =
        reader.flag(capabilities, "canInterpolateInputs") ? highest_input_derivative : 0;
    can.output_derivatives = reader.count(capabilities, "maxOutputDerivativeOrder");
    can.one_instance_per_process = reader.flag(capabilities, "canBeInstantiatedOnlyOncePerProcess");
    return result;
}

/// An FMU is for co-simulation if it says how that is implemented, else for model exchange.
void read_interface(const XmlReader& reader, pugi::xml_node root, ModelDescription& result) {
    const auto implementation = root.child("Implementation");
    if (!implementation) {
        result.model_exchange.emplace().model_identifier = read_model_identifier(reader, root);
        result.continuous.unnamed_states = reader.count(root, "numberOfContinuousStates");
        result.continuous.event_indicators = reader.count(root, "numberOfEventIndicators");
    } else if (implementation.child("CoSimulation_Tool")) {
        reader.report(Rule::no_interface, implementation,
                      "the FMU is a link to a tool (<CoSimulation_Tool>), which is not supported",
                      "export it as stand-alone (<CoSimulation_StandAlone>)");
    } else {
        result.co_simulation = read_slave(
            reader, root, implementation.child("CoSimulation_StandAlone").child("Capabilities"));
    }
}

pugi::xml_node first_element(pugi::xml_node node) {
    return node.find_child([](pugi::xml_node child) { return child.type() == pugi::node_element; });
}

/// The items of an enumeration have no values: they are numbered from 1.
Definitions::Type number_items(const XmlReader& reader, pugi::xml_node node) {
    Definitions::Type type{node, {}, {}};
    std::vector<scenario::EnumerationItem> items;
    for (const auto item : node.children("Item")) {
        items.push_back({reader.text(item, "name"), static_cast<std::int64_t>(items.size()) + 1});
        type.items.insert(items.back().value);
    }
    if (!items.empty())
        type.names =
            std::make_shared<const std::vector<scenario::EnumerationItem>>(std::move(items));
    return type;
}

Definitions read_definitions(const XmlReader& reader, pugi::xml_node root) {
    Definitions result;
    for (const auto unit : root.child("UnitDefinitions").children("BaseUnit"))
        result.units.try_emplace(reader.text(unit, "unit"));
    for (const auto node : root.child("TypeDefinitions").children("Type")) {
        const std::string name = reader.text(node, "name");
        const auto type = first_element(node);
        if (!result.types.try_emplace(name, number_items(reader, type)).second)
            reader.report(Rule::duplicate_type, node, format("two types are named \"{}\"", name));
    }
    return result;
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

/// The word that an attribute has, one of those allowed; the first where it is absent or none.
std::string read_word(const XmlReader& reader, pugi::xml_node node, const char* attribute,
                      const std::vector<std::string>& words) {
    const std::string word = reader.text(node, attribute);
    if (word.empty()) return words.front();
    if (std::ranges::find(words, word) != words.end()) return word;
    reader.report(
        Rule::unknown_word, node,
        format("variable \"{}\" has {}=\"{}\"", node.attribute("name").value(), attribute, word),
        suggest(word, words, "its values"));
    return words.front();
}

Variability variability_of(std::string_view word, bool is_real) {
    if (word == "constant") return Variability::constant;
    if (word == "parameter") return Variability::fixed;
    return word == "discrete" || !is_real ? Variability::discrete : Variability::continuous;
}

Causality causality_of(std::string_view word, bool is_parameter, bool is_fixed) {
    if (is_parameter) return is_fixed ? Causality::parameter : Causality::calculated_parameter;
    if (word == "input") return Causality::input;
    return word == "output" ? Causality::output : Causality::local;
}

/// FMI 1.0 has four causalities and four variabilities, which mean the same as these of FMI 2.0.
/// A parameter is one by its variability, and is computed if it has no start value that is fixed.
void read_roles(const XmlReader& reader, pugi::xml_node node, pugi::xml_node type,
                Variable& variable) {
    const std::string causality =
        read_word(reader, node, "causality", {"internal", "input", "output", "none"});
    const std::string variability =
        read_word(reader, node, "variability", {"continuous", "constant", "parameter", "discrete"});
    const bool has_start = type.attribute("start");
    const bool is_fixed = has_start && (!type.attribute("fixed") || reader.flag(type, "fixed"));
    const bool is_real = storage_of(variable.type) == Storage::real;
    const bool is_parameter = variability == "parameter" && causality != "output";

    variable.variability = variability_of(variability, is_real);
    variable.causality = causality_of(causality, is_parameter, is_fixed);
    if (variable.causality != Causality::input)
        variable.initial = is_fixed    ? Initial::exact
                           : has_start ? Initial::approx
                                       : Initial::calculated;
}

Variable read_scalar_variable(const XmlReader& reader, pugi::xml_node node, pugi::xml_node type,
                              ValueType value_type, const Definitions& definitions) {
    Variable variable;
    variable.type = value_type;
    variable.name = reader.text(node, "name");
    variable.description = reader.text(node, "description");
    variable.reference = reader.find_index(node, "valueReference").value_or(0);
    read_roles(reader, node, type, variable);
    read_quantity(reader, type, definitions, variable);
    if (const auto start = type.attribute("start"))
        read_start(reader, type, start.value(), variable);
    return variable;
}

/// Hands out value references that no variable has.
class FreeReferences {
public:
    explicit FreeReferences(const std::vector<Variable>& variables) {
        for (const Variable& variable : variables) used_.insert(variable.reference);
    }
    /// In descending order.
    ValueRef take() {
        do --last_;
        while (used_.contains(last_));
        return last_;
    }

private:
    std::set<ValueRef> used_;
    ValueRef last_ = std::numeric_limits<ValueRef>::max(); ///< which FMI 1.0 calls undefined
};

using VariableNodes = std::vector<pugi::xml_node>;

VariableNodes read_model_variables(const XmlReader& reader, pugi::xml_node root,
                                   std::vector<Variable>& variables) {
    const Definitions definitions = read_definitions(reader, root);
    VariableAdmission admission(reader);
    VariableNodes nodes;
    for (const auto node : root.child("ModelVariables").children("ScalarVariable")) {
        ValueType type{};
        const auto type_element = find_type_element(node, type);
        if (!admission.admit(node, type_element)) continue;
        nodes.push_back(node);
        variables.push_back(read_scalar_variable(reader, node, type_element, type, definitions));
    }
    return nodes;
}

NegatedAliases read_aliases(const XmlReader& reader, const VariableNodes& nodes,
                            std::vector<Variable>& variables) {
    NegatedAliases negated;
    FreeReferences references(variables);
    for (std::size_t i = 0; i < variables.size(); ++i) {
        const std::string alias =
            read_word(reader, nodes[i], "alias", {"noAlias", "alias", "negatedAlias"});
        if (alias != "negatedAlias" || variables[i].type == ValueType::string) continue;
        const ValueRef own = references.take();
        negated.add(own, std::exchange(variables[i].reference, own));
    }
    return negated;
}

/// Among structured names der(x) is the derivative of x.
void read_derivatives(std::vector<Variable>& variables) {
    constexpr std::string_view prefix = "der(", suffix = ")";
    std::map<std::string_view, std::uint32_t> indices;
    for (std::uint32_t i = 0; i < variables.size(); ++i) indices[variables[i].name] = i;
    for (Variable& variable : variables) {
        std::string_view name = variable.name;
        if (!name.starts_with(prefix) || !name.ends_with(suffix)) continue;
        name = name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
        const auto found = indices.find(name);
        if (found != indices.end()) variable.derivative_of = found->second;
    }
}

/// An output depends on the inputs that it lists, or on all if it lists none. That is said of all
/// times, the initial one included.
void read_dependencies(const VariableNodes& nodes, scenario::UnitDescription& unit) {
    std::map<std::string_view, std::uint32_t> inputs;
    for (std::uint32_t i = 0; i < unit.variables.size(); ++i)
        if (unit.variables[i].causality == Causality::input) inputs[unit.variables[i].name] = i;
    for (std::uint32_t i = 0; i < unit.variables.size(); ++i) {
        if (unit.variables[i].causality != Causality::output) continue;
        scenario::Dependencies dependencies{i, std::nullopt, std::nullopt};
        if (const auto direct = nodes[i].child("DirectDependency")) {
            auto& step = dependencies.step.emplace();
            for (const auto name : direct.children("Name")) {
                const auto input = inputs.find(std::string_view(name.child_value()));
                if (input != inputs.end()) step.push_back(input->second);
            }
            dependencies.initial = step;
        }
        unit.dependencies.push_back(std::move(dependencies));
    }
}

} // namespace

ModelDescription read_fmi1_description(const XmlReader& reader, pugi::xml_node root) {
    ModelDescription result;
    result.version = FmiVersion::fmi1;
    result.unit.model = reader.text(root, "modelName");
    result.unit.identifier = read_identifier(reader, root, "guid");
    result.unit.description = reader.text(root, "description");
    result.unit.generation_tool = reader.text(root, "generationTool");
    read_interface(reader, root, result);
    const VariableNodes nodes = read_model_variables(reader, root, result.unit.variables);
    result.negated = read_aliases(reader, nodes, result.unit.variables);
    if (reader.text(root, "variableNamingConvention") == "structured")
        read_derivatives(result.unit.variables);
    read_dependencies(nodes, result.unit);
    read_measures(reader, root, result.unit.variables);
    result.unit.default_experiment = read_default_experiment(reader, root);
    return result;
}

} // namespace rubato::unit
