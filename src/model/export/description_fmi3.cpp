// SPDX-License-Identifier: Apache-2.0
#include "description.hpp"

#include <rubato/fmi/elements.hpp>

#include <algorithm>

namespace rubato::model {

namespace {

void write_model_exchange(Xml& xml, const ModelType& type) {
    xml.open("ModelExchange");
    xml.attribute("modelIdentifier", type.name);
    xml.attribute("canGetAndSetFMUState", true);
    xml.attribute("canSerializeFMUState", true);
    if (type.variations != nullptr) xml.attribute("providesDirectionalDerivatives", true);
    xml.close();
}

/// What an importer may read or set within steps.
bool is_intermediate(const VariableType& variable) {
    return can_be_sampled(variable) || is_continuous_input(variable);
}

void write_co_simulation(Xml& xml, const ModelType& type) {
    xml.open("CoSimulation");
    xml.attribute("modelIdentifier", type.name);
    xml.attribute("canHandleVariableCommunicationStepSize", true);
    if (type.longest_step != nullptr || type.event_mode)
        xml.attribute("mightReturnEarlyFromDoStep", true);
    if (type.event_mode) xml.attribute("hasEventMode", true);
    if (std::ranges::any_of(type.variables, is_intermediate))
        xml.attribute("providesIntermediateUpdate", true);
    xml.attribute("canGetAndSetFMUState", true);
    xml.attribute("canSerializeFMUState", true);
    if (type.variations != nullptr) xml.attribute("providesDirectionalDerivatives", true);
    xml.close();
}

/// The type of an enumeration that the model declares.
std::string type_name(const VariableType& variable) { return variable.name + "_type"; }

void write_enumeration(Xml& xml, const VariableType& variable) {
    xml.open("EnumerationType");
    xml.attribute("name", type_name(variable));
    for (std::size_t i = 0; i < variable.items.size(); ++i) {
        xml.open("Item");
        xml.attribute("name", variable.items[i]);
        xml.attribute("value", i + 1);
        xml.close();
    }
    xml.close();
}

void write_types(Xml& xml, const ModelType& type) {
    xml.open("TypeDefinitions");
    for (const VariableType& variable : type.variables)
        if (!variable.items.empty()) write_enumeration(xml, variable);
    xml.open("EnumerationType");
    xml.attribute("name", solver_type);
    for (int i = 0; i < 3; ++i) {
        xml.open("Item");
        xml.attribute("name", solver_names[i]);
        xml.attribute("value", i + 1);
        xml.attribute("description", solver_texts[i]);
        xml.close();
    }
    xml.close();
    xml.close();
}

void write_dimensions(Xml& xml, const ModelType& type, const VariableType& variable) {
    for (const std::uint32_t size : variable.shape) {
        xml.open("Dimension");
        xml.attribute("start", size);
        xml.close();
    }
    for (const std::uint32_t offset : variable.sizes) {
        const auto parameter = std::ranges::find_if(type.variables, [&](const VariableType& v) {
            return v.role == Role::structural && v.offset == offset;
        });
        xml.open("Dimension");
        xml.attribute("valueReference", parameter - type.variables.begin());
        xml.close();
    }
}

void write_clock(Xml& xml, const ClockAttributes& clock) {
    xml.attribute("intervalVariability", std::string(to_string(clock.kind)));
    if (clock.gives_fractions) xml.attribute("supportsFraction", true);
    if (!clock.period) return;
    const ClockPeriod& period = *clock.period;
    xml.attribute("intervalDecimal", period.interval);
    if (period.shift != 0) xml.attribute("shiftDecimal", period.shift);
    if (period.resolution == 0) return;
    xml.attribute("resolution", period.resolution);
    xml.attribute("intervalCounter", period.interval_counter);
    if (period.shift_counter != 0) xml.attribute("shiftCounter", period.shift_counter);
}

void write_variable(Xml& xml, Instance& fresh, ValueRef reference) {
    const VariableType& variable = fresh.type().variables[reference];
    const Attributes attributes = attributes_of(variable);
    xml.open(fmi::fmi3_element_of(variable.type));
    xml.attribute("name", variable.name);
    xml.attribute("valueReference", reference);
    if (!variable.description.empty()) xml.attribute("description", variable.description);
    write_attributes(xml, attributes);
    if (variable.type == ValueType::enumeration)
        xml.attribute("declaredType", variable.items.empty() ? solver_type : type_name(variable));
    if (!variable.unit.empty() && storage_of(variable.type) == Storage::real)
        xml.attribute("unit", variable.unit);
    if (variable.derivative_of) xml.attribute("derivative", *variable.derivative_of);
    if (!variable.clocks.empty()) xml.attribute("clocks", join(variable.clocks, 0));
    if (is_intermediate(variable)) xml.attribute("intermediateUpdate", true);
    if (variable.clock) write_clock(xml, *variable.clock);
    const bool is_text = storage_of(variable.type) == Storage::string;
    if (attributes.has_start && !is_text) xml.attribute("start", start_value(fresh, reference));
    write_dimensions(xml, fresh.type(), variable);
    if (is_text && attributes.has_start) {
        for (const std::string& text : start_texts(fresh, reference)) {
            xml.open("Start");
            xml.attribute("value", text);
            xml.close();
        }
    }
    xml.close();
}

void write_variables(Xml& xml, const ModelType& type) {
    Instance fresh(type);
    xml.open("ModelVariables");
    for (std::size_t i = 0; i < type.variables.size(); ++i)
        write_variable(xml, fresh, static_cast<ValueRef>(i));
    xml.close();
}

template <class Select>
void write_unknowns(Xml& xml, const char* element, const ModelType& type, Select&& select) {
    for (std::size_t i = 0; i < type.variables.size(); ++i) {
        const VariableType& variable = type.variables[i];
        if (!select(variable)) continue;
        xml.open(element);
        xml.attribute("valueReference", i);
        const bool depends_on_all = variable.role == Role::crossing || variable.role == Role::clock;
        if (!depends_on_all)
            xml.attribute("dependencies", join(dependencies_of(type, variable, true), 0));
        xml.close();
    }
}

void write_structure(Xml& xml, const ModelType& type) {
    xml.open("ModelStructure");
    write_unknowns(xml, "Output", type, [](const VariableType& v) { return v.is_output; });
    write_unknowns(xml, "ContinuousStateDerivative", type,
                   [](const VariableType& v) { return v.role == Role::state_derivative; });
    write_unknowns(xml, "InitialUnknown", type, [](const VariableType& v) {
        return v.role == Role::output || v.role == Role::state_derivative;
    });
    write_unknowns(xml, "EventIndicator", type,
                   [](const VariableType& v) { return v.role == Role::crossing; });
    xml.close();
}

} // namespace

/// FMI 3.0 has no function for input derivatives, but lets an input be declared the derivative of
/// another (section 2.4.7.5): der(u) and der(u,2) are such inputs.
std::string describe_fmi3(const ModelType& type) {
    Xml xml;
    xml.open("fmiModelDescription");
    xml.attribute("fmiVersion", "3.0");
    xml.attribute("modelName", type.name);
    xml.attribute("instantiationToken", type.identifier);
    if (!type.description.empty()) xml.attribute("description", type.description);
    xml.attribute("generationTool", "Rubato");
    xml.attribute("variableNamingConvention", "structured");
    write_model_exchange(xml, type);
    write_co_simulation(xml, type);
    write_units(xml, type);
    write_types(xml, type);
    write_log_categories(xml);
    write_default_experiment(xml, type);
    write_variables(xml, type);
    write_structure(xml, type);
    xml.close();
    return xml.text();
}

} // namespace rubato::model
