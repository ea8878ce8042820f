// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace rubato::cli {

/// "0.1.0"
std::string version();

/// "rubato 0.1.0", then commit, compiler, build type, FMI versions and libraries: a line each.
std::string version_text();

} // namespace rubato::cli
