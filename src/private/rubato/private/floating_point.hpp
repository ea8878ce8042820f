// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cfenv>
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
    /// the four modes gives another sum but for those towards zero and downward, which agree.
    bool rounds_as_before() const { return rounded() == rounded_; }
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

    static double rounded() {
        constexpr double ulp = std::numeric_limits<double>::epsilon();
        volatile double one = 1; // the compiler must not add at compile time, nor once for all
        return (one + 0.25 * ulp) + 0.75 * ulp;
    }

    unsigned control_;
    int rounding_;
    double rounded_ = rounded();
};

} // namespace rubato
