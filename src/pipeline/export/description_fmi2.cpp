// SPDX-License-Identifier: Apache-2.0
#include "export/description.hpp"

#include <rubato/fmi/elements.hpp>
#include <rubato/private/format.hpp>

#include <limits>
#include <utility>

namespace rubato::pipeline {

using scenario::Variable;

namespace {

/// Variables are numbered from 1 in FMI 2.0's structure.
constexpr unsigned first_number = 1;

void write_fmi2_interface(Xml& xml, const scenario::Capabilities& can,
                          const std::string& identifier) {
    xml.open("CoSimulation");
    xml.attribute("modelIdentifier", identifier);
    xml.attribute("canHandleVariableCommunicationStepSize", can.variable_step);
    if (can.input_derivatives > 0) xml.attribute("canInterpolateInputs", true);
    xml.attribute("maxOutputDerivativeOrder", 0);
    if (can.one_instance_per_process) xml.attribute("canBeInstantiatedOnlyOncePerProcess", true);
    xml.attribute("canNotUseMemoryManagementFunctions", true);
    if (can.snapshots) xml.attribute("canGetAndSetFMUstate", true);
    if (can.serialization) xml.attribute("canSerializeFMUstate", true);
    if (can.directional_derivatives) xml.attribute("providesDirectionalDerivative", true);
    xml.close();
}

void write_fmi2_types(Xml& xml, const composite::Interface& interface) {
    const auto all = enumerations(interface);
    if (all.empty()) return;
    xml.open("TypeDefinitions");
    for (const Variable* const variable : all) {
        xml.open("SimpleType");
        xml.attribute("name", enumeration_name(interface, *variable));
        xml.open("Enumeration");
        for (const scenario::EnumerationItem& item : *variable->items) {
            xml.open("Item");
            xml.attribute("name", item.name);
            xml.attribute("value", item.value);
            xml.close();
        }
        xml.close();
        xml.close();
    }
    xml.close();
}

bool is_fmi2_integer(double value) {
    return value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max();
}

/// Without limits that an Integer of FMI 2.0 keeps anyway.
Variable within_fmi2(Variable variable) {
    if (storage_of(variable.type) != Storage::integer) return variable;
    if (!is_fmi2_integer(variable.minimum.value_or(0))) variable.minimum.reset();
    if (!is_fmi2_integer(variable.maximum.value_or(0))) variable.maximum.reset();
    return variable;
}

/// Why FMI 2.0 cannot have it; null: it can.
const char* obstacle_in_fmi2(const Variable& variable) {
    if (variable.is_array()) return "is an array, which FMI 2.0 does not have";
    if (variable.type == ValueType::binary) return "is a binary, which FMI 2.0 does not have";
    for (const Value& start : start_values(variable)) {
        const auto* const number = std::get_if<std::int64_t>(&start);
        const bool is_wrapped = number && *number < 0 && variable.type == ValueType::uint64;
        if (number && (is_wrapped || !std::in_range<int>(*number)))
            return "starts beyond the integers of FMI 2.0";
    }
    return nullptr;
}

void write_fmi2_variable(Xml& xml, const composite::Interface& interface,
                         const Variable& variable) {
    xml.open("ScalarVariable");
    xml.attribute("name", variable.name);
    xml.attribute("valueReference", variable.reference);
    write_attributes(xml, variable);
    const std::string type = enumeration_name(interface, variable);
    const bool is_number = variable.type == ValueType::enumeration && type.empty();
    xml.open(is_number ? "Integer" : fmi::element_of(variable.type));
    if (!type.empty()) xml.attribute("declaredType", type);
    write_limits(xml, variable);
    if (!variable.minimum && !variable.maximum) fmi::write_integer_range(xml, variable.type);
    for (const Value& start : start_values(variable))
        xml.attribute("start", start_text(start, variable.type));
    xml.close();
    xml.close();
}

void write_fmi2_unknowns(Xml& xml, const char* list, const composite::Interface& interface,
                         bool at_initialization) {
    const auto& unknowns = interface.description.dependencies;
    if (unknowns.empty()) return;
    xml.open(list);
    for (const scenario::Dependencies& unknown : unknowns) {
        xml.open("Unknown");
        xml.attribute("index", unknown.output + first_number);
        write_unknown(xml, interface, unknown, at_initialization, first_number);
        xml.close();
    }
    xml.close();
}

} // namespace

void check_fmi2(const composite::Interface& interface, Diagnostics& diagnostics) {
    for (std::size_t v = 0; v < exposed_count(interface); ++v) {
        const Variable& variable = interface.description.variables[v];
        if (const char* const why = obstacle_in_fmi2(variable))
            diagnostics.error({}, format("\"{}\" {}", variable.name, why),
                              "export it for FMI 3.0 (--fmi 3), or leave it out of the section "
                              "interface");
    }
}

std::string describe_fmi2(const composite::Interface& interface, const FmuNames& names) {
    Xml xml;
    xml.open("fmiModelDescription");
    xml.attribute("fmiVersion", "2.0");
    xml.attribute("modelName", names.model);
    xml.attribute("guid", names.token);
    xml.attribute("generationTool", "Rubato");
    xml.attribute("variableNamingConvention", "flat");
    write_fmi2_interface(xml, interface.description.capabilities, names.identifier);
    write_units(xml, interface);
    write_fmi2_types(xml, interface);
    write_log_categories(xml);
    write_default_experiment(xml, interface);
    xml.open("ModelVariables");
    for (std::size_t v = 0; v < exposed_count(interface); ++v)
        write_fmi2_variable(xml, interface, within_fmi2(interface.description.variables[v]));
    xml.close();
    xml.open("ModelStructure");
    write_fmi2_unknowns(xml, "Outputs", interface, false);
    write_fmi2_unknowns(xml, "InitialUnknowns", interface, true);
    xml.close();
    xml.close();
    return xml.text();
}

} // namespace rubato::pipeline
