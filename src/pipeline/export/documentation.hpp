// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace rubato::pipeline {

/// The page that FMI wants an FMU with documentation to have. `contents` are inner FMUs and tables.
std::string index_page(const std::string& name, const std::vector<std::string>& contents);

/// Of Rubato and of the libraries within the binary of exported scenarios: whoever passes it on has
/// to pass them on.
const char* licenses_of_runtime();

} // namespace rubato::pipeline
