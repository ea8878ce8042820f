// SPDX-License-Identifier: Apache-2.0
#include "description.hpp"

#include <rubato/fmi/elements.hpp>

namespace rubato::model {

namespace {

/// Variables are numbered from 1 in FMI 2.0's structure.
constexpr ValueRef first = 1;

void write_model_exchange(Xml& xml, const ModelType& type) {
    xml.open("ModelExchange");
    xml.attribute("modelIdentifier", type.name);
    xml.attribute("completedIntegratorStepNotNeeded", true);
    if (type.variations != nullptr) xml.attribute("providesDirectionalDerivative", true);
    xml.attribute("canNotUseMemoryManagementFunctions", true);
    xml.attribute("canGetAndSetFMUstate", true);
    xml.attribute("canSerializeFMUstate", true);
    xml.close();
}

void write_co_simulation(Xml& xml, const ModelType& type) {
    xml.open("CoSimulation");
    xml.attribute("modelIdentifier", type.name);
    xml.attribute("canHandleVariableCommunicationStepSize", true);
    xml.attribute("canInterpolateInputs", true);
    xml.attribute("maxOutputDerivativeOrder", 0);
    xml.attribute("canNotUseMemoryManagementFunctions", true);
    xml.attribute("canGetAndSetFMUstate", true);
    xml.attribute("canSerializeFMUstate", true);
    if (type.variations != nullptr) xml.attribute("providesDirectionalDerivative", true);
    xml.close();
}

void write_solver_type(Xml& xml) {
    xml.open("TypeDefinitions");
    xml.open("SimpleType");
    xml.attribute("name", solver_type);
    xml.open("Enumeration");
    for (int i = 0; i < 3; ++i) {
        xml.open("Item");
        xml.attribute("name", solver_names[i]);
        xml.attribute("value", i + 1);
        xml.attribute("description", solver_texts[i]);
        xml.close();
    }
    for (int level = 0; level < 3; ++level) xml.close();
}

/// FMI 2.0 has no clocks: the model ticks those that time drives itself, and shows all of them.
constexpr Attributes clock_attributes{"local", "discrete", "calculated", false};

bool is_clock(const VariableType& variable) { return variable.role == Role::clock; }

void write_variable(Xml& xml, Instance& fresh, ValueRef reference) {
    const VariableType& variable = fresh.type().variables[reference];
    const Attributes attributes = is_clock(variable) ? clock_attributes : attributes_of(variable);
    xml.open("ScalarVariable");
    xml.attribute("name", variable.name);
    xml.attribute("valueReference", reference);
    if (!variable.description.empty()) xml.attribute("description", variable.description);
    write_attributes(xml, attributes);
    xml.open(fmi::element_of(variable.type));
    if (variable.type == ValueType::enumeration) xml.attribute("declaredType", solver_type);
    if (!variable.unit.empty() && storage_of(variable.type) == Storage::real)
        xml.attribute("unit", variable.unit);
    if (variable.derivative_of) xml.attribute("derivative", *variable.derivative_of + first);
    fmi::write_integer_range(xml, variable.type);
    if (attributes.has_start) xml.attribute("start", start_value(fresh, reference));
    xml.close();
    xml.close();
}

/// FMI 2.0 sets input derivatives with a function of its own: they are no variables.
bool is_listed(const VariableType& variable) { return variable.role != Role::input_derivative; }

void write_variables(Xml& xml, const ModelType& type) {
    Instance fresh(type);
    xml.open("ModelVariables");
    for (std::size_t i = 0; i < type.variables.size(); ++i)
        if (is_listed(type.variables[i])) write_variable(xml, fresh, static_cast<ValueRef>(i));
    xml.close();
}

void write_unknown(Xml& xml, std::size_t reference) {
    xml.open("Unknown");
    xml.attribute("index", reference + first);
}

template <class Select, class Write>
void write_unknowns(Xml& xml, const char* element, const ModelType& type, Select&& select,
                    Write&& write) {
    bool any = false;
    for (std::size_t i = 0; i < type.variables.size(); ++i) {
        if (!select(type.variables[i])) continue;
        if (!any) xml.open(element);
        any = true;
        write_unknown(xml, i);
        write(type.variables[i]);
        xml.close();
    }
    if (any) xml.close();
}

void write_structure(Xml& xml, const ModelType& type) {
    const auto depends = [&](bool initial) {
        return [&, initial](const VariableType& variable) {
            xml.attribute("dependencies", join(dependencies_of(type, variable, initial), first));
        };
    };
    xml.open("ModelStructure");
    write_unknowns(
        xml, "Outputs", type, [](const VariableType& v) { return v.is_output && !is_clock(v); },
        depends(false));
    write_unknowns(
        xml, "Derivatives", type,
        [](const VariableType& v) { return v.role == Role::state_derivative; }, depends(false));
    write_unknowns(
        xml, "InitialUnknowns", type,
        [](const VariableType& v) {
            return v.role == Role::output || v.role == Role::state_derivative;
        },
        depends(true));
    xml.close();
}

} // namespace

std::string describe_fmi2(const ModelType& type) {
    Xml xml;
    xml.open("fmiModelDescription");
    xml.attribute("fmiVersion", "2.0");
    xml.attribute("modelName", type.name);
    xml.attribute("guid", type.identifier);
    if (!type.description.empty()) xml.attribute("description", type.description);
    xml.attribute("generationTool", "Rubato");
    xml.attribute("variableNamingConvention", "structured");
    xml.attribute("numberOfEventIndicators", type.crossing_count);
    write_model_exchange(xml, type);
    write_co_simulation(xml, type);
    write_units(xml, type);
    write_solver_type(xml);
    write_log_categories(xml);
    write_default_experiment(xml, type);
    write_variables(xml, type);
    write_structure(xml, type);
    xml.close();
    return xml.text();
}

} // namespace rubato::model
