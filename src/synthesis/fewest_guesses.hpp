// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "operation_graph.hpp"
#include "reduction.hpp"

namespace rubato::synthesis {

/// The fewest inputs of a component to guess in addition to those that are `guessed` already,
/// reactive ones rather than delayed ones: by position, with those. `least` is a number that is
/// known not to be too large. Nothing: the search took too long.
std::optional<std::vector<bool>> find_fewest_guesses(const OperationGraph& operations,
                                                     const Component& component,
                                                     const std::vector<bool>& guessed,
                                                     const std::vector<bool>& delayed,
                                                     std::size_t least);

} // namespace rubato::synthesis
