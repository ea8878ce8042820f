// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "calls.hpp"
#include "plan.hpp"

#include <rubato/scenario/system.hpp>

#include <cstdint>
#include <vector>

/// Outputs that are looked at between steps. They are read into slots of their own.
namespace rubato::engine {

/// When the plan's procedures, which are there, are in force.
void read_conditions(const scenario::System& system, Plan& plan, Calls& calls);

/// By `watched_outputs`: where they are read to.
std::vector<std::uint32_t> read_watched(const scenario::System& system, Plan& plan, Calls& calls);

} // namespace rubato::engine
