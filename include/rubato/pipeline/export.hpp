// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/pipeline/assembly.hpp>
#include <rubato/unit/library.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rubato::pipeline {

/// Versions of FMI that a scenario can be exported for.
enum class ExportVersion : std::uint8_t { fmi2, fmi3 };

struct ExportSettings {
    std::filesystem::path target; ///< the FMU
    ExportVersion version = ExportVersion::fmi2;
    bool overwrite = false; ///< a file that exists
};

/// What was exported.
struct Exported {
    scenario::UnitDescription description; ///< of the whole: its variables are those of the FMU
    std::vector<std::string> contents;     ///< inner FMUs and tables, as the scenario names them
    std::uintmax_t bytes = 0;              ///< of the FMU
};

/// Writes one co-simulation FMU that holds a scenario and all that it needs. Throws InputError when
/// the target must not be written, and Error when it cannot be. All that prevents the export goes
/// to `diagnostics`; nothing is written then, and the result is nullopt.
std::optional<Exported> export_fmu(const Assembly& assembly, unit::Library& library,
                                   const ExportSettings& settings, Diagnostics& diagnostics);

/// Writes an SSP 1.0 package that holds the FMUs of a scenario; all units are FMUs or scenarios.
/// What only Rubato knows is in an annotation: read again, the scenario is the same. What other
/// tools will miss goes to `diagnostics`. Otherwise as above; the result has no description.
std::optional<Exported> export_ssp(const Assembly& assembly, unit::Library& library,
                                   const ExportSettings& settings, Diagnostics& diagnostics);

} // namespace rubato::pipeline
