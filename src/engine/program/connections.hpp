// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/algorithm/algorithm.hpp>
#include <rubato/scenario/system.hpp>

#include <cstddef>

namespace rubato::engine {

/// The first configuration that connects the same inputs in the same way as the n-th.
std::size_t first_with_connections_of(const scenario::System& system, std::size_t n);

/// When loops end that the algorithm itself does not have: as its first one does.
algorithm::Convergence loop_end_of(const algorithm::Algorithm& algorithm);

} // namespace rubato::engine
