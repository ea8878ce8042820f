// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/overrides.hpp>
#include <rubato/unit/library.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace rubato::pipeline {

/// Takes `path=value` apart, as --set has it. Throws InputError.
scenario::Override parse_override(const std::string& text);

/// Reads a file of parameters (scenario::parse_parameters) for a scenario. Values that are given in
/// another unit of measure than the variable has are converted. Problems go to `diagnostics`.
std::vector<scenario::Override> read_parameters(const std::filesystem::path& file,
                                                const scenario::Scenario& scenario,
                                                unit::Library& library, Diagnostics& diagnostics);

/// Changes settings of a scenario. Besides the paths of `scenario::apply`, `unit.variable` stands
/// for the parameter or start value of that variable: the library knows which it is. Problems go
/// to `diagnostics`.
void apply(std::span<const scenario::Override> overrides, scenario::Scenario& scenario,
           unit::Library& library, Diagnostics& diagnostics);

} // namespace rubato::pipeline
