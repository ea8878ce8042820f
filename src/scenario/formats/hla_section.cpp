// SPDX-License-Identifier: Apache-2.0
#include "yaml_coupling.hpp"
#include "yaml_parts.hpp"
#include "yaml_settings.hpp"

#include <algorithm>

namespace rubato::scenario::formats {

namespace {

/// `plant.x: {class: Plant, instance: plant, attribute: position, encoding: HLAfloat64BE}`, or
/// `plant.x: Plant`
void update_attribute(Reporter& reporter, const std::string& path, const Entry& entry,
                      HlaAttribute& attribute) {
    if (!split_port_name(attribute.variable))
        reporter.error(entry.mark, format("\"{}\" names no variable of a unit", attribute.variable),
                       "write unit.variable, such as plant.x");
    if (entry.value.kind == Kind::scalar) {
        if (auto name = read_as<std::string>(reporter, path, entry.value))
            attribute.object_class = std::move(*name);
    } else {
        MapReader map(reporter, path, entry.value);
        HlaAttribute::fields(attribute, SettingsReader(map));
        map.report_unknown_keys();
    }
    if (attribute.object_class.empty())
        reporter.error(entry.mark, format("{} has no class", path),
                       "name the object class: class: Plant");
}

void update_attributes(Reporter& reporter, MapReader& hla, std::string_view key,
                       std::vector<HlaAttribute>& attributes) {
    const Entry* const entry = hla.find(key);
    if (!entry) return;
    const std::string path = hla.path_of(key);
    update_named(reporter, path, entry->value, attributes, &HlaAttribute::variable,
                 [&](const Entry& item, HlaAttribute& attribute) {
                     update_attribute(reporter, path + "." + item.key, item, attribute);
                 });
}

void write_attributes(Lines& lines, std::string_view key,
                      const std::vector<HlaAttribute>& attributes) {
    if (!attributes.empty()) lines.add(1, key);
    for (const HlaAttribute& each : attributes) {
        InlineMap map;
        map.add("class", std::optional(each.object_class));
        map.add("instance", each.instance).add("attribute", each.attribute);
        map.add("encoding", each.encoding);
        lines.add(2, to_yaml(each.variable), map.text());
    }
}

} // namespace

void update_hla(Reporter& reporter, const Entry& section, HlaSettings& hla) {
    prepare(reporter, section, hla);
    MapReader map(reporter, "hla", section.value);
    update_attributes(reporter, map, "outputs", hla.outputs);
    update_attributes(reporter, map, "inputs", hla.inputs);
    map.report_unknown_keys();
}

void write_hla(Lines& lines, const HlaSettings& hla) {
    if (hla.empty()) return;
    lines.add(0, "hla");
    write_attributes(lines, "outputs", hla.outputs);
    write_attributes(lines, "inputs", hla.inputs);
}

} // namespace rubato::scenario::formats
