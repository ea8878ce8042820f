// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tree.hpp"

#include <optional>
#include <string_view>

namespace rubato::scenario::formats {

/// Parses HOCON (https://github.com/lightbend/config/blob/main/HOCON.md) but for substitutions,
/// includes and `+=`, which are refused. The result is a map; an empty text is an empty one.
/// nullopt: there are syntax errors, which have been reported: as many as can be distinguished.
std::optional<Node> parse_hocon(std::string_view text, Reporter& reporter);

} // namespace rubato::scenario::formats
