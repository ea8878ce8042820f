// SPDX-License-Identifier: Apache-2.0
#include "definitions.hpp"

#include <rubato/private/format.hpp>

#include <cstdint>

namespace rubato::unit {

namespace {

void check_factor(const XmlReader& reader, pugi::xml_node node, std::string_view unit) {
    if (reader.find_number(node, "factor").value_or(1) != 0) return;
    reader.report(Rule::unit_factor, node, format("unit \"{}\" has factor=\"0\"", unit));
}

void read_unit_definition(const XmlReader& reader, pugi::xml_node node, Definitions& result) {
    const std::string name = reader.text(node, "name");
    const auto [unit, is_new] = result.units.try_emplace(name);
    if (!is_new)
        reader.report(Rule::duplicate_unit, node, format("two units are named \"{}\"", name));
    check_factor(reader, node.child("BaseUnit"), name);
    Definitions::Names own;
    for (const auto display : node.children("DisplayUnit")) {
        const std::string display_name = reader.text(display, "name");
        if (!own.insert(display_name).second)
            reader.report(
                Rule::duplicate_unit, display,
                format("two display units of unit \"{}\" are named \"{}\"", name, display_name));
        check_factor(reader, display, display_name);
    }
    unit->second.merge(own);
}

void read_items(const XmlReader& reader, Definitions::Type& type, std::string_view name) {
    std::set<std::string> names;
    std::set<std::int64_t>& values = type.items;
    std::vector<scenario::EnumerationItem> items;
    for (const auto item : type.node.children("Item")) {
        const std::string item_name = reader.text(item, "name");
        if (!names.insert(item_name).second)
            reader.report(Rule::duplicate_item, item,
                          format("two items of type \"{}\" are named \"{}\"", name, item_name));
        const auto value = parse_number<std::int64_t>(item.attribute("value").value());
        if (value) items.push_back({item_name, *value});
        if (value && !values.insert(*value).second)
            reader.report(Rule::duplicate_item, item,
                          format("two items of type \"{}\" have the value {}", name, *value));
    }
    if (!items.empty())
        type.names =
            std::make_shared<const std::vector<scenario::EnumerationItem>>(std::move(items));
}

void read_type_definition(const XmlReader& reader, pugi::xml_node node, Definitions& result) {
    const bool is_fmi2 = std::string_view(node.name()) == "SimpleType";
    const pugi::xml_node element = is_fmi2 ? node.first_child() : node;
    const std::string name = reader.text(node, "name");
    Definitions::Type type{element, {}, {}};
    read_items(reader, type, name);
    if (!result.types.insert_or_assign(name, std::move(type)).second)
        reader.report(Rule::duplicate_type, node, format("two types are named \"{}\"", name));
    const std::string unit = reader.text(element, "unit");
    if (!unit.empty() && !result.units.contains(unit))
        reader.report(Rule::undefined_unit, node,
                      format("type \"{}\" has unit=\"{}\", which is not defined", name, unit));
}

void read_naming_convention(const XmlReader& reader, pugi::xml_node root, Definitions& result) {
    const std::string convention = reader.text(root, "variableNamingConvention");
    result.structured_names = convention == "structured";
    if (!convention.empty() && convention != "structured" && convention != "flat")
        reader.report(
            Rule::unknown_word, root,
            format("variableNamingConvention=\"{}\" is neither flat nor structured", convention));
}

} // namespace

const Definitions::Type* Definitions::find_type(pugi::xml_node variable) const {
    const auto found = types.find(std::string_view(variable.attribute("declaredType").value()));
    return found == types.end() ? nullptr : &found->second;
}

pugi::xml_node Definitions::having(const char* attribute, pugi::xml_node variable) const {
    if (variable.attribute(attribute)) return variable;
    const Type* type = find_type(variable);
    return type == nullptr ? pugi::xml_node() : type->node;
}

Definitions check_definitions(const XmlReader& reader, pugi::xml_node root) {
    Definitions result;
    read_naming_convention(reader, root, result);
    for (const auto unit : root.child("UnitDefinitions").children("Unit"))
        read_unit_definition(reader, unit, result);
    for (const auto type : root.child("TypeDefinitions").children())
        if (type.type() == pugi::node_element) read_type_definition(reader, type, result);
    return result;
}

void check_log_categories(const XmlReader& reader, pugi::xml_node root) {
    std::set<std::string> names;
    for (const auto category : root.child("LogCategories").children("Category")) {
        const std::string name = reader.text(category, "name");
        if (!names.insert(name).second)
            reader.report(Rule::duplicate_log_category, category,
                          format("two log categories are named \"{}\"", name));
    }
}

void check_capabilities(const XmlReader& reader, pugi::xml_node interface) {
    struct Need {
        const char *capability, *needs;
    };
    constexpr Need needs[] = {
        {"canSerializeFMUstate", "canGetAndSetFMUstate"},
        {"canSerializeFMUState", "canGetAndSetFMUState"},
        {"canReturnEarlyAfterIntermediateUpdate", "providesIntermediateUpdate"},
    };
    for (const Need& need : needs) {
        if (!reader.flag(interface, need.capability) || reader.flag(interface, need.needs))
            continue;
        reader.report(
            Rule::capability_conflict, interface,
            format("<{}> has {} without {}", interface.name(), need.capability, need.needs));
    }
}

} // namespace rubato::unit
