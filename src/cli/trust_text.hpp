// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "terminal.hpp"

#include <rubato/engine/assembly.hpp>

#include <string>
#include <vector>

namespace rubato::cli {

/// For each bond: "coupling: 0.00123 J created, 0.0851 % of 1.45 J exchanged".
std::vector<std::string> bond_lines(const engine::Trust& trust);

/// How far the result can be believed: the verdict, then what else is to be known, a line each;
/// empty: nothing crosses that would tell.
std::vector<std::string> verdict(const engine::Trust& trust, const engine::Summary& summary);

/// The estimates behind the verdict, as tables.
std::string trust_text(const engine::Trust& trust, const engine::Summary& summary,
                       const scenario::Scenario& scenario, const Style& style);

} // namespace rubato::cli
