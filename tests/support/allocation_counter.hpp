// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

namespace rubato::test {

/// How often this process has called operator new. Link allocation_counter.cpp to count.
std::size_t allocations();

} // namespace rubato::test
