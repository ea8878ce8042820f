// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <span>
#include <vector>

namespace rubato::bench {

/// The least seconds each of the programs took, over `repetitions` rounds in which they take turns:
/// what disturbs the machine disturbs all of them.
std::vector<double> best_of(int repetitions, std::span<const std::function<void()>> programs);

double seconds_of(const std::function<void()>& program);

/// Bytes in use on the heap.
std::size_t heap_bytes();

} // namespace rubato::bench
