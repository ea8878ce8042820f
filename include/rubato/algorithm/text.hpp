// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/algorithm/algorithm.hpp>
#include <rubato/scenario/system.hpp>

#include <string>

namespace rubato::algorithm {

/// The algorithm for people: one operation a line, loops indented, names as in the scenario.
std::string to_text(const Algorithm& algorithm, const scenario::System& system);

} // namespace rubato::algorithm
