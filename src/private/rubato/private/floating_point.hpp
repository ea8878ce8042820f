// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cfenv>
#include <cstdint>
#include <limits>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace rubato {

/// How this thread computes: the rounding mode and, on x86, whether tiny numbers are flushed to
/// zero. Foreign code may change it, and with it the last bits of all that is computed afterwards.
class FloatingPointMode {
public:
    FloatingPointMode() : control_(control()), rounding_(std::fegetround()) {}

    /// A few nanoseconds.
    bool is_in_force() const { return control() == control_; }
    /// The rounding mode alone, by rounding: far quicker than reading the control register. Each of
    /// the four modes gives another sum but for those towards zero and downward, which agree. Its
    /// bits, which are not 0.
    static std::uint64_t sum() {
        constexpr double ulp = std::numeric_limits<double>::epsilon();
        return std::bit_cast<std::uint64_t>((one + 0.25 * ulp) + 0.75 * ulp);
    }
    /// Whether tiny numbers are flushed to zero, where they come in or where they come out, by
    /// adding two of them.
    static bool flushes() { return std::bit_cast<std::uint64_t>(tiny + tiny) == 0; }
    void restore() const {
        std::fesetround(rounding_); // of the x87 unit, too
#if defined(__SSE__)
        _mm_setcsr(control_);
#endif
    }

private:
#if defined(__SSE__)
    static unsigned control() {
        constexpr unsigned flags = 0x3f; // what has happened
        return _mm_getcsr() & ~flags;
    }
#else
    static unsigned control() { return static_cast<unsigned>(std::fegetround()); }
#endif

    unsigned control_;
    int rounding_;
    // The compiler must not add at compile time, nor once for all.
    static inline const volatile double one = 1;
    static inline const volatile double tiny = std::numeric_limits<double>::denorm_min();
};

} // namespace rubato
