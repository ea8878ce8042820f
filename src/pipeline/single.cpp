// SPDX-License-Identifier: Apache-2.0
#include <rubato/pipeline/single.hpp>

#include <string>
#include <variant>
#include <vector>

namespace rubato::pipeline {
namespace {

std::vector<std::string> column_names(const scenario::SingleRun& run, unit::Library& library) {
    std::vector<std::string> names;
    if (!run.input) return names;
    const auto table = scenario::table_unit(scenario::input_unit, *run.input);
    for (const scenario::Variable& column : library.describe(table, {}).variables)
        names.push_back(column.name);
    return names;
}

} // namespace

scenario::SingleScenario make_single(const scenario::SingleRun& run, unit::Library& library,
                                     Diagnostics& diagnostics) {
    const auto& fmu = std::get<scenario::FmuFile>(run.model.origin).file;
    scenario::SingleScenario single = scenario::single_scenario(
        run, library.describe(run.model, {}), column_names(run, library), diagnostics);
    single.scenario.name = std::filesystem::absolute(fmu / "").parent_path().stem().string();
    return single;
}

} // namespace rubato::pipeline
