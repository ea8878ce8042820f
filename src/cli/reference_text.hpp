// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "terminal.hpp"

#include <rubato/pipeline/reference_run.hpp>

#include <string>

namespace rubato::cli {

/// What repeating with smaller steps shows for each recorded variable, how certain that is, and
/// what how errors of inputs have propagated.
std::string reference_text(const pipeline::Reference& reference, const pipeline::Assembly& assembly,
                           const engine::Trust& trust, const Style& style);

} // namespace rubato::cli
