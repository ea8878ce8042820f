// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/pipeline/assembly.hpp>

#include <memory>
#include <string>
#include <string_view>

/// Scenarios that are units of others.
namespace rubato::pipeline {

/// `unit` is the scenario `inner` in a scenario whose own path is `path`. With errors among the
/// diagnostics the result is not to be used.
std::shared_ptr<const NestedAssembly>
assemble_nested(scenario::Scenario inner, const scenario::Unit& unit, const std::string& path,
                unit::Library& library, Verification verification, Diagnostics& diagnostics);

/// What an algorithm needs beyond that of a whole: units are called by their paths, and values can
/// be exchanged anew when inputs change from outside.
void nest(Assembly& assembly);

/// Lets the unit of this path reject steps, at whatever level it is. False: it is not possible.
bool let_reject(Assembly& assembly, std::string_view unit);

} // namespace rubato::pipeline
