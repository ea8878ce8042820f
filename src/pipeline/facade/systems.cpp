// SPDX-License-Identifier: Apache-2.0
#include "scenario.hpp"
#include "systems/relocate.hpp"

#include <rubato/analysis.hpp>
#include <rubato/core/text.hpp>
#include <rubato/files/output_file.hpp>
#include <rubato/pipeline/export.hpp>
#include <rubato/pipeline/formats.hpp>
#include <rubato/pipeline/import.hpp>
#include <rubato/pipeline/transform.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>

namespace rubato {

using facade::Access;

std::uintmax_t export_ssp(const Scenario& scenario, const std::filesystem::path& target,
                          bool overwrite) {
    const Access::Loaded& loaded = Access::of(scenario);
    const pipeline::Assembly assembly =
        facade::assemble(loaded.scenario, {}, *loaded.library, *loaded.log);
    Diagnostics diagnostics;
    const auto exported = pipeline::export_ssp(
        assembly, *loaded.library, {.target = target, .overwrite = overwrite}, diagnostics);
    diagnostics.throw_if_errors();
    facade::log_remarks(diagnostics, *loaded.log);
    return exported->bytes;
}

void save(const Scenario& scenario, const std::filesystem::path& file) {
    const Access::Loaded& loaded = Access::of(scenario);
    const pipeline::Format& format_of_file = pipeline::scenario_format(file);
    const auto& extensions = format_of_file.extensions;
    if (std::ranges::find(extensions, file.extension().string()) == extensions.end())
        throw InputError(format("a scenario cannot be saved as \"{}\"", file.string()),
                         "name a .yaml or .conf file");
    const scenario::Scenario moved = pipeline::relocated(loaded.scenario, file.parent_path());
    if (format_of_file.losses)
        for (const std::string& loss : format_of_file.losses(moved))
            loaded.log->write(LogLevel::warning, "",
                              format("{} cannot hold {}", file.string(), loss));
    files::write_atomically(file, format_of_file.write(moved));
}

Scenario import_system(const std::filesystem::path& system, const std::filesystem::path& target,
                       const ImportOptions& options, const LoadOptions& load) {
    Diagnostics diagnostics;
    const auto imported = pipeline::import_system(
        system,
        {.target = target, .read = {.variant = options.variant}, .overwrite = options.overwrite},
        diagnostics);
    diagnostics.throw_if_errors();
    facade::log_remarks(diagnostics, facade::log_of(load));
    return rubato::load(target, load);
}

Transformation transform_scenario(const Scenario& scenario, std::span<const std::string> concerns) {
    const Access::Loaded& loaded = Access::of(scenario);
    if (loaded.scenario.units.empty()) throw InputError("the scenario has no units", "add one");
    std::vector<transform::Concern> chosen;
    for (const std::string& name : concerns) {
        const auto concern = transform::find_concern(name);
        if (!concern)
            throw InputError(format("there is no concern \"{}\"", name),
                             suggest(name, transform::concern_names(), "the concerns"));
        chosen.push_back(*concern);
    }
    if (chosen.empty())
        for (const transform::Transformation& each : transform::transformations())
            chosen.push_back(each.concern);
    Diagnostics diagnostics;
    auto transformed =
        pipeline::transform_scenario(loaded.scenario, *loaded.library, chosen, diagnostics);
    diagnostics.throw_if_errors();
    facade::log_remarks(diagnostics, *loaded.log);
    Access::Loaded result = loaded;
    result.scenario = std::move(transformed->scenario);
    Transformation found{.scenario = Access::make_scenario(std::move(result)), .stages = {}};
    for (pipeline::TransformStage& stage : transformed->stages)
        found.stages.push_back({std::string(to_string(stage.transformation->concern)),
                                stage.is_present, std::move(stage.explanation)});
    return found;
}

} // namespace rubato
