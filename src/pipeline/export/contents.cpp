// SPDX-License-Identifier: Apache-2.0
#include "export/contents.hpp"

#include <rubato/files/archive.hpp>
#include <rubato/models.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <system_error>
#include <utility>

namespace rubato::pipeline {

namespace fs = std::filesystem;

namespace {

constexpr files::ArchiveKind inner_fmu{.name = "FMU", .marker = "modelDescription.xml"};
constexpr const char* fmu_folder = "fmus";
constexpr const char* table_folder = "tables";

/// Names that every file system takes.
std::string plain_name(const fs::path& file) {
    std::string name = file.stem().string();
    for (char& c : name) {
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!is_letter && !(c >= '0' && c <= '9') && c != '-') c = '_';
    }
    return name.empty() ? "unnamed" : name;
}

} // namespace

std::string Contents::place_of(const fs::path& file, const std::string& folder,
                               const std::string& extension) {
    std::error_code unknown;
    const fs::path known = fs::weakly_canonical(file, unknown);
    std::string& place = places_[unknown ? file : known];
    if (!place.empty()) return place;
    const std::string name = plain_name(file);
    for (int copy = 1; place.empty() || !taken_.insert(place).second; ++copy)
        place = format("{}/{}{}{}", folder, name, copy == 1 ? "" : format("-{}", copy), extension);
    return place;
}

void Contents::check_instances(const scenario::Unit& unit, const fs::path& folder,
                               const fs::path& file) {
    if (!library_.describe(unit, folder).capabilities.one_instance_per_process) return;
    if (only_once_.insert(file).second) return;
    diagnostics_.error(unit.where,
                       format("unit \"{}\": {} allows one instance per process "
                              "(canBeInstantiatedOnlyOncePerProcess), and is used twice",
                              unit.name, file.filename().string()),
                       "an FMU cannot start processes of its own: use an FMU without this limit");
}

void Contents::take_in(scenario::Unit& unit, scenario::FmuFile& fmu, const fs::path& folder) try {
    const fs::path file = library_.find_copyable_fmu(unit, folder);
    inputs_.insert(file);
    check_instances(unit, folder, file);
    fmu.file = place_of(file, fmu_folder, "");
} catch (const InputError& error) {
    diagnostics_.error(unit.where, format("unit \"{}\": {}", unit.name, error.what()));
}

void Contents::take_in(scenario::Unit&, scenario::TableFile& table, const fs::path& folder) {
    const fs::path file = folder / table.file;
    inputs_.insert(file);
    table.file = place_of(file, table_folder, ".csv");
}

/// Programs may have models of their own.
void Contents::check(const scenario::Unit& unit, const scenario::NativeModel& model) {
    const bool is_known = std::ranges::any_of(
        models::all(), [&](const model::ModelType* each) { return each->name == model.name; });
    if (!is_known)
        diagnostics_.error(unit.where,
                           format("unit \"{}\": the model \"{}\" is part of this program only",
                                  unit.name, model.name),
                           "make it an FMU (docs/how-to/write-a-model.md)");
}

void Contents::take_in(scenario::Unit& unit, const fs::path& folder) {
    if (unit.isolate)
        diagnostics_.error(
            unit.isolate->where.file.empty() ? unit.where : unit.isolate->where,
            format("unit \"{}\" is to run in a process of its own, which an FMU cannot start",
                   unit.name),
            "remove isolate from the unit");
    if (unit.is_only_declared())
        diagnostics_.error(
            unit.where,
            format("unit \"{}\" is only declared: there is nothing to export", unit.name),
            "give it an FMU or a native model");
    if (auto* const fmu = std::get_if<scenario::FmuFile>(&unit.origin))
        take_in(unit, *fmu, folder);
    else if (auto* const table = std::get_if<scenario::TableFile>(&unit.origin))
        take_in(unit, *table, folder);
    else if (const auto* const model = std::get_if<scenario::NativeModel>(&unit.origin))
        check(unit, *model);
    else if (auto* const nested = std::get_if<scenario::NestedScenario>(&unit.origin))
        *nested = {{}, std::make_shared<const scenario::Scenario>(taken_in(*nested->scenario))};
}

scenario::Scenario Contents::taken_in(scenario::Scenario scenario) {
    if (!scenario.file.empty()) inputs_.insert(scenario.file);
    const fs::path folder = scenario.file.parent_path();
    for (scenario::Unit& unit : scenario.units) take_in(unit, folder);
    return scenario;
}

std::vector<std::string> Contents::names() const { return {taken_.begin(), taken_.end()}; }

void Contents::pack(files::ArchiveWriter& archive) {
    for (const auto& [file, place] : places_) {
        const std::string entry = "resources/" + place;
        std::error_code absent;
        if (fs::is_directory(file, absent)) {
            archive.add_folder(entry, file);
        } else if (place.starts_with(table_folder)) {
            archive.add_file(entry, file);
        } else {
            unpacked_.push_back(std::make_unique<files::TemporaryFolder>());
            files::Archive(file, inner_fmu, {}).unpack(unpacked_.back()->path());
            archive.add_folder(entry, unpacked_.back()->path());
        }
    }
}

} // namespace rubato::pipeline
