// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/description.hpp>

#include <string>

namespace rubato::cli {

/// The description of a unit as JSON.
std::string to_json(const scenario::UnitDescription& description);

} // namespace rubato::cli
