// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/overrides.hpp>
#include <rubato/unit/library.hpp>

#include <span>
#include <string>

namespace rubato::pipeline {

/// Takes `path=value` apart, as --set has it. Throws InputError.
scenario::Override parse_override(const std::string& text);

/// Changes settings of a scenario. Besides the paths of `scenario::apply`, `unit.variable` stands
/// for the parameter or start value of that variable: the library knows which it is. Problems go
/// to `diagnostics`.
void apply(std::span<const scenario::Override> overrides, scenario::Scenario& scenario,
           unit::Library& library, Diagnostics& diagnostics);

} // namespace rubato::pipeline
