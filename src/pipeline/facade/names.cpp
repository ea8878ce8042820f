// SPDX-License-Identifier: Apache-2.0
#include "names.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <vector>

namespace rubato::facade {

const Place& Names::find(std::string_view name) {
    if (const auto known = known_.find(name); known != known_.end()) return known->second;
    return known_.emplace(name, resolve(name)).first->second;
}

Place Names::resolve(std::string_view name) const {
    const auto parts = scenario::split_variable_path(name);
    if (!parts)
        throw InputError(format("\"{}\" is no name of a variable", name), "write unit.variable");
    const auto& units = assembly_.scenario.units;
    const auto unit = std::ranges::find(units, parts->unit, &scenario::Unit::name);
    if (unit == units.end()) {
        std::vector<std::string> names;
        for (const scenario::Unit& each : units) names.push_back(each.name);
        throw InputError(format("there is no unit \"{}\"", parts->unit),
                         suggest(parts->unit, names, "the units"));
    }
    return resolve(static_cast<std::size_t>(unit - units.begin()), parts->unit, parts->port);
}

Place Names::resolve(std::size_t unit, const std::string& unit_name,
                     const std::string& name) const {
    const scenario::UnitDescription& description = assembly_.descriptions[unit];
    const auto part =
        scenario::find_part(description.variables, name, [&](std::string_view variable) {
            return description.find_variable(variable);
        });
    if (!part) {
        std::vector<std::string> names;
        for (const scenario::Variable& each : description.variables) names.push_back(each.name);
        throw InputError(format("unit \"{}\" has no variable \"{}\"", unit_name, name),
                         suggest(name, names, "its variables"));
    }
    const scenario::Variable& variable = description.variables[part->variable];
    if (variable.is_array() && !part->element)
        throw InputError(format("\"{}.{}\" is an array", unit_name, name),
                         format("name one of its elements: {}.{}", unit_name,
                                scenario::element_name(variable, 0)));
    if (variable.type == ValueType::clock)
        throw InputError(format("\"{}.{}\" is a clock, which has no value", unit_name, name),
                         "name a variable that it ticks for");
    return {nth<UnitId>(unit), part->variable, part->element.value_or(0)};
}

} // namespace rubato::facade
