// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tree.hpp"

namespace rubato::scenario::formats {

/// Parses one document. nullopt: it has a syntax error, which has been reported. An empty text is a
/// null node.
std::optional<Node> parse_yaml_tree(std::string_view text, std::uint32_t source,
                                    Reporter& reporter);

} // namespace rubato::scenario::formats
