// SPDX-License-Identifier: Apache-2.0
#include "export/description.hpp"

#include <rubato/fmi/elements.hpp>
#include <rubato/private/format.hpp>

namespace rubato::pipeline {

using scenario::Variable;

namespace {

void write_fmi3_interface(Xml& xml, const scenario::Capabilities& can,
                          const std::string& identifier) {
    xml.open("CoSimulation");
    xml.attribute("modelIdentifier", identifier);
    xml.attribute("canHandleVariableCommunicationStepSize", can.variable_step);
    if (can.one_instance_per_process) xml.attribute("canBeInstantiatedOnlyOncePerProcess", true);
    if (can.snapshots) xml.attribute("canGetAndSetFMUState", true);
    if (can.serialization) xml.attribute("canSerializeFMUState", true);
    if (can.directional_derivatives) xml.attribute("providesDirectionalDerivatives", true);
    if (can.event_mode) xml.attribute("hasEventMode", true);
    if (can.intermediate_outputs) xml.attribute("providesIntermediateUpdate", true);
    if (can.may_return_early) xml.attribute("mightReturnEarlyFromDoStep", true);
    xml.close();
}

void write_fmi3_types(Xml& xml, const composite::Interface& interface) {
    const auto all = enumerations(interface);
    if (all.empty()) return;
    xml.open("TypeDefinitions");
    for (const Variable* const variable : all) {
        xml.open("EnumerationType");
        xml.attribute("name", enumeration_name(interface, *variable));
        for (const scenario::EnumerationItem& item : *variable->items) {
            xml.open("Item");
            xml.attribute("name", item.name);
            xml.attribute("value", item.value);
            xml.close();
        }
        xml.close();
    }
    xml.close();
}

void write_starts(Xml& xml, const Variable& variable) {
    for (const Value& value : start_values(variable)) {
        xml.open("Start");
        xml.attribute("value", start_text(value, variable.type));
        xml.close();
    }
}

void write_fmi3_variable(Xml& xml, const composite::Interface& interface,
                         const Variable& variable) {
    const std::string type = enumeration_name(interface, variable);
    const bool is_number = variable.type == ValueType::enumeration && type.empty();
    xml.open(fmi::fmi3_element_of(is_number ? ValueType::int64 : variable.type));
    xml.attribute("name", variable.name);
    xml.attribute("valueReference", variable.reference);
    write_attributes(xml, variable);
    if (!type.empty()) xml.attribute("declaredType", type);
    if (variable.intermediate) xml.attribute("intermediateUpdate", true);
    write_limits(xml, variable);
    const bool is_text = storage_of(variable.type) == Storage::string;
    std::string start;
    if (!is_text)
        for (const Value& value : start_values(variable))
            start += (start.empty() ? "" : " ") + start_text(value, variable.type);
    if (!start.empty()) xml.attribute("start", start);
    for (const scenario::Dimension& dimension : variable.dimensions) {
        xml.open("Dimension");
        xml.attribute("start", dimension.size);
        xml.close();
    }
    if (is_text) write_starts(xml, variable);
    xml.close();
}

/// der(u) is the derivative of u, der(u,2) that of der(u).
void write_derivative_inputs(Xml& xml, const composite::Interface& interface) {
    const auto inputs = derivative_inputs(interface);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const auto& [input, order] = inputs[i];
        const std::string& name = interface.description.variables[input].name;
        const std::size_t reference = exposed_count(interface) + i;
        xml.open("Float64");
        xml.attribute("name",
                      order == 1 ? format("der({})", name) : format("der({},{})", name, order));
        xml.attribute("valueReference", reference);
        xml.attribute("causality", "input");
        xml.attribute("variability", "continuous");
        xml.attribute("derivative", order == 1 ? std::size_t{input} : reference - 1);
        xml.attribute("start", 0);
        xml.close();
    }
}

void write_fmi3_unknowns(Xml& xml, const char* element, const composite::Interface& interface,
                         bool at_initialization) {
    for (const scenario::Dependencies& unknown : interface.description.dependencies) {
        xml.open(element);
        xml.attribute("valueReference", unknown.output);
        write_unknown(xml, interface, unknown, at_initialization, 0);
        xml.close();
    }
}

/// FMI 3.0 wants the independent variable to be there. It comes last.
void write_time(Xml& xml, const composite::Interface& interface) {
    std::string name = "time";
    while (interface.description.find_variable(name)) name += "_";
    xml.open("Float64");
    xml.attribute("name", name);
    xml.attribute("valueReference", exposed_count(interface) + derivative_inputs(interface).size());
    xml.attribute("causality", "independent");
    xml.attribute("variability", "continuous");
    xml.close();
}

} // namespace

std::string describe_fmi3(const composite::Interface& interface, const FmuNames& names) {
    Xml xml;
    xml.open("fmiModelDescription");
    xml.attribute("fmiVersion", "3.0");
    xml.attribute("modelName", names.model);
    xml.attribute("instantiationToken", names.token);
    xml.attribute("generationTool", "Rubato");
    xml.attribute("variableNamingConvention", "flat");
    write_fmi3_interface(xml, interface.description.capabilities, names.identifier);
    write_units(xml, interface);
    write_fmi3_types(xml, interface);
    write_log_categories(xml);
    write_default_experiment(xml, interface);
    xml.open("ModelVariables");
    for (std::size_t v = 0; v < exposed_count(interface); ++v)
        write_fmi3_variable(xml, interface, interface.description.variables[v]);
    write_derivative_inputs(xml, interface);
    write_time(xml, interface);
    xml.close();
    xml.open("ModelStructure");
    write_fmi3_unknowns(xml, "Output", interface, false);
    write_fmi3_unknowns(xml, "InitialUnknown", interface, true);
    xml.close();
    xml.close();
    return xml.text();
}

} // namespace rubato::pipeline
