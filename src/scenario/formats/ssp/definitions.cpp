// SPDX-License-Identifier: Apache-2.0
#include "formats/ssp/reader.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>

namespace rubato::scenario::formats::ssp {

namespace {

Measure read_base_unit(const XmlSource& source, pugi::xml_node base) {
    Measure measure;
    for (std::size_t i = 0; i < base_units.size(); ++i)
        measure.dimension[i] = static_cast<int>(source.integer(base, base_units[i]).value_or(0));
    measure.factor = source.number(base, "factor").value_or(1);
    measure.offset = source.number(base, "offset").value_or(0);
    return measure;
}

std::shared_ptr<const Items> read_items(const XmlSource& source, pugi::xml_node enumeration) {
    auto items = std::make_shared<Items>();
    for (const pugi::xml_node item : children_of(enumeration, "Item"))
        items->push_back(
            {source.required(item, "name"), source.integer(item, "value").value_or(0)});
    return items;
}

} // namespace

Definitions::Definitions(const XmlSource& source, pugi::xml_node root) {
    for (const pugi::xml_node unit : children_of(child_of(root, "Units"), "Unit")) {
        const pugi::xml_node base = child_of(unit, "BaseUnit");
        if (base) units_[source.required(unit, "name")] = read_base_unit(source, base);
    }
    for (const pugi::xml_node each : children_of(child_of(root, "Enumerations"), "Enumeration"))
        enumerations_[source.required(each, "name")] = read_items(source, each);
}

MeasureName Definitions::measure(const XmlSource& source, pugi::xml_node node,
                                 const char* attribute) const {
    MeasureName result{source.text(node, attribute), {}};
    if (result.name.empty()) return result;
    const auto known = units_.find(result.name);
    result.measure = known != units_.end() ? known->second : find_measure(result.name);
    return result;
}

std::shared_ptr<const Items> Definitions::items(const std::string& enumeration) const {
    const auto known = enumerations_.find(enumeration);
    return known == enumerations_.end() ? nullptr : known->second;
}

namespace {

/// The entry of a table: booleans, integers or names of items.
std::optional<Value> mapped_value(const XmlSource& source, pugi::xml_node entry,
                                  const char* attribute, std::string_view kind) {
    if (kind == "BooleanMappingTransformation") {
        if (const auto truth = source.boolean(entry, attribute)) return *truth;
    } else if (kind == "IntegerMappingTransformation") {
        if (const auto number = source.integer(entry, attribute)) return *number;
    } else {
        return source.text(entry, attribute);
    }
    return std::nullopt;
}

void read_map(const XmlSource& source, pugi::xml_node node, Transformation& result) {
    for (const pugi::xml_node entry : children_of(node, "MapEntry")) {
        for (const char* attribute : {"source", "target"})
            if (!entry.attribute(attribute)) (void)source.required(entry, attribute);
        const auto from = mapped_value(source, entry, "source", local_name(node));
        const auto to = mapped_value(source, entry, "target", local_name(node));
        if (from && to) result.map.push_back({*from, *to});
    }
    if (result.map.empty()) source.error(node, format("<{}> has no <MapEntry>", node.name()));
}

} // namespace

Transformation read_transformation(const XmlSource& source, pugi::xml_node node) {
    Transformation result;
    int count = 0;
    for (const pugi::xml_node child : node.children()) {
        const std::string_view name = local_name(child);
        if (!name.ends_with("Transformation")) continue;
        if (++count == 2)
            source.error(child, format("<{}> has more than one transformation", node.name()));
        if (name == "LinearTransformation") {
            source.check_known(child, {"Annotations"}, {"factor", "offset"});
            result.factor = source.number(child, "factor").value_or(1);
            result.offset = source.number(child, "offset").value_or(0);
        } else if (name == "BooleanMappingTransformation" ||
                   name == "IntegerMappingTransformation" ||
                   name == "EnumerationMappingTransformation") {
            read_map(source, child, result);
        } else {
            source.error(child, format("<{}> is no transformation that SSP knows", child.name()),
                         "SSP knows LinearTransformation, BooleanMappingTransformation, "
                         "IntegerMappingTransformation and EnumerationMappingTransformation");
        }
    }
    return result;
}

} // namespace rubato::scenario::formats::ssp
