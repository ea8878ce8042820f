// SPDX-License-Identifier: Apache-2.0
#include "systems/write_ssd.hpp"

#include <rubato/files/archive_writer.hpp>
#include <rubato/files/temporary_folder.hpp>
#include <rubato/pipeline/export.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/ssp.hpp>
#include <rubato/scenario/yaml.hpp>

#include <map>
#include <set>

namespace rubato::pipeline {

namespace fs = std::filesystem;

namespace {

/// The FMUs of a scenario, as they lie in the package.
class PackedFmus {
public:
    PackedFmus(unit::Library& library, Diagnostics& diagnostics)
        : library_(library), diagnostics_(diagnostics) {}

    /// The same scenario with paths relative to the package, and scenarios within it inline.
    scenario::Scenario packed(scenario::Scenario scenario) {
        const fs::path folder = scenario.file.parent_path();
        for (scenario::Unit& unit : scenario.units) take_in(unit, folder);
        return scenario;
    }

    void write(files::ArchiveWriter& archive) {
        for (const auto& [file, place] : places_) {
            std::error_code absent;
            if (!fs::is_directory(file, absent)) {
                archive.add_file(place, file);
                continue;
            }
            const fs::path zipped = folder_.path() / fs::path(place).filename();
            files::ArchiveWriter fmu(zipped);
            for (const auto& entry : fs::recursive_directory_iterator(file))
                if (entry.is_regular_file())
                    fmu.add_file(entry.path().lexically_relative(file).generic_string(),
                                 entry.path());
            fmu.finish();
            archive.add_file(place, zipped);
        }
    }

    std::vector<std::string> names() const { return {taken_.begin(), taken_.end()}; }

private:
    void take_in(scenario::Unit& unit, const fs::path& folder) try {
        if (auto* const nested = std::get_if<scenario::NestedScenario>(&unit.origin)) {
            *nested = {{}, std::make_shared<const scenario::Scenario>(packed(*nested->scenario))};
            return;
        }
        auto* const fmu = std::get_if<scenario::FmuFile>(&unit.origin);
        if (!fmu) {
            diagnostics_.error(
                unit.where, format("unit \"{}\" is no FMU: SSP has no other components", unit.name),
                "make an FMU of a native model (docs/how-to/write-a-model.md); "
                "export the whole as one FMU: -o name.fmu");
            return;
        }
        const fs::path file = fs::weakly_canonical(library_.find_copyable_fmu(unit, folder));
        const auto [entry, is_new] = places_.try_emplace(file);
        for (int copy = 1; is_new && (copy == 1 || !taken_.insert(entry->second).second); ++copy)
            entry->second = format("resources/{}{}.fmu", file.stem().string(),
                                   copy == 1 ? std::string() : format("-{}", copy));
        fmu->file = entry->second;
    } catch (const InputError& error) {
        diagnostics_.error(unit.where, format("unit \"{}\": {}", unit.name, error.what()));
    }

    unit::Library& library_;
    Diagnostics& diagnostics_;
    std::map<fs::path, std::string> places_;
    std::set<std::string> taken_;
    files::TemporaryFolder folder_;
};

/// What the author left open stays so: who reads the package fills it in again.
void reopen(scenario::Experiment& experiment,
            const std::vector<scenario::DefaultedSetting>& assumed) {
    for (const scenario::DefaultedSetting& each : assumed) {
        experiment.open.start |= each.name == "start";
        experiment.open.stop |= each.name == "stop";
        experiment.open.step |= each.name == "step";
        if (each.name == "tolerance") experiment.tolerance.reset();
    }
}

} // namespace

std::optional<Exported> export_ssp(const Assembly& assembly, unit::Library& library,
                                   const ExportSettings& settings, Diagnostics& diagnostics) {
    std::error_code trouble;
    if (!settings.overwrite && fs::exists(settings.target, trouble))
        throw InputError(format("{} exists", settings.target.string()), "--force replaces it");
    PackedFmus fmus(library, diagnostics);
    scenario::Scenario packed = fmus.packed(assembly.scenario);
    reopen(packed.experiment, assembly.assumed);
    if (diagnostics.has_errors()) return std::nullopt;
    const std::string description = scenario::with_scenario(
        write_ssd(assembly, packed, diagnostics), scenario::write_yaml(packed));
    files::ArchiveWriter archive(settings.target);
    archive.add(std::string(scenario::default_ssd), description);
    fmus.write(archive);
    archive.finish();
    Exported result;
    result.contents = fmus.names();
    result.bytes = fs::file_size(settings.target);
    return result;
}

} // namespace rubato::pipeline
