// SPDX-License-Identifier: Apache-2.0
#include "moved_files.hpp"

#include <memory>
#include <utility>

namespace rubato::pipeline {

namespace fs = std::filesystem;

namespace {

fs::path moved(const fs::path& file, const fs::path& from, const fs::path& to) {
    if (file.empty() || file.is_absolute()) return file;
    const fs::path target = fs::absolute(from / file).lexically_normal();
    const fs::path folder = to.empty() ? fs::current_path() : fs::absolute(to);
    const fs::path relative = target.lexically_relative(folder.lexically_normal());
    return relative.empty() ? target : relative;
}

} // namespace

void move_files(scenario::Scenario& scenario, const fs::path& from, const fs::path& to) {
    for (scenario::Unit& unit : scenario.units) {
        if (auto* const fmu = std::get_if<scenario::FmuFile>(&unit.origin))
            fmu->file = moved(fmu->file, from, to);
        if (auto* const table = std::get_if<scenario::TableFile>(&unit.origin))
            table->file = moved(table->file, from, to);
        auto* const nested = std::get_if<scenario::NestedScenario>(&unit.origin);
        if (!nested) continue;
        if (!nested->file.empty()) {
            nested->file = moved(nested->file, from, to);
        } else if (nested->scenario) {
            auto inner = std::make_shared<scenario::Scenario>(*nested->scenario);
            move_files(*inner, from, to);
            nested->scenario = std::move(inner);
        }
    }
}

} // namespace rubato::pipeline
