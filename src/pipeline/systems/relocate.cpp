// SPDX-License-Identifier: Apache-2.0
#include "systems/relocate.hpp"

#include <memory>
#include <utility>

namespace rubato::pipeline {
namespace {

namespace fs = std::filesystem;
using scenario::Scenario;

void relocate(fs::path& file, const fs::path& from, const fs::path& to) {
    if (file.empty() || file.is_absolute()) return;
    const fs::path target = fs::absolute(from / file).lexically_normal();
    const fs::path moved = target.lexically_relative(to);
    file = moved.empty() ? target : moved;
}

void relocate(Scenario& scenario, const fs::path& from, const fs::path& to) {
    for (scenario::Unit& unit : scenario.units) {
        if (auto* const fmu = std::get_if<scenario::FmuFile>(&unit.origin))
            relocate(fmu->file, from, to);
        if (auto* const table = std::get_if<scenario::TableFile>(&unit.origin))
            relocate(table->file, from, to);
        auto* const nested = std::get_if<scenario::NestedScenario>(&unit.origin);
        if (!nested) continue;
        if (!nested->file.empty()) {
            relocate(nested->file, from, to);
        } else if (nested->scenario) { // inline: its files are named from the same folder
            Scenario inner = *nested->scenario;
            relocate(inner, from, to);
            nested->scenario = std::make_shared<const Scenario>(std::move(inner));
        }
    }
}

} // namespace

Scenario relocated(Scenario scenario, const fs::path& folder) {
    const fs::path to = fs::absolute(folder.empty() ? fs::path(".") : folder).lexically_normal();
    relocate(scenario, scenario.file.parent_path(), to);
    return scenario;
}

} // namespace rubato::pipeline
