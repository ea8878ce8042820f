// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "description/variables.hpp"

#include <rubato/core/clock.hpp>

#include <unordered_map>
#include <vector>

namespace rubato::unit {

/// Where a variable stands, by its value reference.
using IndexByReference = std::unordered_map<ValueRef, std::uint32_t>;

/// When a <Clock> ticks: what it says itself, else what its declared type says. A clock that does
/// not say it rightly is taken as triggered.
ClockAttributes read_clock(const XmlReader& reader, pugi::xml_node node,
                           const Definitions& definitions);

/// The clocks that a variable's attribute `clocks` names, as indices; what is no clock is passed
/// over.
std::vector<std::uint32_t> read_clocks_of(const XmlReader& reader, pugi::xml_node node,
                                          const IndexByReference& index_of,
                                          const std::vector<scenario::Variable>& variables);

} // namespace rubato::unit
