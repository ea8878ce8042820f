// SPDX-License-Identifier: Apache-2.0
#include "measure.hpp"

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <limits>

namespace rubato::bench {

double seconds_of(const std::function<void()>& program) {
    const auto start = std::chrono::steady_clock::now();
    program();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::vector<double> best_of(int repetitions, std::span<const std::function<void()>> programs) {
    std::vector<double> best(programs.size(), std::numeric_limits<double>::infinity());
    for (int repetition = 0; repetition < repetitions; ++repetition) {
        for (std::size_t p = 0; p < programs.size(); ++p) {
            best[p] = std::min(best[p], seconds_of(programs[p]));
        }
    }
    return best;
}

std::size_t heap_bytes() {
    const auto info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

} // namespace rubato::bench
