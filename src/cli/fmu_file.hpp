// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>

namespace rubato::cli {

/// Throws an InputError that names the right command if the file name shows that a file is not an
/// FMU, but a scenario, a table or a system of another tool.
void require_fmu(const std::filesystem::path& file);

} // namespace rubato::cli
