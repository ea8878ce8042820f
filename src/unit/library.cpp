// SPDX-License-Identifier: Apache-2.0
#include "decorators/sub_stepping.hpp"
#include "fmu/fmu.hpp"
#include "isolated/isolated_unit.hpp"
#include "native/native_unit.hpp"
#include "table/table_unit.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/core/text.hpp>
#include <rubato/private/floating_point.hpp>
#include <rubato/private/format.hpp>
#include <rubato/unit/library.hpp>

#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

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

/// The inputs that a scenario lets move within steps.
std::vector<std::uint32_t> moving_inputs(const scenario::Unit& unit,
                                         const scenario::UnitDescription& description) {
    std::vector<std::uint32_t> moving;
    for (const scenario::InputSettings& input : unit.inputs) {
        if (input.approximation.value_or(scenario::Approximation::constant) ==
            scenario::Approximation::constant)
            continue;
        if (const auto variable = description.find_variable(input.name))
            moving.push_back(*variable);
    }
    return moving;
}

} // namespace

struct Library::Implementation {
    struct Native {
        model::ModelType type;
        scenario::UnitDescription description;
    };

    Fmu& open(const fs::path& file);
    Fmu& open(const fs::path& fmu, const fs::path& folder) {
        return open(find_file(fmu, folder, base));
    }
    std::unique_ptr<Unit> instantiate(const scenario::Unit& unit, Fmu& fmu);
    std::unique_ptr<Unit> instantiate(const scenario::Unit& unit, const fs::path& folder);
    const Native& find_native(const std::string& name) const;
    const Table& open_table(const scenario::Unit& unit, const fs::path& folder);

    Log& log;
    ArchiveLimits limits;
    Strictness strictness;
    fs::path base; ///< the working directory at first: FMUs may change it
    std::map<fs::path, std::unique_ptr<Fmu>> fmus; ///< by canonical path
    std::map<std::string, Native> natives;
    /// By file and what its columns hold.
    std::map<std::pair<fs::path, std::vector<std::string>>, std::unique_ptr<Table>> tables;
};

Fmu& Library::Implementation::open(const fs::path& file) {
    std::error_code absent;
    const fs::path canonical = fs::weakly_canonical(base / file, absent);
    auto& slot = fmus[absent ? file : canonical];
    if (!slot) slot = std::make_unique<Fmu>(file, limits, strictness, log);
    return *slot;
}

std::unique_ptr<Unit> Library::Implementation::instantiate(const scenario::Unit& unit, Fmu& fmu) {
    const scenario::SolverSettings solver = unit.solver.value_or(scenario::SolverSettings{});
    const scenario::LoggingSettings logging = unit.logging.value_or(scenario::LoggingSettings{});
    const bool taken = fmu.is_taken(unit.type);
    if (!unit.isolate && !taken) return fmu.instantiate(unit.name, unit.type, solver, logging, log);
    if (!unit.isolate) {
        log.write(LogLevel::info, unit.name,
                  format("runs in a process of its own: {} allows one instance per process "
                         "(canBeInstantiatedOnlyOncePerProcess), and there is one already",
                         fmu.file().string()));
    }
    return std::make_unique<IsolatedUnit>(
        IsolatedOrigin{unit.name, fmu.absolute_file(), unit.type, solver, logging, limits,
                       strictness},
        fmu.describe(unit.type), unit.isolate.value_or(scenario::IsolationSettings{}), log);
}

const Library::Implementation::Native&
Library::Implementation::find_native(const std::string& name) const {
    const auto found = natives.find(name);
    if (found != natives.end()) return found->second;
    std::vector<std::string> names;
    for (const auto& [known, native] : natives) names.push_back(known);
    throw InputError(format("there is no native model \"{}\"", name),
                     suggest(name, names, "the native models"));
}

const Table& Library::Implementation::open_table(const scenario::Unit& unit,
                                                 const fs::path& folder) {
    const fs::path file = folder / *unit.table;
    std::vector<std::string> columns;
    for (const scenario::TableColumn& column : unit.columns)
        columns.push_back(format("{} {}", column.name, to_string(column.kind)));
    auto& slot = tables[{file, std::move(columns)}];
    if (!slot) slot = std::make_unique<Table>(file, unit.columns);
    return *slot;
}

Library::Library(Log& log, ArchiveLimits limits, Strictness strictness)
    : implementation_(new Implementation{log, limits, strictness, {}, {}, {}, {}}) {
    std::error_code gone;
    implementation_->base = fs::current_path(gone);
}

Library::~Library() = default;

void Library::add(const model::ModelType& type) {
    implementation_->natives.try_emplace(type.name,
                                         Implementation::Native{type, unit::describe(type)});
}

const scenario::UnitDescription& Library::describe(const scenario::Unit& unit,
                                                   const fs::path& folder) {
    if (unit.fmu) return implementation_->open(*unit.fmu, folder).describe(unit.type);
    if (unit.table) return implementation_->open_table(unit, folder).description();
    return implementation_->find_native(unit.model.value_or("")).description;
}

const scenario::UnitDescription& Library::describe(const fs::path& fmu) {
    return implementation_->open(fmu).outline();
}

std::vector<fs::path> Library::files() const {
    std::vector<fs::path> files;
    for (const auto& [file, fmu] : implementation_->fmus) files.push_back(file);
    for (const auto& [key, table] : implementation_->tables) files.push_back(key.first);
    return files;
}

std::unique_ptr<Unit> Library::Implementation::instantiate(const scenario::Unit& unit,
                                                           const fs::path& folder) {
    if (unit.fmu) return instantiate(unit, open(*unit.fmu, folder));
    if (unit.table) {
        const bool announces = unit.stop_at_jumps.value_or(false);
        return make_table_unit(unit.name, open_table(unit, folder),
                               announces ? JumpMode::events : JumpMode::silent, log);
    }
    const Native& native = find_native(unit.model.value_or(""));
    return make_native_unit(unit.name, native.type, native.description);
}

std::unique_ptr<Unit> Library::instantiate(const scenario::Unit& unit, const fs::path& folder) try {
    const FloatingPointMode mode;
    std::unique_ptr<Unit> made = implementation_->instantiate(unit, folder);
    if (!mode.is_in_force()) {
        mode.restore();
        implementation_->log.write(
            LogLevel::info, unit.name,
            "changes how this process computes when it is loaded or instantiated (rounding mode, "
            "flushing tiny numbers to zero): that is undone");
    }
    if (unit.sub_steps) {
        const std::vector<std::uint32_t> moving = moving_inputs(unit, made->description());
        made = make_sub_stepping(std::move(made), static_cast<unsigned>(*unit.sub_steps), moving);
    }
    note_no_call();
    return made;
} catch (...) {
    rethrow_as_error(unit.name);
}

} // namespace rubato::unit
