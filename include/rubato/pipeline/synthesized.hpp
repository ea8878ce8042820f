// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/pipeline/assembly.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace rubato::pipeline {

/// The names of formats that `write_synthesized` knows: text, and all that scenarios are written in.
std::vector<std::string> synthesized_formats();

/// The algorithm as text, or the scenario with its contracts and the algorithm written out in a
/// format of scenarios. What the format cannot express is added to `losses`. Throws InputError.
std::string write_synthesized(const Assembly& assembly, std::string_view format,
                              std::vector<std::string>& losses);

} // namespace rubato::pipeline
