// SPDX-License-Identifier: Apache-2.0
#include "setting_paths.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/files/output_file.hpp>
#include <rubato/pipeline/overrides.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/parameter_files.hpp>
#include <rubato/scenario/system.hpp>

#include <algorithm>

namespace rubato::pipeline {
namespace {

using scenario::FileValue;
using scenario::NestedScenario;
using scenario::Scenario;
using scenario::Variable;

/// The variable that a path leads to. nullopt: there is none, or it is one of a scenario as a whole;
/// who applies the setting reports what is wrong.
std::optional<Variable> find_variable(const std::string& path, const Scenario& scenario,
                                      unit::Library& library) {
    const std::size_t dot = path.find('.');
    if (dot == std::string::npos) return std::nullopt;
    const std::size_t slash = path.substr(0, dot).find('/');
    const std::string name = path.substr(0, std::min(slash, dot));
    const auto unit = std::ranges::find(scenario.units, name, &scenario::Unit::name);
    if (unit == scenario.units.end()) return std::nullopt;
    const auto* const nested = std::get_if<NestedScenario>(&unit->origin);
    if (slash != std::string::npos) {
        if (!nested || !nested->scenario) return std::nullopt;
        return find_variable(path.substr(slash + 1), *nested->scenario, library);
    }
    if (nested) return std::nullopt;
    try {
        const scenario::UnitDescription description =
            unit->is_only_declared() ? scenario::declared_description(*unit)
                                     : library.describe(*unit, scenario.file.parent_path());
        const auto index = description.find_variable(path.substr(dot + 1));
        return index ? std::optional(description.variables[*index]) : std::nullopt;
    } catch (const InputError&) {
        return std::nullopt; // assembling reports what is wrong with the unit
    }
}

void convert(FileValue& value, const Variable& variable, Diagnostics& diagnostics) {
    if (variable.unit.empty() || variable.unit == value.unit) return;
    if (!value.measure || !variable.measure) {
        diagnostics.warning(value.where,
                            format("\"{}\" is given in \"{}\" and taken in \"{}\" as it is: "
                                   "nothing says what one of them is",
                                   value.setting.path, value.unit, variable.unit));
        return;
    }
    if (const auto found = conversion(*value.measure, *variable.measure))
        value.convert(*found);
    else
        diagnostics.error(value.where,
                          format("\"{}\" is given in \"{}\", which cannot be converted to \"{}\"",
                                 value.setting.path, value.unit, variable.unit));
}

} // namespace

std::vector<scenario::Override> read_parameters(const std::filesystem::path& file,
                                                const Scenario& scenario, unit::Library& library,
                                                Diagnostics& diagnostics) {
    std::vector<scenario::Override> overrides;
    std::string text;
    try {
        text = files::read_file(file);
    } catch (const InputError& fault) {
        diagnostics.error({}, fault.what());
        return overrides;
    }
    for (FileValue& value : scenario::parse_parameters(std::move(text), file, diagnostics)) {
        if (!value.unit.empty())
            if (const auto variable =
                    find_variable(short_form(value.setting.path), scenario, library))
                convert(value, *variable, diagnostics);
        overrides.push_back(std::move(value.setting));
    }
    return overrides;
}

} // namespace rubato::pipeline
