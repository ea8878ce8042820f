// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/diagnostics.hpp>
#include <rubato/pipeline/formats.hpp>
#include <rubato/pipeline/overrides.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/system.hpp>
#include <rubato/scenario/yaml.hpp>

#include <algorithm>

namespace rubato::pipeline {
namespace {

using scenario::Override;

std::string_view first_key(std::string_view path) { return path.substr(0, path.find('.')); }

/// `msd1.m` rather than `units.msd1.parameters.m`.
bool is_short_form(const Override& setting) {
    const auto& sections = scenario::section_names();
    return std::ranges::find(sections, first_key(setting.path)) == sections.end() &&
           setting.path.find('.') != std::string::npos;
}

scenario::UnitDescription describe(const scenario::Unit& unit, const scenario::Scenario& scenario,
                                   unit::Library& library) {
    if (unit.is_only_declared()) return scenario::declared_description(unit);
    return library.describe(unit, scenario.file.parent_path());
}

std::string_view part_for(const std::string& unit_name, const std::string& variable,
                          const scenario::Scenario& scenario, unit::Library& library);

/// Whether a variable of a scenario is an input of it.
bool is_exposed_input(const scenario::Scenario& inner, const std::string& variable,
                      unit::Library& library) {
    if (inner.interface)
        return std::ranges::find(inner.interface->inputs, variable,
                                 &scenario::ExposedVariable::name) != inner.interface->inputs.end();
    const auto name = scenario::split_port_name(variable);
    return name && part_for(name->unit, name->port, inner, library) == "start";
}

/// The part of a unit that holds values for a variable. Where unit or variable are unknown, what
/// changes the scenario or assembles it says so.
std::string_view part_for(const std::string& unit_name, const std::string& variable,
                          const scenario::Scenario& scenario, unit::Library& library) {
    const auto unit = std::ranges::find(scenario.units, unit_name, &scenario::Unit::name);
    if (unit == scenario.units.end()) return "parameters";
    if (const auto* const nested = std::get_if<scenario::NestedScenario>(&unit->origin))
        return nested->scenario && is_exposed_input(*nested->scenario, variable, library)
                   ? "start"
                   : "parameters";
    try {
        const auto description = describe(*unit, scenario, library);
        const auto index = description.find_variable(variable);
        const bool is_start = index && !is_parameter(description.variables[*index].causality);
        return is_start ? "start" : "parameters";
    } catch (const InputError&) {
        return "parameters"; // assembling reports what is wrong with the unit
    }
}

Override expanded(const Override& setting, const scenario::Scenario& scenario,
                  unit::Library& library);

/// `drivetrain/clutch.mu`: of a unit of the scenario that a unit is.
Override expanded_within(const Override& setting, const std::string& unit,
                         const scenario::Scenario& scenario, unit::Library& library) {
    const auto found = std::ranges::find(scenario.units, unit, &scenario::Unit::name);
    const auto* const nested = found == scenario.units.end()
                                   ? nullptr
                                   : std::get_if<scenario::NestedScenario>(&found->origin);
    if (!nested || !nested->scenario) return setting; // whoever applies it reports that
    const Override inner{setting.path.substr(unit.size() + 1), setting.value, setting.source};
    if (!is_short_form(inner)) return setting;
    return {unit + "/" + expanded(inner, *nested->scenario, library).path, setting.value,
            setting.source};
}

Override expanded(const Override& setting, const scenario::Scenario& scenario,
                  unit::Library& library) {
    const std::string unit(first_key(setting.path));
    if (const std::size_t slash = unit.find('/'); slash != std::string::npos)
        return expanded_within(setting, unit.substr(0, slash), scenario, library);
    const std::string variable = setting.path.substr(unit.size() + 1);
    const std::string_view part = part_for(unit, variable, scenario, library);
    return {format("units.{}.{}.{}", unit, part, variable), setting.value, setting.source};
}

/// By which names a variable `unit.x` of a scenario is known outside.
std::vector<std::string> exposed_as(const scenario::Scenario& inner, const std::string& variable) {
    if (!inner.interface) return {variable};
    std::vector<std::string> names;
    for (const auto* const list : {&inner.interface->inputs, &inner.interface->parameters})
        for (const scenario::ExposedVariable& each : *list)
            if (std::ranges::find(each.of, variable) != each.of.end()) names.push_back(each.name);
    return names;
}

bool assigns(const scenario::Unit& unit, const std::string& variable) {
    const auto has = [&](const std::vector<scenario::Assignment>& list) {
        return std::ranges::find(list, variable, &scenario::Assignment::variable) != list.end();
    };
    return has(unit.parameters) || has(unit.start);
}

/// A value of an inner unit. A level around it may set it, too, by a name of its interface: that is
/// what holds.
class InnerSetting {
public:
    InnerSetting(const Override& setting, Diagnostics& diagnostics)
        : setting_(setting), diagnostics_(diagnostics) {}

    /// `path` leads from `scenario` to a setting `units.x.parameters.m`. Returns by which names,
    /// `unit.variable`, the variable is known in `scenario`.
    std::vector<std::string> report_hidden(std::string_view path,
                                           const scenario::Scenario& scenario) const {
        const std::size_t slash = path.find('/');
        if (slash == std::string_view::npos) return {variable_of(path)};
        const std::string name(path.substr(0, slash));
        const auto unit = std::ranges::find(scenario.units, name, &scenario::Unit::name);
        const auto* const nested = unit == scenario.units.end()
                                       ? nullptr
                                       : std::get_if<scenario::NestedScenario>(&unit->origin);
        if (!nested || !nested->scenario) return {}; // whoever applies it reports that
        std::vector<std::string> names;
        for (const auto& inner : report_hidden(path.substr(slash + 1), *nested->scenario)) {
            for (const std::string& exposed : exposed_as(*nested->scenario, inner)) {
                if (assigns(*unit, exposed)) report(name, exposed);
                names.push_back(format("{}.{}", name, exposed));
            }
        }
        return names;
    }

private:
    /// `units.x.parameters.m` → `x.m`; others have no part in it.
    static std::string variable_of(std::string_view path) {
        constexpr std::string_view units = "units.";
        if (!path.starts_with(units)) return {};
        path.remove_prefix(units.size());
        const std::string_view unit = first_key(path);
        for (const std::string_view part : {".parameters.", ".start."})
            if (path.substr(unit.size()).starts_with(part))
                return format("{}.{}", unit, path.substr(unit.size() + part.size()));
        return {};
    }

    void report(const std::string& unit, const std::string& variable) const {
        diagnostics_.error({},
                           format("{} has no effect: unit \"{}\" is given a value for \"{}\", "
                                  "which stands for it",
                                  name_of(setting_), unit, variable),
                           "set the outermost name of the variable, or remove that value");
    }

    const Override& setting_;
    Diagnostics& diagnostics_;
};

} // namespace

Override parse_override(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        throw InputError(format("--set {} names no value", text),
                         "write --set path=value, such as --set experiment.step=0.1 or "
                         "--set msd1.m=2");
    return {text.substr(0, equals), text.substr(equals + 1)};
}

void apply(std::span<const Override> overrides, scenario::Scenario& scenario,
           unit::Library& library, Diagnostics& diagnostics) {
    for (const Override& setting : overrides) {
        const Override path =
            is_short_form(setting) ? expanded(setting, scenario, library) : setting;
        if (path.path.find('/') != std::string::npos)
            (void)InnerSetting(setting, diagnostics).report_hidden(path.path, scenario);
        scenario::apply({&path, 1}, scenario, diagnostics);
        read_nested(scenario, diagnostics);
    }
}

} // namespace rubato::pipeline
