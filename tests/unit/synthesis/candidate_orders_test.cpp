// SPDX-License-Identifier: Apache-2.0
#include "support/system_builder.hpp"

#include <rubato/algorithm/verify.hpp>
#include <rubato/synthesis/recipe.hpp>

#include <gtest/gtest.h>

namespace rubato::synthesis {
namespace {

using scenario::Recipe;

/// Units that all have inputs i1, i2, … and one output y, with links from one to another.
class Couplings {
public:
    explicit Couplings(std::size_t units) : inputs_(units) {}

    Couplings& feed(std::size_t from, std::size_t to) {
        links_.emplace_back(from, to, ++inputs_[to]);
        return *this;
    }
    Couplings& both_ways(std::size_t a, std::size_t b) { return feed(a, b).feed(b, a); }

    Orchestration orchestrate(Diagnostics& diagnostics, std::vector<std::string> order = {}) const {
        test::SystemBuilder builder;
        for (std::size_t u = 0; u < inputs_.size(); ++u) {
            builder.unit(name(u));
            for (int i = 1; i <= inputs_[u]; ++i) builder.input("i" + std::to_string(i));
            builder.output("y");
        }
        for (const auto& [from, to, input] : links_)
            builder.link(name(from) + ".y", name(to) + ".i" + std::to_string(input));
        scenario::AlgorithmSettings settings;
        settings.recipe = Recipe::adaptive_gauss_seidel;
        settings.order = std::move(order);
        return synthesis::orchestrate(builder.build(), settings, diagnostics);
    }

    /// Of verified orders.
    std::size_t count() const {
        Diagnostics diagnostics;
        const Orchestration result = orchestrate(diagnostics);
        EXPECT_FALSE(diagnostics.has_errors());
        EXPECT_EQ(result.algorithm.steps.size(), result.orders.size());
        EXPECT_TRUE(algorithm::verify(result.system, result.algorithm).correct());
        return result.orders.size();
    }

private:
    static std::string name(std::size_t unit) { return std::string(1, char('a' + char(unit))); }

    std::vector<int> inputs_;
    std::vector<std::tuple<std::size_t, std::size_t, int>> links_;
};

Couplings chain(std::size_t units) {
    Couplings result(units);
    for (std::size_t u = 1; u < units; ++u) result.both_ways(u - 1, u);
    return result;
}

TEST(CandidateOrders, AreAllThatDifferOfFiveUnits) {
    EXPECT_EQ(chain(2).count(), 2u);
    EXPECT_EQ(chain(5).count(), 16u);                 // each neighbour pair one way or the other
    EXPECT_EQ(chain(5).both_ways(4, 0).count(), 30u); // but not all round the ring
    Couplings everyone(5);
    for (std::size_t a = 0; a < 5; ++a)
        for (std::size_t b = a + 1; b < 5; ++b) everyone.both_ways(a, b);
    EXPECT_EQ(everyone.count(), 120u);
}

TEST(CandidateOrders, AreFewOfMany) {
    EXPECT_EQ(chain(8).count(), 128u);
    EXPECT_LE(chain(20).count(), 42u);
}

TEST(CandidateOrders, KeepSourcesBeforeWhatTheyFeed) {
    EXPECT_EQ(Couplings(3).feed(0, 1).feed(1, 2).count(), 1u);
    EXPECT_EQ(Couplings(4).feed(0, 1).both_ways(1, 2).feed(2, 3).count(), 2u);
}

TEST(CandidateOrders, BeginWithTheOrderGiven) {
    Diagnostics diagnostics;
    const Orchestration result = chain(3).orchestrate(diagnostics, {"c", "a", "b"});
    EXPECT_EQ(result.orders.front(), (std::vector<UnitId>{{2}, {0}, {1}}));
    EXPECT_EQ(result.system.configurations.front().name, "c>a>b");
}

TEST(CandidateOrders, KeepDeclaredContracts) {
    test::SystemBuilder builder;
    builder.unit("a").input("u").output("y");
    builder.unit("b").input("u").output("y");
    builder.link("a.y", "b.u").link("b.y", "a.u");
    scenario::System system = builder.build();
    system.ports[0].reactivity = scenario::Reactivity::reactive; // a waits for b
    system.ports[0].reactivity_origin = scenario::Origin::scenario;
    scenario::AlgorithmSettings settings;
    settings.recipe = Recipe::adaptive_gauss_seidel;
    Diagnostics diagnostics;
    const Orchestration result = orchestrate(system, settings, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors());
    EXPECT_EQ(result.orders, (std::vector<std::vector<UnitId>>{{{1}, {0}}}));
}

TEST(CandidateOrders, OfManyPairsAreNoMoreThanTheLimit) {
    Couplings pairs(18);
    for (std::size_t u = 0; u < 18; u += 2) pairs.both_ways(u, u + 1);
    Diagnostics diagnostics;
    EXPECT_EQ(pairs.orchestrate(diagnostics).orders.size(), 128u);
}

/// In either order one output is handed on before what feeds through to it is known: in each
/// another one.
TEST(CandidateOrders, GiveUpFeedthroughWhereTheyMustOnly) {
    test::SystemBuilder builder;
    builder.unit("a").input("u").output("y");
    builder.unit("b").input("u").output("y", {"u"});
    builder.link("a.y", "b.u").link("b.y", "a.u");
    scenario::AlgorithmSettings settings;
    settings.recipe = Recipe::adaptive_gauss_seidel;
    settings.order = {"a", "b"};
    Diagnostics diagnostics;
    const Orchestration result = orchestrate(builder.build(), settings, diagnostics);
    ASSERT_EQ(result.orders.size(), 2u);
    EXPECT_TRUE(result.system.configurations[0].feedthrough.empty());
    ASSERT_EQ(result.system.configurations[1].feedthrough.size(), 1u);
    EXPECT_TRUE(result.system.configurations[1].feedthrough[0].inputs.empty());
    EXPECT_TRUE(algorithm::verify(result.system, result.algorithm).correct());
}

} // namespace
} // namespace rubato::synthesis
