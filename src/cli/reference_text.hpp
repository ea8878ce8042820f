// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "terminal.hpp"

#include <rubato/pipeline/reference_run.hpp>

#include <string>

namespace rubato::cli {

/// What repeating with shorter steps tells of each recorded variable, how sure that is, and what
/// the errors of inputs have become.
std::string reference_text(const pipeline::Reference& reference, const pipeline::Assembly& assembly,
                           const engine::Trust& trust, const Style& style);

} // namespace rubato::cli
