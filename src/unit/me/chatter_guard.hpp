// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>

namespace rubato::unit {

/// Notices events that come so fast that time practically stands still. Plain bytes.
class ChatterGuard {
public:
    static constexpr std::size_t patience = 100;

    /// Takes note of an event. Returns whether the last `patience` of them have not moved time by
    /// more than a millionth of the communication step: then a billion would not make it either.
    bool add(double time, double step) {
        const double oldest = times_[next_];
        times_[next_] = time;
        next_ = (next_ + 1) % patience;
        if (count_ < patience) ++count_;
        return count_ == patience && time - oldest < 1e-6 * step;
    }
    /// When the first of the last events was.
    double since() const { return times_[next_]; }

private:
    std::array<double, patience> times_{};
    std::size_t next_ = 0, count_ = 0;
};

} // namespace rubato::unit
