// SPDX-License-Identifier: Apache-2.0
#include "formats/ssp/values.hpp"

#include "formats/foreign.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace rubato::scenario::formats::ssp {

namespace {

/// A number as a scaled one; others have no scale.
Value scaled(const Value& value, double factor, double offset) {
    if (factor == 1 && offset == 0) return value;
    if (const auto* real = std::get_if<double>(&value)) return factor * *real + offset;
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        const double number = factor * static_cast<double>(*integer) + offset;
        if (std::trunc(number) == number && std::abs(number) < 9e15)
            return static_cast<std::int64_t>(number);
        return number;
    }
    return value;
}

/// The value of an item by its name, where a file says it.
Value by_items(const Value& value, const std::shared_ptr<const Items>& items) {
    const auto* const name = std::get_if<std::string>(&value);
    if (!name || !items) return value;
    const auto item = std::ranges::find(*items, *name, &EnumerationItem::name);
    return item == items->end() ? value : Value(item->value);
}

std::optional<Value> transformed(const Value& value, const Transformation& transformation,
                                 const std::shared_ptr<const Items>& items) {
    if (transformation.map.empty())
        return scaled(value, transformation.factor, transformation.offset);
    for (const MappedValue& entry : transformation.map)
        if (entry.from == value || by_items(entry.from, items) == by_items(value, items))
            return entry.to;
    return std::nullopt;
}

/// What a set says in the form that the variable takes.
Value adapted(const Value& value, const Variable* variable,
              const std::shared_ptr<const Items>& items) {
    if (!variable) return value;
    if (const auto* text = std::get_if<std::string>(&value);
        text && variable->type == ValueType::enumeration && !variable->find_item(*text))
        return by_items(value, items);
    return value;
}

/// Changes all values. False: one of them is not in the table, which has been reported.
bool change(ParameterValue& value, const Transformation& transformation, Diagnostics& diagnostics) {
    const auto change_one = [&](Value& each) {
        const auto result = transformed(each, transformation, value.items);
        if (!result) {
            diagnostics.error(value.where,
                              format("the table for parameter \"{}\" has no entry for {}",
                                     value.name, rubato::to_string(each)));
            return false;
        }
        each = *result;
        return true;
    };
    if (value.elements.empty()) return change_one(value.value);
    return std::ranges::all_of(value.elements, change_one);
}

/// In the unit of measure that is wanted.
bool convert_unit(ParameterValue& value, const MeasureName& wanted, Diagnostics& diagnostics) {
    if (value.suppresses_conversion || value.unit.name.empty() || wanted.name.empty()) return true;
    if (!value.unit.measure || !wanted.measure) {
        if (value.unit.name != wanted.name)
            diagnostics.warning(value.where,
                                format("parameter \"{}\" is given in \"{}\" and taken in "
                                       "\"{}\" as it is: nothing says what one of them is",
                                       value.name, value.unit.name, wanted.name));
        return true;
    }
    const auto found = conversion(*value.unit.measure, *wanted.measure);
    if (!found && value.unit.name == wanted.name) {
        diagnostics.warning(value.where,
                            format("parameter \"{}\" is taken as it is: \"{}\" is defined as "
                                   "different things by its file and by who takes it",
                                   value.name, wanted.name),
                            "correct one of the definitions in <Units>");
        return true;
    }
    if (!found) {
        diagnostics.error(
            value.where, format("parameter \"{}\" is given in \"{}\", which cannot be converted to "
                                "\"{}\"",
                                value.name, value.unit.name, wanted.name));
        return false;
    }
    Transformation transformation;
    transformation.factor = found->factor;
    transformation.offset = found->offset;
    return change(value, transformation, diagnostics);
}

} // namespace

Values::Values(const Element& root, Diagnostics& diagnostics) : diagnostics_(diagnostics) {
    apply_bindings(root);
}

/// Inner ones first, so that outer ones replace them.
void Values::apply_bindings(const Element& element) {
    for (const auto& inner : element.elements) apply_bindings(*inner);
    for (const auto& binding : element.bindings)
        for (const ParameterValue& value : binding)
            if (!apply(element, value) && !apply_below_own_name(element, value))
                diagnostics_.note(value.where,
                                  format("parameter \"{}\" has no effect: \"{}\" has no "
                                         "variable of this name",
                                         value.name, element.name));
}

/// OMSimulator writes the name of the element before those of its variables.
bool Values::apply_below_own_name(const Element& element, const ParameterValue& value) {
    const std::string prefix = element.name + ".";
    if (!value.name.starts_with(prefix)) return false;
    ParameterValue rest = value;
    rest.name = value.name.substr(prefix.size());
    return apply(element, rest);
}

bool Values::apply(const Element& element, const ParameterValue& value) {
    const bool is_declared = element.find_connector(value.name) != nullptr;
    if (element.kind == Element::Kind::component) {
        const bool is_known =
            element.description ? variable_of(element, value.name) != nullptr : is_declared;
        if (is_known) set(element, value.name, value);
        return is_known;
    }
    bool found = is_declared;
    if (is_declared) {
        ParameterValue own = value;
        own.transformation = {};
        const MeasureName unit = measure_of(element, value.name);
        if (convert_unit(own, unit, diagnostics_) &&
            change(own, value.transformation, diagnostics_)) {
            if (!unit.name.empty()) own.unit = unit;
            of_connectors_[{&element, value.name}] = std::move(own);
        }
    }
    for (const auto& inner : element.elements) {
        const std::string prefix = inner->name + ".";
        if (!value.name.starts_with(prefix)) continue;
        ParameterValue rest = value;
        rest.name = value.name.substr(prefix.size());
        if (apply(*inner, rest)) found = true;
    }
    return found;
}

void Values::set(const Element& component, const std::string& variable, ParameterValue value) {
    const Transformation transformation = std::exchange(value.transformation, {});
    if (!convert_unit(value, measure_of(component, variable), diagnostics_) ||
        !change(value, transformation, diagnostics_))
        return;
    value.name = variable;
    auto& all = of_components_[&component];
    const auto known = std::ranges::find(all, variable, &ParameterValue::name);
    if (known == all.end())
        all.push_back(std::move(value));
    else
        *known = std::move(value);
}

void Values::pass_on(const Flow& flow) {
    if (flow.has_source() || flow.target.element->kind != Element::Kind::component) return;
    // The outermost connector with a value goes before those that it leads to.
    std::vector<End> passed = {flow.source};
    for (const Segment& segment : flow.segments) passed.push_back(segment.to);
    for (const End& end : passed) {
        const auto value = of_connectors_.find({end.element, end.connector});
        if (value == of_connectors_.end()) continue;
        const auto rest = flow_from(flow, end.element, end.connector);
        const auto passage = rest ? passage_of(*rest, diagnostics_) : std::nullopt;
        if (!passage) return;
        ParameterValue given = value->second;
        const bool is_converted = !measure_of(*end.element, end.connector).name.empty();
        if (is_converted) given.suppresses_conversion = true; // the passage converts
        given.transformation = passage->transformation;
        set(*flow.target.element, flow.target.connector + flow.target.indices, std::move(given));
        return;
    }
}

void Values::set_constant(const Flow& flow, const Value& value,
                          const Transformation& transformation) {
    ParameterValue given;
    given.value = value;
    given.name = flow.source.connector;
    given.transformation = transformation;
    given.unit = measure_of(*flow.source.element, flow.source.connector);
    given.where = flow.segments.back().link->where;
    set(*flow.target.element, flow.target.connector + flow.target.indices, std::move(given));
}

void Values::assign(const Element& component, Unit& unit) const {
    const auto found = of_components_.find(&component);
    if (found == of_components_.end()) return;
    for (const ParameterValue& value : found->second) {
        const Variable* const variable = variable_of(component, value.name);
        const Connector* const connector = component.find_connector(value.name);
        const bool is_declared_parameter =
            connector && (connector->kind == ConnectorKind::parameter ||
                          connector->kind == ConnectorKind::structural_parameter);
        Assignment assignment{
            value.name, adapted(value.value, variable, value.items), value.where, {}, {}};
        for (const Value& element : value.elements)
            assignment.elements.push_back(adapted(element, variable, value.items));
        add_value(unit, std::move(assignment), variable, is_declared_parameter, diagnostics_);
    }
}

} // namespace rubato::scenario::formats::ssp
