// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>

namespace rubato::cli {

/// Throws an InputError that says what to do if a file that should be an FMU is, by its name, what
/// other commands are for: a scenario, a table, a system of another tool.
void require_fmu(const std::filesystem::path& file);

} // namespace rubato::cli
