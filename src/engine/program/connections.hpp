// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/algorithm/algorithm.hpp>
#include <rubato/scenario/system.hpp>

#include <cstddef>

namespace rubato::engine {

/// When loops end that the algorithm itself does not have: as its first one does.
algorithm::Convergence loop_end_of(const algorithm::Algorithm& algorithm);

} // namespace rubato::engine
