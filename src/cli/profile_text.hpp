// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "terminal.hpp"

#include <rubato/pipeline/profile.hpp>

#include <string>

namespace rubato::cli {

/// Wall time of each unit with its share of the run, and a bar for each: units within a unit lie
/// below it, as in a flame graph.
std::string profile_text(const pipeline::Profile& profile, double wall_seconds, const Style& style);

} // namespace rubato::cli
