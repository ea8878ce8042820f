// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "terminal.hpp"

#include <rubato/pipeline/assembly.hpp>

#include <string>

namespace rubato::cli {

/// The estimates behind the verdict, as tables.
std::string trust_text(const engine::Trust& trust, const engine::Summary& summary,
                       const scenario::Scenario& scenario, const Style& style);

} // namespace rubato::cli
