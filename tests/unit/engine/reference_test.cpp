// SPDX-License-Identifier: Apache-2.0
#include <rubato/engine/reference.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace rubato::engine::testing {
namespace {

/// A run of 100 rows of one variable.
struct Finished {
    explicit Finished(const std::function<double(double)>& formula) {
        double value = 0;
        const Column column{.name = "x", .unit = "", .value = &value};
        series.begin(std::span(&column, 1));
        for (int i = 0; i <= 100; ++i) {
            value = formula(0.1 * i);
            series.record({0.1 * i});
        }
    }
    Finished(const Finished&) = delete; // a copy of a series is another that is to be like it
    Series series;
};

/// sin t with an error of `size` · h^order.
Finished converging(double size, double order, double h) {
    return Finished([=](double t) { return std::sin(t) + size * std::pow(h, order) * t; });
}

std::vector<RefinedError> errors_of(const Finished& coarse, const Finished& half,
                                    const Finished& quarter) {
    return extrapolated_errors(coarse.series, half.series, quarter.series);
}

RefinedError error_of(const Finished& coarse, const Finished& half, const Finished& quarter) {
    return errors_of(coarse, half, quarter).at(0);
}

TEST(Reference, KnowsTheErrorWhereDifferencesFallWithTheStep) {
    for (const double order : {1.0, 2.0, 3.0}) {
        const RefinedError error = error_of(converging(0.1, order, 1), converging(0.1, order, 0.5),
                                            converging(0.1, order, 0.25));
        EXPECT_EQ(error.convergence, Convergence::observed);
        EXPECT_TRUE(error.is_sure());
        EXPECT_NEAR(error.order, order, 1e-6);
        EXPECT_NEAR(error.largest, 1, 1e-6);
    }
}

/// Units whose own steps are longer than H do not react to it, but a little.
TEST(Reference, SaysThatNothingConvergesRatherThanASmallError) {
    const auto wrong = [](double shift) {
        return Finished([=](double t) { return 2 * std::sin(t) + 1e-4 * std::sin(7 * t + shift); });
    };
    const RefinedError error = error_of(wrong(0), wrong(2), wrong(4));
    EXPECT_EQ(error.convergence, Convergence::none);
    EXPECT_FALSE(error.is_sure());
}

TEST(Reference, SaysThatShorterStepsChangeNothing) {
    const Finished same = converging(0, 1, 1);
    const RefinedError error = error_of(same, same, same);
    EXPECT_EQ(error.convergence, Convergence::no_change);
    EXPECT_FALSE(error.is_sure());
}

TEST(Reference, IsNotSureOfAnOrderThatIsHardlyOne) {
    const RefinedError error =
        error_of(converging(0.1, 0.4, 1), converging(0.1, 0.4, 0.5), converging(0.1, 0.4, 0.25));
    EXPECT_EQ(error.convergence, Convergence::observed);
    EXPECT_FALSE(error.is_sure());
}

/// Three runs converge with order 1 to 1.5 sin t; far shorter steps give sin t.
TEST(Reference, IsNotSureWhereFarShorterStepsTellOtherwise) {
    const auto reduced = [](double h) {
        return Finished([=](double t) { return 1.5 * std::sin(t) + 0.001 * h * t; });
    };
    auto errors = errors_of(reduced(1), reduced(0.5), reduced(0.25));
    EXPECT_TRUE(errors[0].is_sure());
    compare(errors, reduced(1).series, reduced(0.5).series, reduced(0.25).series,
            converging(0, 1, 1).series);
    EXPECT_FALSE(errors[0].is_sure());
    EXPECT_GT(*errors[0].underestimate, 40);

    auto right =
        errors_of(converging(0.1, 1, 1), converging(0.1, 1, 0.5), converging(0.1, 1, 0.25));
    compare(right, converging(0.1, 1, 1).series, converging(0.1, 1, 0.5).series,
            converging(0.1, 1, 0.25).series, converging(0.1, 1, 1e-3).series);
    EXPECT_TRUE(right[0].is_sure());
}

TEST(Reference, LooksCloselyAtAFewSteps) {
    std::vector<Time> points;
    for (int i = 0; i <= 50; ++i) points.push_back({0.1 * i});
    for (const std::size_t first : {0u, 20u, 42u}) {
        const CloseLook look = close_look(points, points[first]);
        EXPECT_EQ(look.from, points[first]);
        EXPECT_EQ(look.until, points[first + 8]);
        EXPECT_EQ(look.parts, 512u);
        EXPECT_EQ(look.coarse, points);
        EXPECT_EQ(look.fine.size(), 8 * 512 + 43u);
        EXPECT_EQ(look.fine[first + 512], points[first + 1]);
        EXPECT_EQ(look.fine.back(), points.back());
    }
    EXPECT_EQ(close_look(points, points[50]).until, points[50]);
    EXPECT_EQ(close_look(std::span(points).first(3), points[0]).until, points[2]);
}

TEST(Reference, LooksWhereRunsBeginToDiffer) {
    const Finished still([](double) { return 1.0; });
    const Finished moving([](double t) { return t > 4.95 ? t - 3.9 : 1.0; });
    EXPECT_NEAR(first_difference(still.series, moving.series).seconds, 4.9, 1e-9);
    EXPECT_EQ(first_difference(still.series, still.series).seconds, 0);
}

} // namespace
} // namespace rubato::engine::testing
