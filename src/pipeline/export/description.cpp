// SPDX-License-Identifier: Apache-2.0
#include "export/description.hpp"

#include <rubato/core/text.hpp>
#include <rubato/fmi/elements.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

namespace rubato::pipeline {

using scenario::Causality;
using scenario::Variable;

namespace {

std::span<const Variable> exposed(const composite::Interface& interface) {
    return std::span(interface.description.variables).first(exposed_count(interface));
}

bool is_enumeration(const Variable& variable) {
    return variable.type == ValueType::enumeration && variable.items;
}

/// What a variable is that nobody says a start value of.
Value zero_of(ValueType type) {
    switch (storage_of(type)) {
    case Storage::real: return 0.0;
    case Storage::boolean: return false;
    case Storage::string: return std::string();
    default: return std::int64_t{0};
    }
}

} // namespace

std::vector<const Variable*> enumerations(const composite::Interface& interface) {
    std::vector<const Variable*> all;
    for (const Variable& variable : exposed(interface)) {
        const bool is_known = std::ranges::any_of(
            all, [&](const Variable* other) { return other->items == variable.items; });
        if (is_enumeration(variable) && !is_known) all.push_back(&variable);
    }
    return all;
}

std::string enumeration_name(const composite::Interface& interface, const Variable& variable) {
    for (const Variable* const each : enumerations(interface))
        if (is_enumeration(variable) && each->items == variable.items) return each->name + "_type";
    return {};
}

void write_units(Xml& xml, const composite::Interface& interface) {
    std::map<std::string, std::optional<Measure>> units;
    for (const Variable& variable : exposed(interface)) {
        if (variable.unit.empty() || storage_of(variable.type) != Storage::real) continue;
        auto& measure = units[variable.unit];
        if (!measure) measure = variable.measure ? variable.measure : find_measure(variable.unit);
    }
    if (units.empty()) return;
    xml.open("UnitDefinitions");
    for (const auto& [name, measure] : units) fmi::write_unit(xml, name, measure);
    xml.close();
}

void write_log_categories(Xml& xml) {
    xml.open("LogCategories");
    for (const LogCategory& category : exported_log_categories) {
        xml.open("Category");
        xml.attribute("name", category.name);
        xml.attribute("description", category.description);
        xml.close();
    }
    xml.close();
}

void write_default_experiment(Xml& xml, const composite::Interface& interface) {
    const scenario::DefaultExperiment& experiment = interface.description.default_experiment;
    xml.open("DefaultExperiment");
    if (experiment.start) xml.attribute("startTime", *experiment.start);
    if (experiment.stop) xml.attribute("stopTime", *experiment.stop);
    if (experiment.tolerance) xml.attribute("tolerance", *experiment.tolerance);
    if (experiment.step) xml.attribute("stepSize", *experiment.step);
    xml.close();
}

void write_attributes(Xml& xml, const Variable& variable) {
    if (!variable.description.empty()) xml.attribute("description", variable.description);
    xml.attribute("causality", to_string(variable.causality));
    const bool is_parameter = variable.causality == Causality::parameter;
    const bool is_tunable = variable.variability == scenario::Variability::tunable;
    const bool is_continuous = variable.variability == scenario::Variability::continuous &&
                               storage_of(variable.type) == Storage::real;
    xml.attribute("variability", is_parameter    ? is_tunable ? "tunable" : "fixed"
                                 : is_continuous ? "continuous"
                                                 : "discrete");
    if (is_parameter) xml.attribute("initial", "exact");
    if (variable.causality == Causality::output) xml.attribute("initial", "calculated");
}

void write_limits(Xml& xml, const Variable& variable) {
    const bool is_real = storage_of(variable.type) == Storage::real;
    if (is_real && !variable.unit.empty()) xml.attribute("unit", variable.unit);
    const bool has_range = is_real || storage_of(variable.type) == Storage::integer;
    constexpr double widest = 9e18; // of 64 bits
    const auto write = [&](const char* name, const std::optional<double>& limit) {
        if (limit && has_range && (is_real || std::abs(*limit) < widest))
            xml.attribute(name, is_real ? xml_number(*limit)
                                        : std::to_string(static_cast<std::int64_t>(*limit)));
    };
    write("min", variable.minimum);
    write("max", variable.maximum);
    if (is_real && variable.nominal.value_or(1) != 1) xml.attribute("nominal", *variable.nominal);
}

std::vector<Value> start_values(const Variable& variable) {
    if (variable.causality == Causality::output) return {};
    const std::size_t count = variable.element_count();
    std::vector<Value> values = variable.start_elements;
    if (values.empty()) values.push_back(variable.start ? *variable.start : zero_of(variable.type));
    values.resize(count, values.front());
    return values;
}

std::string start_text(const Value& value, ValueType type) {
    if (const double* const real = std::get_if<double>(&value))
        return type == ValueType::float32 ? xml_number(static_cast<float>(*real))
                                          : xml_number(*real);
    if (type == ValueType::binary) return in_hexadecimal(std::get<std::string>(value));
    return to_string(value, type);
}

/// Parameters act on everything, as far as anybody knows.
void write_unknown(Xml& xml, const composite::Interface& interface,
                   const scenario::Dependencies& unknown, bool at_initialization, unsigned first) {
    const auto variables = exposed(interface);
    const auto& inputs = at_initialization ? unknown.initial : unknown.step;
    std::string text;
    for (std::uint32_t v = 0; v < variables.size(); ++v) {
        const bool feeds_through = inputs && std::ranges::find(*inputs, v) != inputs->end();
        const bool is_parameter =
            at_initialization && variables[v].causality == Causality::parameter;
        if (feeds_through || is_parameter)
            text += (text.empty() ? "" : " ") + std::to_string(v + first);
    }
    xml.attribute("dependencies", text);
}

} // namespace rubato::pipeline
