// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/engine/assembly.hpp>

#include <string>
#include <vector>

namespace rubato::cli {

/// What to do about the errors of a run, in the order of what it costs; empty: nothing.
std::vector<std::string> advice(const engine::Trust& trust, const engine::Assembly& assembly);

} // namespace rubato::cli
