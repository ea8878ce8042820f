// SPDX-License-Identifier: Apache-2.0
#include "control/error_filter.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace rubato::engine {
namespace {

/// As it is defined: everything anew each time.
double geometric_mean(const std::vector<double>& errors, std::size_t window) {
    const std::size_t count = std::min(window, errors.size());
    const std::vector<double> last(errors.end() - static_cast<std::ptrdiff_t>(count), errors.end());
    if (count < 3) return std::abs(last.back());
    double sum = 0;
    for (const double error : last) sum += std::abs(error);
    double logarithms = 0;
    double counted = 0;
    for (const double error : last) {
        if (std::abs(error) < 1e-6 * sum / static_cast<double>(count)) continue;
        logarithms += std::log(std::abs(error));
        ++counted;
    }
    return std::exp(logarithms / counted);
}

void expect_as_defined(const std::vector<double>& errors, std::size_t window) {
    ErrorFilter filter(window);
    std::vector<double> so_far;
    for (const double error : errors) {
        filter.add(error);
        so_far.push_back(error);
        const double expected = geometric_mean(so_far, window);
        ASSERT_NEAR(filter.mean(), expected, 1e-9 * expected) << so_far.size();
    }
}

TEST(ErrorFilter, IsTheGeometricMeanOfTheLastErrors) {
    std::mt19937_64 random(1);
    std::vector<double> errors;
    for (int i = 0; i < 500; ++i)
        errors.push_back(std::exp(0.01 * static_cast<double>(random() % 1000)) - 100);
    expect_as_defined(errors, 31);
    expect_as_defined(errors, 1);
    expect_as_defined(errors, 4);
}

TEST(ErrorFilter, LeavesOutWhatIsNegligibleBesideTheMean) {
    std::vector<double> errors;
    for (int i = 0; i < 200; ++i) errors.push_back(i % 7 == 3 ? 0 : i % 5 == 1 ? 1e-9 : 1 + i % 3);
    expect_as_defined(errors, 31);
}

TEST(ErrorFilter, KeepsNothingOfWhatHasLeftTheWindow) {
    std::vector<double> errors(40, 1e8);
    for (int i = 0; i < 200; ++i) errors.push_back(1e-3 / (1 + i));
    expect_as_defined(errors, 31);
}

TEST(ErrorFilter, OfNothingButZerosIsNextToNothing) {
    ErrorFilter filter(3);
    EXPECT_EQ(filter.mean(), 0);
    for (int i = 0; i < 10; ++i) filter.add(0);
    EXPECT_LT(filter.mean(), 1e-300);
}

} // namespace
} // namespace rubato::engine
