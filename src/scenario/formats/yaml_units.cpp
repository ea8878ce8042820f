// SPDX-License-Identifier: Apache-2.0
#include "yaml_units.hpp"

#include "unit_origins.hpp"
#include "yaml_settings.hpp"

#include <algorithm>
#include <utility>

namespace rubato::scenario::formats {

namespace {

/// The values of a list of lists, row by row, and how many there are at each `depth`. False:
/// something in it is no value, or the rows are not alike, which has been reported.
bool read_elements(Reporter& reporter, const std::string& path, const Node& node,
                   Assignment& assignment, std::size_t depth = 0) {
    const auto report = [&](const Node& where, std::string_view problem) {
        reporter.error(where.mark, format("{} {}", path, problem));
        return false;
    };
    auto& shape = assignment.shape;
    if (node.items.empty()) return report(node, "has an empty row");
    const bool is_first = assignment.elements.empty();
    if (is_first && depth == shape.size()) shape.push_back(node.items.size());
    if (depth >= shape.size()) return report(node, "has rows of different depths");
    bool good = shape[depth] == node.items.size() || report(node, "has rows of different lengths");
    for (const Node& item : node.items) {
        const bool is_row = item.kind == Kind::sequence;
        if (is_row != (node.items.front().kind == Kind::sequence))
            return report(item, "mixes values and rows");
        if (is_row) {
            good = read_elements(reporter, path, item, assignment, depth + 1) && good;
        } else if (depth + 1 < shape.size()) {
            return report(item, "has rows of different depths");
        } else if (auto value = read_as<Value>(reporter, path, item)) {
            assignment.elements.push_back(std::move(*value));
        } else {
            good = false;
        }
    }
    return good;
}

/// Replaces the values of the variables that the section names; the whole section, all of them.
void update_assignments(Reporter& reporter, MapReader& unit, std::string_view section,
                        std::vector<Assignment>& assignments) {
    const Entry* entry = unit.find(section);
    if (!entry) return;
    if (!entry->value.is_path) assignments.clear();
    const auto add = [&](Assignment assignment) {
        const auto known =
            entry->value.is_path
                ? std::ranges::find(assignments, assignment.variable, &Assignment::variable)
                : assignments.end();
        if (known == assignments.end())
            assignments.push_back(std::move(assignment));
        else
            *known = std::move(assignment);
    };
    const std::string path = unit.path_of(section);
    for (const Entry* item : entries_of(reporter, path, entry->value)) {
        const std::string item_path = path + "." + item->key;
        Assignment assignment{item->key, {}, reporter.locate(item->mark), {}, {}};
        if (item->value.kind == Kind::sequence && !item->value.items.empty()) {
            if (read_elements(reporter, item_path, item->value, assignment))
                add(std::move(assignment));
        } else if (auto value = read_as<Value>(reporter, item_path, item->value)) {
            assignment.value = std::move(*value);
            add(std::move(assignment));
        }
    }
}

/// Reads a key into a member, unless the map lacks it.
template <class T>
void read_into(MapReader& map, std::string_view key, std::optional<T>& member) {
    if (auto value = map.read<T>(key)) member = std::move(value);
}

void update_input(Reporter& reporter, const std::string& path, const Entry& entry,
                  InputSettings& input) {
    MapReader map(reporter, path, entry.value);
    read_into(map, "approximation", input.approximation);
    read_into(map, "mode", input.mode);
    read_into(map, "contract", input.contract);
    read_into(map, "join", input.join);
    read_into(map, "error-gain", input.error_gain);
    read_into(map, "error-weight", input.error_weight);
    read_into(map, "variability", input.variability);
    map.report_unknown_keys();
}

void update_output(Reporter& reporter, const std::string& path, const Entry& entry,
                   OutputSettings& output) {
    MapReader map(reporter, path, entry.value);
    read_into(map, "feedthrough", output.feedthrough);
    read_into(map, "feedthrough-initial", output.feedthrough_initial);
    read_into(map, "absolute-tolerance", output.absolute_tolerance);
    read_into(map, "relative-tolerance", output.relative_tolerance);
    read_into(map, "nominal", output.nominal);
    read_into(map, "variability", output.variability);
    read_into(map, "approximation", output.approximation);
    map.report_unknown_keys();
}

/// The inputs or outputs of a unit, each read by `update_port`.
template <class Port>
void update_ports(Reporter& reporter, MapReader& unit, std::string_view section,
                  std::vector<Port>& ports,
                  void (*update_port)(Reporter&, const std::string&, const Entry&, Port&)) {
    const Entry* entry = unit.find(section);
    if (!entry) return;
    const std::string path = unit.path_of(section);
    update_named(reporter, path, entry->value, ports, &Port::name,
                 [&](const Entry& item, Port& port) {
                     update_port(reporter, path + "." + item.key, item, port);
                 });
}

/// `true` has been turned into settings already.
void update_isolation(Reporter& reporter, MapReader& map, Unit& unit) {
    const Entry* entry = map.find("isolate");
    if (!entry) return;
    if (entry->value.kind == Kind::map) {
        update_settings(reporter, map.path_of("isolate"), *entry, unit.isolate);
        return;
    }
    unit.isolate.reset();
    if (entry->value.kind != Kind::null) (void)map.read<bool>("isolate");
}

std::vector<LossSettings> read_losses(Reporter& reporter, MapReader& unit) {
    std::vector<LossSettings> losses;
    const Entry* entry = unit.find("losses");
    if (!entry) return losses;
    const std::string path = unit.path_of("losses");
    for (const Node& item : items_of(reporter, path, entry->value)) {
        MapReader map(reporter, path, item);
        const auto effort = map.read<std::string>("effort");
        const auto displacement = map.read<std::string>("displacement");
        map.report_unknown_keys();
        if (effort && displacement)
            losses.push_back({*effort, *displacement, reporter.locate(item.mark)});
        else
            reporter.error(item.mark, format("an entry of {} lacks a variable", path),
                           "write {effort: VARIABLE, displacement: VARIABLE}");
    }
    return losses;
}

void update_unit(Reporter& reporter, const Entry& entry, Unit& unit) {
    MapReader map(reporter, "units." + entry.key, entry.value);
    const auto settings = [&](std::string_view key, auto& part) {
        if (const Entry* section = map.find(key))
            update_settings(reporter, map.path_of(key), *section, part);
    };
    update_origin(reporter, map, entry, unit);
    read_into(map, "type", unit.type);
    settings("solver", unit.solver);
    update_isolation(reporter, map, unit);
    settings("logging", unit.logging);
    update_assignments(reporter, map, "parameters", unit.parameters);
    update_assignments(reporter, map, "start", unit.start);
    update_ports(reporter, map, "inputs", unit.inputs, update_input);
    update_ports(reporter, map, "outputs", unit.outputs, update_output);
    read_into(map, "can-reject-step", unit.can_reject_step);
    read_into(map, "sub-steps", unit.sub_steps);
    read_into(map, "step", unit.step);
    if (auto energy = map.read<std::vector<std::string>>("energy")) unit.energy = *energy;
    if (map.find("losses")) unit.losses = read_losses(reporter, map);
    map.report_unknown_keys();
}

/// Creating a unit takes a whole unit: a deeper path into one that is missing is a slip.
bool report_missing_unit(Reporter& reporter, const Entry& entry, const std::vector<Unit>& units) {
    if (!entry.value.is_path) return false;
    std::vector<std::string> names;
    for (const Unit& unit : units) names.push_back(unit.name);
    if (std::ranges::find(names, entry.key) != names.end()) return false;
    reporter.error(entry.mark, format("the scenario has no unit \"{}\"", entry.key),
                   suggest(entry.key, names, "its units"));
    return true;
}

} // namespace

void update_units(Reporter& reporter, MapReader& document, bool is_path, Mark where,
                  std::vector<Unit>& units) {
    const Entry* section = document.find("units");
    if (!section) {
        if (is_path) return;
        reporter.error(where, "the key \"units\" is missing",
                       "a scenario has at least one unit: units: {msd1: {fmu: msd1.fmu}}");
        return;
    }
    const Node& node = section->value;
    for (const Entry& entry : node.entries)
        if (report_missing_unit(reporter, entry, units)) return;
    update_named(reporter, "units", node, units, &Unit::name, [&](const Entry& entry, Unit& unit) {
        check_unit_name(reporter, entry);
        update_unit(reporter, entry, unit);
    });
    const bool is_empty = node.kind == Kind::null || node.kind == Kind::map;
    if (units.empty() && is_empty) reporter.error(section->mark, "the scenario has no units");
}

} // namespace rubato::scenario::formats
