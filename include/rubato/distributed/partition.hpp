// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/pipeline/placement.hpp>

namespace rubato::distributed {

/// A pipeline::Partition by METIS (Karypis and Kumar 1998: multilevel k-way partitioning). Throws
/// Error if this build has none.
std::vector<std::uint32_t> partition(const pipeline::UnitGraph& graph, std::uint32_t parts);

} // namespace rubato::distributed
