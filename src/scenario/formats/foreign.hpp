// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>

#include <filesystem>
#include <string_view>

namespace rubato::scenario::formats {

/// Whether a file that should hold a scenario is something else that people have at hand: an FMU,
/// a system of another tool, results. What it is and what to do with it is then reported.
bool report_foreign(const std::filesystem::path& file, std::string_view text,
                    Diagnostics& diagnostics);

/// The same for a folder.
bool report_foreign_folder(const std::filesystem::path& folder, Diagnostics& diagnostics);

} // namespace rubato::scenario::formats
