// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace rubato::unit {

/// Whether a name keeps the grammar of the naming convention "structured": FMI 2.0.4, section
/// 2.2.9; FMI 3.0 has the same.
bool is_structured_name(std::string_view name);

/// A name of the language C.
bool is_c_name(std::string_view name);

} // namespace rubato::unit
