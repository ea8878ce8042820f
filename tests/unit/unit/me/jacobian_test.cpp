// SPDX-License-Identifier: Apache-2.0
// Jacobians: from directional derivatives or differences, several columns at once.
#include "fake_model.hpp"
#include "me/jacobian.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace rubato::unit {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

/// Heat in a rod of `count` cells between two cold ends: x' = 100 (left - 2 x + right).
Fake rod(std::uint32_t count, bool tells_dependencies) {
    Fake fake;
    fake.x.resize(count);
    for (std::uint32_t i = 0; i < count; ++i)
        fake.x[i] = std::sin(std::acos(-1.0) * (i + 1) / (count + 1));
    const auto apply = [](const std::vector<double>& x, auto&& result) {
        const auto at = [&](std::size_t i) { return i < x.size() ? x[i] : 0.0; };
        for (std::size_t i = 0; i < x.size(); ++i)
            result[i] = 100 * (at(i - 1) - 2 * x[i] + at(i + 1));
    };
    fake.derivatives = [apply](double, const auto& x, double, auto& dx) { apply(x, dx); };
    fake.variation = [apply](const auto&, const auto& seed, auto dx) { apply(seed, dx); };
    for (std::uint32_t i = 0; tells_dependencies && i < count; ++i) {
        fake.depends_on.push_back({i});
        if (i > 0) fake.depends_on.back().push_back(i - 1);
        if (i + 1 < count) fake.depends_on.back().push_back(i + 1);
    }
    return fake;
}

struct Cost {
    double error;
    std::uint64_t evaluations, jacobians;
    int variations;
};

/// The slowest mode decays as exp(-λt), λ = 400 sin²(π/(2(n+1))).
Cost cost_of(Fake fake) {
    const auto count = static_cast<double>(fake.x.size());
    const double lambda = 400 * std::pow(std::sin(std::acos(-1.0) / (2 * (count + 1))), 2);
    const double start = fake.x[0];
    scenario::SolverSettings settings;
    settings.tolerance = 1e-7;
    FakeUnit unit(std::move(fake), settings);
    unit.initialize();
    unit.run(0.5, 0.5);
    return {std::abs(unit.x() / start - std::exp(-0.5 * lambda)), unit.statistics().evaluations,
            unit.statistics().jacobians, unit.seen.variations};
}

TEST(Jacobian, ColumnsThatShareNoRowAreGotAtOnce) {
    EXPECT_THAT(group_columns({{0, 1}, {0, 1, 2}, {1, 2, 3}, {2, 3}}),
                ElementsAre(ElementsAre(0, 3), ElementsAre(1), ElementsAre(2)));
    EXPECT_THAT(group_columns({{0}, {1}, {2}}), ElementsAre(ElementsAre(0, 1, 2)));
    EXPECT_THAT(group_columns({{0, 1}, {0, 1}}), SizeIs(2));
    EXPECT_THAT(group_columns({}), SizeIs(0));
}

TEST(Jacobian, DependenciesThatAreNotToldAreAll) {
    ContinuousStructure structure;
    structure.states = {{0, 1, std::vector<std::uint32_t>{0}}, {2, 3, std::nullopt}};
    EXPECT_THAT(sparsity_of(structure, 2), ElementsAre(ElementsAre(0, 1), ElementsAre(1)));
    EXPECT_THAT(sparsity_of({}, 2), ElementsAre(ElementsAre(0, 1), ElementsAre(0, 1)));
}

TEST(Jacobian, DirectionalDerivativesSpareEvaluations) {
    Fake differences = rod(20, false);
    differences.variation = nullptr;
    const Cost by_differences = cost_of(differences), by_seeds = cost_of(rod(20, false));
    EXPECT_LT(by_differences.error, 1e-5);
    EXPECT_LT(by_seeds.error, 1e-5);
    EXPECT_EQ(by_differences.variations, 0);
    EXPECT_EQ(by_seeds.variations, 20 * static_cast<int>(by_seeds.jacobians));
    EXPECT_GE(by_differences.evaluations, by_seeds.evaluations + 15 * by_seeds.jacobians);
}

TEST(Jacobian, DependenciesSpareEvaluations) {
    Fake dense = rod(20, false), sparse = rod(20, true);
    dense.variation = sparse.variation = nullptr;
    const Cost by_columns = cost_of(dense), by_groups = cost_of(sparse);
    EXPECT_LT(by_groups.error, 1e-5);
    EXPECT_EQ(by_groups.jacobians, by_columns.jacobians);
    EXPECT_GE(by_columns.evaluations, by_groups.evaluations + 16 * by_groups.jacobians);

    const Cost by_seeds = cost_of(rod(20, true));
    EXPECT_LT(by_seeds.error, 1e-5);
    EXPECT_EQ(by_seeds.variations, 3 * static_cast<int>(by_seeds.jacobians));
}

} // namespace
} // namespace rubato::unit
