// SPDX-License-Identifier: Apache-2.0
#include "yaml_overrides.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <utility>

namespace rubato::scenario::formats {

namespace {

Entry* find_entry(Node& map, std::string_view key) {
    const auto found = std::ranges::find(map.entries, key, &Entry::key);
    return found == map.entries.end() ? nullptr : &*found;
}

void wrap(Node& document, std::string_view section, Kind short_form, std::string_view key) {
    Entry* entry = find_entry(document, section);
    if (!entry || entry->value.kind != short_form) return;
    Node map;
    map.kind = Kind::map;
    map.mark = entry->value.mark;
    map.entries.push_back({std::string(key), entry->value.mark, std::move(entry->value)});
    entry->value = std::move(map);
}

/// `isolate: true` is short for all settings as they are by default.
void expand_isolation(Node& unit) {
    Entry* entry = find_entry(unit, "isolate");
    if (!entry || entry->value.kind != Kind::scalar || entry->value.text != "true") return;
    Node map;
    map.kind = Kind::map;
    map.mark = entry->value.mark;
    entry->value = std::move(map);
}

/// Takes what stands before the first dot off the front.
std::string take_key(std::string_view& path) {
    const std::size_t dot = path.find('.');
    std::string key(path.substr(0, dot));
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
    return key;
}

/// Names of variables may contain dots, so in the maps that have them as keys the rest of the path
/// is the key, but for the setting of an input or output at its end.
std::vector<std::string> split_variable(std::string_view section, std::string_view rest,
                                        bool value_is_map) {
    const bool has_settings = section == "inputs" || section == "outputs";
    const std::size_t dot = rest.rfind('.');
    if (!has_settings || value_is_map || dot == std::string_view::npos) return {std::string(rest)};
    return {std::string(rest.substr(0, dot)), std::string(rest.substr(dot + 1))};
}

bool has_variables_as_keys(std::string_view section) {
    return section == "parameters" || section == "start" || section == "inputs" ||
           section == "outputs";
}

/// The keys that lead to the setting.
std::vector<std::string> split(std::string_view path, bool value_is_map) {
    std::vector<std::string> keys;
    while (!path.empty()) {
        keys.push_back(take_key(path));
        if (keys.size() == 3 && keys[0] == "units" && has_variables_as_keys(keys[2]) &&
            !path.empty()) {
            for (std::string& key : split_variable(keys[2], path, value_is_map))
                keys.push_back(std::move(key));
            break;
        }
    }
    return keys;
}

/// Creating a unit takes a whole unit: a deeper path into one that is missing is a slip.
bool is_in_missing_unit(const std::vector<std::string>& keys, Node& document) {
    if (keys.size() < 3 || keys[0] != "units") return false;
    Entry* units = find_entry(document, "units");
    return !units || !find_entry(units->value, keys[1]);
}

void report_missing_unit(const std::string& name, Node& document, Mark mark, Reporter& reporter) {
    std::vector<std::string> names;
    if (const Entry* units = find_entry(document, "units")) {
        for (const Entry& entry : units->value.entries) names.push_back(entry.key);
    }
    reporter.error(mark, format("the scenario has no unit \"{}\"", name),
                   suggest(name, names, "its units"));
}

/// The map under a key, made if it is missing. Null if something else is there.
Node* descend(Node& map, const std::string& key, Mark mark) {
    if (!find_entry(map, key)) map.entries.push_back({key, mark, {}});
    Node& value = find_entry(map, key)->value;
    if (value.kind == Kind::null) {
        value.kind = Kind::map;
        value.mark = mark;
    }
    return value.kind == Kind::map ? &value : nullptr;
}

void assign(Node& document, const std::vector<std::string>& keys, Node value, Mark mark,
            Reporter& reporter) {
    Node* map = &document;
    for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
        map = descend(*map, keys[i], mark);
        if (!map) {
            reporter.error(mark, format("\"{}\" has no settings of its own", keys[i]),
                           "it is no map: set it as a whole");
            return;
        }
    }
    if (Entry* entry = find_entry(*map, keys.back())) {
        entry->mark = mark;
        entry->value = std::move(value);
    } else {
        map->entries.push_back({keys.back(), mark, std::move(value)});
    }
}

void apply(const Override& override, std::uint32_t source, Node& document, Reporter& reporter) {
    const Mark mark{source, 0, 0};
    std::optional<Node> value = parse_yaml_tree(override.value, source, reporter);
    if (!value) return;
    const auto keys = split(override.path, value->kind == Kind::map);
    if (keys.empty() || std::ranges::find(keys, "") != keys.end() || override.path.back() == '.') {
        reporter.error(mark, format("\"{}\" is no path to a setting", override.path),
                       "write keys joined by dots, such as experiment.step");
        return;
    }
    if (is_in_missing_unit(keys, document)) {
        report_missing_unit(keys[1], document, mark, reporter);
        return;
    }
    assign(document, keys, std::move(*value), mark, reporter);
    expand_short_forms(document);
}

} // namespace

std::string name_of(const Override& override) {
    return format("--set {}={}", override.path, override.value);
}

std::vector<std::string> source_names(const std::filesystem::path& file,
                                      std::span<const Override> overrides) {
    std::vector<std::string> names = {file.string()};
    for (const Override& override : overrides) names.push_back(name_of(override));
    return names;
}

void expand_short_forms(Node& document) {
    wrap(document, "algorithm", Kind::scalar, "recipe");
    wrap(document, "loops", Kind::scalar, "method");
    wrap(document, "step-control", Kind::scalar, "controller");
    wrap(document, "events", Kind::scalar, "locate");
    wrap(document, "record", Kind::sequence, "variables");
    Entry* units = find_entry(document, "units");
    if (!units) return;
    for (Entry& unit : units->value.entries) {
        wrap(unit.value, "solver", Kind::scalar, "method");
        expand_isolation(unit.value);
    }
}

void apply(std::span<const Override> overrides, Node& document, Reporter& reporter) {
    for (std::size_t i = 0; i < overrides.size(); ++i) {
        apply(overrides[i], static_cast<std::uint32_t>(i + 1), document, reporter);
    }
}

} // namespace rubato::scenario::formats
