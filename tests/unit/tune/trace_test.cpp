// SPDX-License-Identifier: Apache-2.0
#include "tune/trace.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace rubato::pipeline {
namespace {

Trace traced(double step, double stop, const std::function<double(double)>& function) {
    Trace trace{.names = {"unit.y"}, .times = {}, .values = {}};
    const int count = static_cast<int>(std::lround(stop / step));
    for (int i = 0; i <= count; ++i) {
        trace.times.push_back(i * step);
        trace.values.push_back(function(i * step));
    }
    return trace;
}

double sine(double t) { return std::sin(t); }

TEST(TraceError, IsRelativeToTheRange) {
    const Trace reference = traced(0.01, 6.3, [](double t) { return 100 * sine(t); });
    const Trace trace = traced(0.07, 6.3, [](double t) { return 100 * sine(t) + 1; });
    const TraceError error = error_of(trace, reference);
    EXPECT_NEAR(error.relative, 0.005, 1e-5);
    EXPECT_EQ(error.variable, "unit.y");
}

TEST(TraceError, TheReferenceIsACubicBetweenItsPoints) {
    const Trace reference = traced(0.1, 6.3, sine);
    const Trace trace = traced(0.07, 6.3, sine);
    EXPECT_LE(error_of(trace, reference).relative, 3e-6); // 3/128·h⁴/2
}

TEST(TraceError, AJumpMayComeAnywhereBetweenTwoPoints) {
    const auto jump = [](double t) { return t < 1.05 ? 0.0 : 1.0; };
    const Trace reference = traced(0.1, 2, jump);
    EXPECT_LE(error_of(traced(0.01, 2, jump), reference).relative, 1e-12);
    const auto late = [](double t) { return t < 1.25 ? 0.0 : 1.0; };
    EXPECT_NEAR(error_of(traced(0.01, 2, late), reference).relative, 1, 1e-12);
}

TEST(TraceError, OfWhatEndsEarlyOrIsNoNumberIsInfinite) {
    const Trace reference = traced(0.1, 2, sine);
    EXPECT_EQ(error_of(traced(0.1, 1.5, sine), reference).relative, HUGE_VAL);
    Trace trace = reference;
    trace.values[7] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(error_of(trace, reference).relative, HUGE_VAL);
    EXPECT_EQ(error_of({}, reference).relative, HUGE_VAL);
}

TEST(TraceError, OfAConstantIsRelativeToItsSize) {
    const Trace reference = traced(0.1, 2, [](double) { return 5.0; });
    const Trace trace = traced(0.1, 2, [](double) { return 5.05; });
    EXPECT_NEAR(error_of(trace, reference).relative, 0.01, 1e-12);
}

} // namespace
} // namespace rubato::pipeline
