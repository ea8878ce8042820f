// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/scenario/scenario.hpp>

namespace rubato::scenario {

/// The scenario with the units of scenarios within it, at any depth, as its own: unit `clutch` of
/// `drivetrain` is then called `drivetrain-clutch`. Scenarios that make steps of their own, or
/// whose algorithm would not give the same results in one with the whole, are errors with the
/// reason.
Scenario flatten(const Scenario& scenario, Diagnostics& diagnostics);

} // namespace rubato::scenario
