// SPDX-License-Identifier: Apache-2.0
#include "fmu_factory.hpp"

#include "isolated/isolated_unit.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cstdlib>
#include <system_error>

namespace rubato::unit {

namespace fs = std::filesystem;

namespace {

constexpr const char* search_variable = "RUBATO_FMU_PATH";

/// The folders that the user's environment names, separated by colons.
std::vector<fs::path> search_folders() {
    std::vector<fs::path> folders;
    const char* list = std::getenv(search_variable);
    std::string_view rest = list == nullptr ? "" : list;
    while (!rest.empty()) {
        const std::size_t colon = std::min(rest.find(':'), rest.size());
        if (colon > 0) folders.emplace_back(rest.substr(0, colon));
        rest.remove_prefix(std::min(colon + 1, rest.size()));
    }
    return folders;
}

/// Where an FMU that a scenario names may be, best first.
std::vector<fs::path> candidates(const fs::path& fmu, const fs::path& folder) {
    if (fmu.is_absolute()) return {fmu};
    std::vector<fs::path> found = {folder / fmu};
    for (const fs::path& other : search_folders()) found.push_back(other / fmu.filename());
    return found;
}

/// Relative paths are relative to `base`.
fs::path find_file(const fs::path& fmu, const fs::path& folder, const fs::path& base) {
    const auto paths = candidates(fmu, folder);
    for (const fs::path& path : paths) {
        std::error_code absent;
        if (fs::exists(base / path, absent)) return path;
    }
    std::vector<std::string> looked;
    for (const fs::path& path : paths) looked.push_back(path.lexically_normal().string());
    throw InputError(
        format("there is no FMU \"{}\"; looked for {}", fmu.string(), fmt::join(looked, ", ")),
        format("correct the path, or name the folder that holds it in {}", search_variable));
}

} // namespace

FmuFactory::FmuFactory(Log& log, const files::ArchiveLimits& limits, Strictness strictness)
    : log_(log), limits_(limits), strictness_(strictness) {
    std::error_code gone;
    base_ = fs::current_path(gone);
}

bool FmuFactory::makes(const scenario::UnitOrigin& origin) const {
    return std::holds_alternative<scenario::FmuFile>(origin);
}

Fmu& FmuFactory::open(const fs::path& file) {
    std::error_code absent;
    const fs::path canonical = fs::weakly_canonical(base_ / file, absent);
    auto& slot = fmus_[absent ? file : canonical];
    if (!slot) slot = std::make_unique<Fmu>(file, limits_, strictness_, log_);
    return *slot;
}

Fmu& FmuFactory::open(const scenario::Unit& unit, const fs::path& folder) {
    return open(find_file(std::get<scenario::FmuFile>(unit.origin).file, folder, base_));
}

const scenario::UnitDescription& FmuFactory::describe(const scenario::Unit& unit,
                                                      const fs::path& folder) {
    return open(unit, folder).describe(unit.type);
}

/// In a process of its own if the scenario isolates it, or if the FMU allows one instance per
/// process and has one in this.
std::unique_ptr<Unit> FmuFactory::instantiate(const scenario::Unit& unit, const fs::path& folder) {
    Fmu& fmu = open(unit, folder);
    const scenario::SolverSettings solver = unit.solver.value_or(scenario::SolverSettings{});
    const scenario::LoggingSettings logging = unit.logging.value_or(scenario::LoggingSettings{});
    const bool taken = fmu.is_taken(unit.type);
    if (!unit.isolate && !taken)
        return fmu.instantiate(unit.name, unit.type, solver, logging, log_);
    if (!unit.isolate) {
        log_.write(LogLevel::info, unit.name,
                   format("runs in a process of its own: {} allows one instance per process "
                          "(canBeInstantiatedOnlyOncePerProcess), and there is one already",
                          fmu.file().string()));
    }
    return std::make_unique<IsolatedUnit>(
        IsolatedOrigin{unit.name, fmu.absolute_file(), unit.type, solver, logging, limits_,
                       strictness_},
        fmu.describe(unit.type), unit.isolate.value_or(scenario::IsolationSettings{}), log_);
}

std::vector<fs::path> FmuFactory::files() const {
    std::vector<fs::path> files;
    for (const auto& [file, fmu] : fmus_) files.push_back(file);
    return files;
}

} // namespace rubato::unit
