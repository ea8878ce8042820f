// SPDX-License-Identifier: Apache-2.0
#include "description.hpp"

#include "component.hpp"

#include <rubato/core/measure.hpp>
#include <rubato/fmi/elements.hpp>

#include <algorithm>
#include <exception>
#include <memory>
#include <set>
#include <type_traits>

namespace rubato::model {

Attributes attributes_of(const VariableType& variable) {
    const bool continuous = storage_of(variable.type) == Storage::real && variable.clocks.empty();
    const char* const variability = continuous ? "continuous" : "discrete";
    switch (variable.role) {
    case Role::parameter:
    case Role::solver:
    case Role::inner_step: return {"parameter", "fixed", "exact", true};
    case Role::structural: return {"structuralParameter", "fixed", "exact", true};
    case Role::input:
    case Role::input_derivative: return {"input", variability, "", true};
    case Role::output: return {"output", variability, "calculated", false};
    case Role::local:
    case Role::state_derivative:
    case Role::crossing: return {"local", variability, "calculated", false};
    case Role::state: return {variable.is_output ? "output" : "local", variability, "exact", true};
    case Role::discrete:
        return {variable.is_output ? "output" : "local", "discrete", "exact", true};
    case Role::clock: return {variable.is_output ? "output" : "input", "discrete", "", false};
    case Role::time: return {"independent", "continuous", "", false};
    }
    return {};
}

namespace {

std::string text_of(std::int64_t value, ValueType type) {
    return type == ValueType::uint64 ? std::to_string(static_cast<std::uint64_t>(value))
                                     : std::to_string(value);
}

/// Two hexadecimal digits per byte.
std::string in_digits(std::string_view bytes) {
    constexpr const char* digits = "0123456789abcdef";
    std::string text;
    for (const char byte : bytes) {
        text += digits[static_cast<unsigned char>(byte) >> 4];
        text += digits[static_cast<unsigned char>(byte) & 15];
    }
    return text;
}

template <class T, class Write>
std::string start_list(Instance& fresh, ValueRef reference, Write&& write) {
    const std::uint32_t count = fresh.element_count(reference);
    const auto values = std::make_unique<T[]>(count);
    const std::span<const ValueRef> one(&reference, 1);
    AccessResult result;
    if constexpr (std::is_same_v<T, std::int64_t>)
        result = fresh.get_integers(one, values.get());
    else
        result = fresh.get(one, values.get());
    std::string text;
    for (std::uint32_t e = 0; result.ok() && e < count; ++e)
        text += (e == 0 ? "" : " ") + write(values[e]);
    return text;
}

} // namespace

std::string start_value(Instance& fresh, ValueRef reference) {
    const ValueType type = fresh.type().variables[reference].type;
    switch (type) {
    case ValueType::float32:
        return start_list<float>(fresh, reference, [](float value) { return xml_number(value); });
    case ValueType::float64:
        return start_list<double>(fresh, reference, [](double value) { return xml_number(value); });
    case ValueType::boolean:
        return start_list<bool>(fresh, reference,
                                [](bool value) { return std::string(value ? "true" : "false"); });
    default:
        return start_list<std::int64_t>(fresh, reference,
                                        [&](std::int64_t value) { return text_of(value, type); });
    }
}

std::vector<std::string> start_texts(Instance& fresh, ValueRef reference) {
    const ValueType type = fresh.type().variables[reference].type;
    std::vector<std::string_view> values(fresh.element_count(reference));
    if (!fresh.get_texts(type, {&reference, 1}, values.data()).ok()) return {};
    std::vector<std::string> texts;
    for (const std::string_view value : values)
        texts.push_back(type == ValueType::string ? std::string(value) : in_digits(value));
    return texts;
}

void write_attributes(Xml& xml, const Attributes& attributes) {
    xml.attribute("causality", attributes.causality);
    xml.attribute("variability", attributes.variability);
    if (*attributes.initial != '\0') xml.attribute("initial", attributes.initial);
}

void write_units(Xml& xml, const ModelType& type) {
    std::set<std::string> units;
    for (const VariableType& variable : type.variables)
        if (!variable.unit.empty()) units.insert(variable.unit);
    xml.open("UnitDefinitions"); // never empty: time has a unit
    for (const std::string& unit : units) fmi::write_unit(xml, unit, find_measure(unit));
    xml.close();
}

void write_log_categories(Xml& xml) {
    xml.open("LogCategories");
    for (const LogCategory& category : log_categories) {
        xml.open("Category");
        xml.attribute("name", category.name);
        xml.attribute("description", category.description);
        xml.close();
    }
    xml.close();
}

void write_default_experiment(Xml& xml, const ModelType& type) {
    xml.open("DefaultExperiment");
    xml.attribute("startTime", type.experiment.start);
    xml.attribute("stopTime", type.experiment.stop);
    if (type.experiment.step) xml.attribute("stepSize", *type.experiment.step);
    xml.close();
}

namespace {

bool depends(const ModelType& type, const VariableType& variable, ValueRef reference,
             bool with_parameters) {
    const VariableType& known = type.variables[reference];
    if (known.role == Role::parameter || known.role == Role::structural) return with_parameters;
    switch (variable.role) {
    case Role::state: return &known == &variable;
    case Role::discrete: // what feeds through does so at events only, which FMI 2.0 has none of
        return with_parameters && (std::ranges::count(variable.clocks, reference) != 0 ||
                                   std::ranges::count(variable.feedthrough, reference) != 0);
    case Role::state_derivative: {
        const VariableType& state = type.variables[*variable.derivative_of];
        if (known.role == Role::time) return type.derivatives_depend_on_time;
        return (known.role == Role::state || known.role == Role::input) &&
               (!state.driven_by || std::ranges::count(*state.driven_by, known.offset) != 0);
    }
    default:
        return known.role == Role::state ||
               (known.role == Role::time && type.outputs_depend_on_time) ||
               std::ranges::count(variable.feedthrough, reference) != 0;
    }
}

} // namespace

std::vector<ValueRef> dependencies_of(const ModelType& type, const VariableType& variable,
                                      bool with_parameters) {
    std::vector<ValueRef> result;
    for (ValueRef i = 0; i < type.variables.size(); ++i)
        if (depends(type, variable, i, with_parameters)) result.push_back(i);
    return result;
}

std::string join(const std::vector<ValueRef>& references, ValueRef first) {
    std::string text;
    for (const ValueRef reference : references)
        text += (text.empty() ? "" : " ") + std::to_string(reference + first);
    return text;
}

} // namespace rubato::model

namespace {

std::string describe(std::string_view form) try {
    using rubato::model::Interface;
    const rubato::model::ModelType& type = rubato::model::exported_model();
    if (form == "fmi1") return describe_fmi1(type, Interface::co_simulation);
    if (form == "fmi1_me") return describe_fmi1(type, Interface::model_exchange);
    if (form == "fmi2") return describe_fmi2(type);
    if (form == "fmi3") return describe_fmi3(type);
    return "models do not come as " + std::string(form);
} catch (const std::exception& fault) {
    return fault.what();
}

} // namespace

/// For those who pack the FMU: its model description in one of the forms fmi1, fmi1_me, fmi2 and
/// fmi3 or, if it does not begin with '<', why there is none. Valid until the next call.
extern "C" [[gnu::visibility("default")]] const char* rubato_model_description(const char* form);

const char* rubato_model_description(const char* form) {
    static std::string text;
    text = describe(form);
    return text.c_str();
}
