// SPDX-License-Identifier: Apache-2.0
#include "variables.hpp"

#include "names.hpp"
#include "starts.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>
#include <map>

namespace rubato::unit {

using scenario::Causality;
using scenario::Initial;
using scenario::Variability;
using scenario::Variable;

namespace {

bool is_real(const Variable& variable) { return storage_of(variable.type) == Storage::real; }

bool is_continuous_real(const Variable& variable) {
    return is_real(variable) && variable.variability == Variability::continuous;
}

void check_name(const XmlReader& reader, pugi::xml_node node, const Definitions& definitions,
                const Variable& variable) {
    if (variable.name.find_first_of("\t\r\n") != std::string::npos)
        reader.report(Rule::flat_name, node,
                      format("the name \"{}\" holds a tab or a line end", variable.name));
    if (definitions.structured_names && !is_structured_name(variable.name))
        reader.report(Rule::structured_name, node,
                      format("\"{}\" is not a structured name", variable.name),
                      "it would be one in apostrophes, or with variableNamingConvention=\"flat\"");
}

/// FMI 2.0.4, section 2.2.7, table of the allowed combinations; FMI 3.0 has the same.
bool go_together(Causality causality, Variability variability) {
    const bool is_data = variability == Variability::fixed || variability == Variability::tunable;
    switch (causality) {
    case Causality::parameter:
    case Causality::structural_parameter:
    case Causality::calculated_parameter: return is_data;
    case Causality::input:
        return variability == Variability::discrete || variability == Variability::continuous;
    case Causality::output: return !is_data;
    case Causality::local: return true;
    case Causality::independent: return variability == Variability::continuous;
    }
    return true;
}

/// In FMI 2.0 a variable that does not declare its variability is continuous, whatever it is else;
/// Rubato and FMI 3.0 go by causality and type.
void check_variability(const XmlReader& reader, FmiVersion version, pugi::xml_node node,
                       const Variable& variable) {
    const bool is_told = node.attribute("variability");
    const bool is_continuous =
        is_told || version == FmiVersion::fmi3
            ? std::string_view(node.attribute("variability").value()) == "continuous"
            : true;
    const bool is_parameter = !go_together(variable.causality, Variability::continuous);
    if (is_continuous && !is_real(variable)) {
        reader.report(Rule::wrong_variability, node,
                      format("variable \"{}\" of type {} {}", variable.name,
                             to_string(variable.type),
                             is_told ? "has variability=\"continuous\""
                                     : "declares no variability, so it would be continuous"));
    } else if (is_continuous && !is_told && is_parameter) {
        reader.report(Rule::causality_variability, node,
                      format("{} \"{}\" declares no variability, so it would be continuous",
                             to_string(variable.causality), variable.name));
    } else if (!go_together(variable.causality, variable.variability)) {
        reader.report(Rule::causality_variability, node,
                      format("{} \"{}\" has variability=\"{}\"", to_string(variable.causality),
                             variable.name, to_string(variable.variability)));
    }
}

bool allows(FmiVersion version, const Variable& variable, Initial initial) {
    if (variable.causality == Causality::independent) return false;
    if (variable.causality == Causality::input)
        return version == FmiVersion::fmi3 && initial == Initial::exact;
    if (variable.variability == Variability::constant ||
        variable.causality == Causality::parameter ||
        variable.causality == Causality::structural_parameter)
        return initial == Initial::exact;
    const bool is_data =
        variable.variability == Variability::fixed || variable.variability == Variability::tunable;
    return !is_data || initial != Initial::exact;
}

void check_initial(const XmlReader& reader, FmiVersion version, pugi::xml_node node,
                   const Variable& variable) {
    if (!node.attribute("initial") || allows(version, variable, variable.initial)) return;
    reader.report(Rule::wrong_initial, node,
                  format("{} {} \"{}\" has initial=\"{}\"", to_string(variable.variability),
                         to_string(variable.causality), variable.name,
                         node.attribute("initial").value()));
}

void check_type(const XmlReader& reader, FmiVersion version, const VariableNode& node,
                const Definitions& definitions, const Variable& variable) {
    const std::string declared = reader.text(node.type, "declaredType");
    if (declared.empty()) return;
    const auto type = definitions.types.find(declared);
    if (type == definitions.types.end()) {
        reader.report(Rule::undefined_type, node.variable,
                      format("variable \"{}\" has declaredType=\"{}\", which is not defined",
                             variable.name, declared));
        return;
    }
    const std::string wanted =
        std::string(node.type.name()) + (version == FmiVersion::fmi3 ? "Type" : "");
    if (type->second.node.name() != wanted)
        reader.report(Rule::type_mismatch, node.variable,
                      format("variable \"{}\" is a {} and its type \"{}\" a {}", variable.name,
                             node.type.name(), declared, type->second.node.name()));
}

/// FMI 2.0 has importers ignore a display unit that its unit does not know; FMI 3.0 forbids it.
void check_unit(const XmlReader& reader, FmiVersion version, const VariableNode& node,
                const Definitions& definitions, const Variable& variable) {
    const std::string unit = reader.text(definitions.having("unit", node.type), "unit");
    const auto defined = definitions.units.find(unit);
    const bool is_own = node.type.attribute("unit");
    if (is_own && !unit.empty() && defined == definitions.units.end())
        reader.report(
            Rule::undefined_unit, node.variable,
            format("variable \"{}\" has unit=\"{}\", which is not defined", variable.name, unit));
    const std::string display = reader.text(node.type, "displayUnit");
    if (display.empty() || display == unit) return;
    const bool is_known = defined != definitions.units.end() &&
                          (version == FmiVersion::fmi2 || defined->second.contains(display));
    if (!is_known)
        reader.report(Rule::undefined_display_unit, node.variable,
                      format("variable \"{}\" has displayUnit=\"{}\", which is not defined for its "
                             "unit",
                             variable.name, display));
}

void check_derivative(const XmlReader& reader, pugi::xml_node node, const Variable& variable,
                      std::span<const Variable> variables) {
    if (!variable.derivative_of) return;
    const Variable& state = variables[*variable.derivative_of];
    if (&state != &variable && is_continuous_real(variable) && is_continuous_real(state)) return;
    reader.report(Rule::derivative_type, node,
                  format("variable \"{}\" is declared the derivative of \"{}\"; both must be "
                         "continuous reals, and not the same",
                         variable.name, state.name));
}

void check_multiple_set(const XmlReader& reader, pugi::xml_node node, const Variable& variable) {
    if (!node.attribute("canHandleMultipleSetPerTimeInstant") ||
        variable.causality == Causality::input)
        return;
    reader.report(Rule::multiple_set_flag, node,
                  format("variable \"{}\" has canHandleMultipleSetPerTimeInstant and is no input",
                         variable.name));
}

void check_independent(const XmlReader& reader, FmiVersion version, pugi::xml_node root,
                       std::span<const VariableNode> nodes, std::span<const Variable> variables) {
    bool has_one = false;
    for (std::size_t i = 0; i < variables.size(); ++i) {
        const Variable& variable = variables[i];
        if (variable.causality != Causality::independent) continue;
        if (has_one)
            reader.report(Rule::independent_variable, nodes[i].variable,
                          format("variable \"{}\" is a second independent one", variable.name));
        if (!is_real(variable))
            reader.report(Rule::independent_variable, nodes[i].variable,
                          format("the independent variable \"{}\" is of type {}", variable.name,
                                 to_string(variable.type)));
        has_one = true;
    }
    if (!has_one && version == FmiVersion::fmi3)
        reader.report(Rule::independent_variable, root, "there is no independent variable");
}

/// FMI 2.0.4, section 2.2.7: variables of one base type and value reference are one alias set.
void check_aliases(const XmlReader& reader, std::span<const VariableNode> nodes,
                   std::span<const Variable> variables) {
    std::map<std::pair<Storage, ValueRef>, std::vector<std::size_t>> sets;
    for (std::size_t i = 0; i < variables.size(); ++i)
        sets[{storage_of(variables[i].type), variables[i].reference}].push_back(i);
    for (const auto& [key, members] : sets) {
        const Variable& first = variables[members.front()];
        std::size_t starts = 0;
        for (const std::size_t member : members) {
            const Variable& alias = variables[member];
            const auto conflict = [&](Rule rule, std::string_view what) {
                reader.report(rule, nodes[member].variable,
                              format("variable \"{}\" has the value reference {} of \"{}\", {}",
                                     alias.name, alias.reference, first.name, what));
            };
            const bool is_constant = alias.variability == Variability::constant;
            if (!is_constant && alias.start && ++starts > 1)
                conflict(Rule::alias_starts, "and a start value too");
            if (is_constant != (first.variability == Variability::constant))
                conflict(Rule::alias_constant, "but only one of them is constant");
            if (alias.unit != first.unit) conflict(Rule::alias_unit, "but another unit");
        }
    }
}

} // namespace

void check_variables(const XmlReader& reader, FmiVersion version, pugi::xml_node root,
                     const Definitions& definitions, std::span<const VariableNode> nodes,
                     std::span<const Variable> variables) {
    for (std::size_t i = 0; i < variables.size(); ++i) {
        const VariableNode& node = nodes[i];
        const Variable& variable = variables[i];
        check_name(reader, node.variable, definitions, variable);
        check_variability(reader, version, node.variable, variable);
        check_initial(reader, version, node.variable, variable);
        check_type(reader, version, node, definitions, variable);
        check_unit(reader, version, node, definitions, variable);
        check_start(reader, node, definitions, variable);
        check_derivative(reader, node.variable, variable, variables);
        check_multiple_set(reader, node.variable, variable);
    }
    if (version == FmiVersion::fmi2) check_aliases(reader, nodes, variables);
    check_independent(reader, version, root, nodes, variables);
}

} // namespace rubato::unit
