// SPDX-License-Identifier: Apache-2.0
#include "short_forms.hpp"
#include "yaml_document.hpp"
#include "yaml_text.hpp"
#include "yaml_tree.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/overrides.hpp>

#include <algorithm>
#include <memory>
#include <utility>

namespace rubato::scenario {

namespace formats {
namespace {

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
        const bool is_of_unit =
            keys.size() % 3 == 0 && keys[keys.size() - 3] == "units"; // units.a.scenario.units.b.…
        if (is_of_unit && has_variables_as_keys(keys.back()) && !path.empty()) {
            for (std::string& key : split_variable(keys.back(), path, value_is_map))
                keys.push_back(std::move(key));
            break;
        }
    }
    return keys;
}

/// Whether the path is one, which is reported otherwise.
bool check_path(const Override& setting, const std::vector<std::string>& keys, Mark mark,
                Reporter& reporter) {
    if (!keys.empty() && std::ranges::find(keys, "") == keys.end() && setting.path.back() != '.')
        return true;
    reporter.error(mark, format("\"{}\" is no path to a setting", setting.path),
                   "write keys joined by dots, such as experiment.step");
    return false;
}

/// A document that holds nothing but the setting.
Node document_of(const std::vector<std::string>& keys, Node value, Mark mark) {
    for (auto key = keys.rbegin(); key != keys.rend(); ++key) {
        Node map;
        map.kind = Kind::map;
        map.is_path = true;
        map.mark = mark;
        map.entries.push_back({*key, mark, std::move(value)});
        value = std::move(map);
    }
    return value;
}

void apply(const Override& setting, const std::string& as_given, Scenario& scenario,
           Diagnostics& diagnostics);

/// `drivetrain/clutch.mu`: a setting of a scenario that is a unit, which is called `unit`.
void apply_within(const Override& setting, const std::string& as_given, const std::string& unit,
                  Scenario& scenario, Diagnostics& diagnostics) {
    const Location where{as_given, 0, 0};
    const auto found = std::ranges::find(scenario.units, unit, &Unit::name);
    if (found == scenario.units.end()) {
        std::vector<std::string> names;
        for (const Unit& each : scenario.units) names.push_back(each.name);
        diagnostics.error(where, format("the scenario has no unit \"{}\"", unit),
                          suggest(unit, names, "its units"));
        return;
    }
    auto* const nested = std::get_if<NestedScenario>(&found->origin);
    if (!nested || !nested->scenario) {
        diagnostics.error(where, format("unit \"{}\" is no scenario: it has no units", unit),
                          format("write {}.variable", unit));
        return;
    }
    Scenario inner = *nested->scenario;
    apply({setting.path.substr(unit.size() + 1), setting.value, setting.source}, as_given, inner,
          diagnostics);
    nested->scenario = std::make_shared<const Scenario>(std::move(inner));
}

void apply(const Override& setting, const std::string& as_given, Scenario& scenario,
           Diagnostics& diagnostics) {
    const std::size_t slash = setting.path.substr(0, setting.path.find('.')).find('/');
    if (slash != std::string::npos) {
        apply_within(setting, as_given, setting.path.substr(0, slash), scenario, diagnostics);
        return;
    }
    constexpr Mark mark{1, 0, 0};
    Reporter reporter({scenario.file.string(), as_given}, diagnostics);
    std::optional<Node> value = parse_yaml_tree(setting.value, mark.source, reporter);
    if (!value) return;
    const auto keys = split(setting.path, value->kind == Kind::map);
    if (!check_path(setting, keys, mark, reporter)) return;
    Node document = document_of(keys, std::move(*value), mark);
    expand_short_forms(document);
    update(reporter, document, scenario);
}

} // namespace
} // namespace formats

std::string name_of(const Override& setting) {
    return format("{} {}={}", setting.source, setting.path, setting.value);
}

void apply(std::span<const Override> overrides, Scenario& scenario, Diagnostics& diagnostics) {
    for (const Override& setting : overrides)
        formats::apply(setting, name_of(setting), scenario, diagnostics);
}

std::string to_yaml(const Value& value) { return formats::to_yaml(value); }

} // namespace rubato::scenario
