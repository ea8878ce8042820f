// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "yaml_text.hpp"

#include <rubato/scenario/scenario.hpp>

namespace rubato::scenario::formats {

/// The section `constraints`, and the key `links` of a unit; nothing if there are none.
void write_constraints(Lines& lines, int depth, std::string_view key,
                       const std::vector<Constraint>& constraints);

/// The section `machines`, or `placement`; nothing if there are none.
void write_machines(Lines& lines, const std::vector<Machine>& machines);

/// The section `hla`; nothing if it is empty.
void write_hla(Lines& lines, const HlaSettings& hla);

} // namespace rubato::scenario::formats
