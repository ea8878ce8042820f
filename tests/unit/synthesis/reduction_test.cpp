// SPDX-License-Identifier: Apache-2.0
#include "support/random_source.hpp"
#include "support/system_builder.hpp"
#include "synthesis/feedback.hpp"

#include <rubato/algorithm/verify.hpp>
#include <rubato/synthesis/recipe.hpp>
#include <rubato/synthesis/synthesize.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace rubato::synthesis {
namespace {

using scenario::Reactivity;
using test::RandomSource;

/// Units with an output y and reactive inputs, in no order.
class Network {
public:
    explicit Network(std::size_t units) : inputs_(units) {}

    void both_ways(std::size_t a, std::size_t b) {
        feed(a, b);
        feed(b, a);
    }
    void feed(std::size_t from, std::size_t to) { inputs_[to].push_back(from); }

    scenario::System system() const {
        scenario::System result;
        std::vector<PortId> outputs;
        for (std::size_t u = 0; u < inputs_.size(); ++u) {
            result.units.push_back({.name = "u" + std::to_string(u), .can_roll_back = true});
            outputs.push_back(add(result, u, scenario::Direction::output));
        }
        for (std::size_t u = 0; u < inputs_.size(); ++u) {
            for (const std::size_t from : inputs_[u])
                result.links.push_back({outputs[from], add(result, u, scenario::Direction::input)});
        }
        return result;
    }

private:
    static PortId add(scenario::System& system, std::size_t unit, scenario::Direction direction) {
        const PortId id = nth<PortId>(system.ports.size());
        scenario::Port port;
        port.unit = nth<UnitId>(unit);
        port.direction = direction;
        port.name = "p" + std::to_string(id.value);
        port.reactivity = Reactivity::reactive;
        system.ports.push_back(port);
        auto& own = system.units[unit];
        (direction == scenario::Direction::input ? own.inputs : own.outputs).push_back(id);
        return id;
    }

    std::vector<std::vector<std::size_t>> inputs_; ///< by unit: where they come from
};

Loop only_loop(const scenario::System& system) {
    const Synthesis result = synthesize(system, {});
    EXPECT_TRUE(algorithm::verify(system, result.algorithm).correct());
    EXPECT_EQ(result.step_loops.front().size(), 1u);
    return result.step_loops.front().front();
}

TEST(Reduction, GuessesHalfOfWhatGoesBothWays) {
    Network everyone(6);
    for (std::size_t a = 0; a < 6; ++a)
        for (std::size_t b = a + 1; b < 6; ++b) everyone.both_ways(a, b);
    const Loop loop = only_loop(everyone.system());
    EXPECT_EQ(loop.guessed.size(), 15u);
    EXPECT_TRUE(loop.guesses_fewest);
}

TEST(Reduction, SoItDoesOnAGrid) {
    constexpr std::size_t side = 20;
    Network grid(side * side);
    for (std::size_t row = 0; row < side; ++row) {
        for (std::size_t column = 0; column + 1 < side; ++column) {
            grid.both_ways(row * side + column, row * side + column + 1);
            grid.both_ways(column * side + row, (column + 1) * side + row);
        }
    }
    const Loop loop = only_loop(grid.system());
    EXPECT_EQ(loop.guessed.size(), 2 * side * (side - 1));
    EXPECT_TRUE(loop.guesses_fewest);
}

TEST(Reduction, GuessesOnceInARing) {
    constexpr std::size_t units = 500;
    Network ring(units);
    for (std::size_t u = 0; u < units; ++u) ring.feed(u, (u + 1) % units);
    const Loop loop = only_loop(ring.system());
    EXPECT_EQ(loop.guessed.size(), 1u);
    EXPECT_TRUE(loop.guesses_fewest);
}

TEST(Reduction, SaysWhenFewerGuessesMightDo) {
    // A tournament has no two units that feed each other.
    RandomSource random(7);
    constexpr std::size_t units = 40;
    Network tournament(units);
    for (std::size_t a = 0; a < units; ++a) {
        for (std::size_t b = a + 1; b < units; ++b) {
            if (random.chance(0.5))
                tournament.feed(a, b);
            else
                tournament.feed(b, a);
        }
    }
    const scenario::System system = tournament.system();
    const Loop loop = only_loop(system);
    EXPECT_FALSE(loop.guesses_fewest);
    EXPECT_NE(describe(loop, system).find("not proven to be the fewest"), std::string::npos);
}

ArcGraph random_graph(RandomSource& random) {
    ArcGraph graph;
    const int blocks = random.between(2, 7);
    for (int block = 0; block < blocks; ++block) {
        const bool follows = block > 0 && random.chance(0.2) && !graph.after(0);
        graph.add_block(follows ? std::optional<ArcGraph::Block>(0) : std::nullopt);
    }
    const auto one = [&] {
        return static_cast<ArcGraph::Block>(random.below(static_cast<std::size_t>(blocks)));
    };
    for (int arcs = random.between(1, 16); arcs > 0; --arcs) {
        std::vector<ArcGraph::Block> targets = {one()};
        const ArcGraph::Block second = one();
        if (random.chance(0.3) && second != targets.front()) targets.push_back(second);
        graph.add_arc(one(), targets, 1);
    }
    return graph;
}

std::size_t broken(const ArcGraph& graph, const BlockOrder& order) {
    const std::vector<bool> arcs = broken_arcs(graph, order);
    return static_cast<std::size_t>(std::ranges::count(arcs, true));
}

bool keeps_followers(const ArcGraph& graph, const BlockOrder& order) {
    std::vector<std::size_t> place(order.size());
    for (std::size_t n = 0; n < order.size(); ++n) place[order[n]] = n;
    return std::ranges::all_of(order, [&](ArcGraph::Block block) {
        const auto after = graph.after(block);
        return !after || place[*after] < place[block];
    });
}

std::size_t fewest_of_all_orders(const ArcGraph& graph) {
    BlockOrder order(graph.blocks());
    std::iota(order.begin(), order.end(), ArcGraph::Block{0});
    std::size_t fewest = graph.arcs();
    do {
        if (keeps_followers(graph, order)) fewest = std::min(fewest, broken(graph, order));
    } while (std::ranges::next_permutation(order).found);
    return fewest;
}

TEST(Feedback, TheFewestLieBetweenDisjointCyclesAndWhatIsFound) {
    std::size_t proven = 0, exact = 0;
    for (std::size_t seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        RandomSource random(seed);
        const ArcGraph graph = random_graph(random);
        const std::size_t fewest = fewest_of_all_orders(graph);
        BlockOrder order = greedy_order(graph);
        ASSERT_EQ(order.size(), graph.blocks());
        EXPECT_TRUE(keeps_followers(graph, order));
        const std::size_t greedily = broken(graph, order);
        improve(graph, order);
        EXPECT_TRUE(keeps_followers(graph, order));
        const std::size_t found = broken(graph, order);
        EXPECT_LE(found, greedily);
        EXPECT_GE(found, fewest);
        EXPECT_LE(disjoint_cycles(graph), fewest);
        if (found == fewest) ++exact;
        if (found == disjoint_cycles(graph)) ++proven;
    }
    EXPECT_GT(exact, 270u);
    EXPECT_GT(proven, 150u);
}

TEST(Synthesis, InitializesWhatOnlyLaterConfigurationsConnect) {
    test::SystemBuilder builder;
    builder.unit("u0").output("o0").output("o1").unit("u1").input("i", Reactivity::delayed);
    builder.link("u0.o0", "u1.i");
    builder.configuration("c0", "p0");
    builder.configuration("c1", "p1").relink("u0.o1", "u1.i");
    const scenario::System system = builder.build();
    const algorithm::Algorithm algorithm = synthesize(system, {}).algorithm;
    EXPECT_TRUE(algorithm::verify(system, algorithm).correct());
    const auto is_got = [&](const std::string& name) {
        return std::ranges::any_of(algorithm.initialization, [&](const algorithm::Op& op) {
            const auto* get = std::get_if<algorithm::Get>(&op);
            return get && system.name_of(get->port) == name;
        });
    };
    EXPECT_TRUE(is_got("u0.o0"));
    EXPECT_TRUE(is_got("u0.o1"));
}

TEST(Synthesis, DerivesAProcedureForEachConfiguration) {
    test::SystemBuilder builder;
    builder.unit("u0").output("o0").output("o1").unit("u1").input("i", Reactivity::delayed);
    builder.link("u0.o0", "u1.i");
    builder.configuration("c0", "p");
    builder.configuration("c1", "p").relink("u0.o1", "u1.i");
    Diagnostics diagnostics;
    const Orchestration result = orchestrate(builder.build(), {}, diagnostics);
    EXPECT_TRUE(algorithm::verify(result.system, result.algorithm).correct());
    EXPECT_EQ(result.algorithm.steps.front().name, "p");
    EXPECT_EQ(result.algorithm.steps.back().name, "p_c1");
}

TEST(Synthesis, AdaptsTheOrderOfARingOfManyUnits) {
    constexpr std::size_t units = 200;
    Network ring(units);
    for (std::size_t u = 0; u < units; ++u) ring.both_ways(u, (u + 1) % units);
    scenario::System system = ring.system();
    for (scenario::Port& port : system.ports) port.reactivity = Reactivity::delayed;
    scenario::AlgorithmSettings settings;
    settings.recipe = scenario::Recipe::adaptive_gauss_seidel;
    Diagnostics diagnostics;
    const Orchestration result = orchestrate(system, settings, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors());
    EXPECT_GT(result.orders.size(), 50u);
    EXPECT_LE(result.orders.size(), 128u);
    EXPECT_TRUE(algorithm::verify(result.system, result.algorithm).correct());
}

} // namespace
} // namespace rubato::synthesis
