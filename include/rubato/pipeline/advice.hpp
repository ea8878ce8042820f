// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/pipeline/assembly.hpp>

#include <string>
#include <vector>

namespace rubato::pipeline {

/// What to do about the errors of a run, in the order of what it costs; empty: nothing.
std::vector<std::string> advice(const engine::Trust& trust, const Assembly& assembly);

} // namespace rubato::pipeline
