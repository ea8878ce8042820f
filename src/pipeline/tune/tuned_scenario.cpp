// SPDX-License-Identifier: Apache-2.0
#include "tune/candidates.hpp"

#include <memory>

namespace rubato::pipeline {
namespace {

namespace fs = std::filesystem;

/// From the folder of the scenario to another one.
fs::path moved(const fs::path& file, const fs::path& from, const fs::path& to) {
    if (file.empty() || file.is_absolute()) return file;
    const fs::path whole = fs::absolute(from / file).lexically_normal();
    const fs::path relative = whole.lexically_relative(fs::absolute(to).lexically_normal());
    return relative.empty() ? whole : relative;
}

/// Files that a scenario names are relative to its folder, those of inline scenarios too.
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

} // namespace

scenario::Scenario tuned_scenario(const scenario::Scenario& scenario, unit::Library& library,
                                  const TuneCandidate& best, const std::filesystem::path& folder) {
    Diagnostics diagnostics;
    const Assembly assembly = assemble(scenario, library, diagnostics);
    diagnostics.throw_if_errors();
    scenario::Scenario tuned = with_candidate(scenario, best, tuned_system(assembly).inputs);
    if (tuned.file.string() != "-")
        move_files(tuned,
                   tuned.file.parent_path().empty() ? fs::path(".") : tuned.file.parent_path(),
                   folder.empty() ? fs::path(".") : folder);
    return tuned;
}

} // namespace rubato::pipeline
