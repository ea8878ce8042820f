// SPDX-License-Identifier: Apache-2.0
#include "description.hpp"

#include <rubato/fmi/elements.hpp>

#include <set>

namespace rubato::model {

namespace {

void write_base_units(Xml& xml, const ModelType& type) {
    std::set<std::string> units;
    for (const VariableType& variable : type.variables)
        if (!variable.unit.empty()) units.insert(variable.unit);
    xml.open("UnitDefinitions"); // never empty: time has a unit
    for (const std::string& unit : units) {
        xml.open("BaseUnit");
        xml.attribute("unit", unit);
        xml.close();
    }
    xml.close();
}

void write_solver_type(Xml& xml) {
    xml.open("TypeDefinitions");
    xml.open("Type");
    xml.attribute("name", solver_type);
    xml.open("EnumerationType");
    for (int i = 0; i < 3; ++i) {
        xml.open("Item");
        xml.attribute("name", solver_names[i]);
        xml.attribute("description", solver_texts[i]);
        xml.close();
    }
    for (int level = 0; level < 3; ++level) xml.close();
}

void write_experiment(Xml& xml, const ModelType& type) {
    xml.open("DefaultExperiment");
    xml.attribute("startTime", type.experiment.start);
    xml.attribute("stopTime", type.experiment.stop);
    xml.close();
}

/// A parameter is one by its variability, all that is neither input nor output is internal.
void write_roles(Xml& xml, const VariableType& variable, const Attributes& attributes) {
    const bool is_parameter = std::string_view(attributes.variability) == "fixed";
    const bool is_input = variable.role == Role::input;
    xml.attribute("variability", is_parameter ? "parameter" : attributes.variability);
    xml.attribute("causality", is_input ? "input" : variable.is_output ? "output" : "internal");
}

void write_direct_dependency(Xml& xml, const ModelType& type, const VariableType& output) {
    xml.open("DirectDependency");
    for (const ValueRef input : output.feedthrough)
        xml.text_element("Name", type.variables[input].name);
    xml.close();
}

void write_variable(Xml& xml, Instance& fresh, ValueRef reference) {
    const VariableType& variable = fresh.type().variables[reference];
    const Attributes attributes = attributes_of(variable);
    xml.open("ScalarVariable");
    xml.attribute("name", variable.name);
    xml.attribute("valueReference", reference);
    if (!variable.description.empty()) xml.attribute("description", variable.description);
    write_roles(xml, variable, attributes);
    xml.open(fmi::element_of(variable.type));
    if (variable.type == ValueType::enumeration) xml.attribute("declaredType", solver_type);
    if (!variable.unit.empty() && storage_of(variable.type) == Storage::real)
        xml.attribute("unit", variable.unit);
    fmi::write_integer_range(xml, variable.type);
    if (attributes.has_start) xml.attribute("start", start_value(fresh, reference));
    xml.close();
    if (variable.is_output) write_direct_dependency(xml, fresh.type(), variable);
    xml.close();
}

void write_variables(Xml& xml, const ModelType& type) {
    Instance fresh(type);
    xml.open("ModelVariables");
    for (std::size_t i = 0; i < type.variables.size(); ++i)
        if (type.variables[i].role != Role::input_derivative) // set with a function of its own
            write_variable(xml, fresh, static_cast<ValueRef>(i));
    xml.close();
}

void write_implementation(Xml& xml) {
    xml.open("Implementation");
    xml.open("CoSimulation_StandAlone");
    xml.open("Capabilities");
    xml.attribute("canHandleVariableCommunicationStepSize", true);
    xml.attribute("canHandleEvents", true);
    xml.attribute("canInterpolateInputs", true);
    xml.attribute("maxOutputDerivativeOrder", 0);
    xml.attribute("canNotUseMemoryManagementFunctions", true);
    for (int level = 0; level < 3; ++level) xml.close();
}

} // namespace

std::string describe_fmi1(const ModelType& type, Interface interface) {
    Xml xml;
    xml.open("fmiModelDescription");
    xml.attribute("fmiVersion", "1.0");
    xml.attribute("modelName", type.name);
    xml.attribute("modelIdentifier", type.name);
    xml.attribute("guid", type.identifier);
    if (!type.description.empty()) xml.attribute("description", type.description);
    xml.attribute("generationTool", "Rubato");
    xml.attribute("variableNamingConvention", "structured");
    xml.attribute("numberOfContinuousStates", type.layout.states.size());
    xml.attribute("numberOfEventIndicators", type.crossing_count);
    write_base_units(xml, type);
    write_solver_type(xml);
    write_experiment(xml, type);
    write_variables(xml, type);
    if (interface == Interface::co_simulation) write_implementation(xml);
    xml.close();
    return xml.text();
}

} // namespace rubato::model
