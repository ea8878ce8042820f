// SPDX-License-Identifier: Apache-2.0
#include "support/allocation_counter.hpp"
#include "support/integrator_unit.hpp"
#include "support/system_builder.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/engine/simulation.hpp>
#include <rubato/synthesis/recipe.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rubato::engine {
namespace {

using scenario::AlgorithmSettings;
using scenario::Approximation;
using scenario::AtLimit;
using scenario::Experiment;
using scenario::Recipe;
using test::IntegratorTraits;
using test::IntegratorUnit;
using testing::DoubleEq;
using testing::ElementsAre;
using testing::HasSubstr;

/// Two integrators that feed each other, a.y -> b.u and b.y -> a.u.
struct Pair {
    IntegratorTraits a, b;
    AlgorithmSettings algorithm{.recipe = Recipe::jacobi};
    Experiment experiment{.start = 0, .stop = 1, .step = 0.1, .tolerance = {}, .where = {}};
    double factor = 1, offset = 0; ///< of a.y -> b.u
    Approximation approximation = Approximation::constant;
    bool tentative_loops = false; ///< loops over one instant keep both values, as .conf files may

    Simulation simulation(Log& log = silent_log()) const {
        test::SystemBuilder builder;
        add(builder, "a", a);
        add(builder, "b", b);
        scenario::System system = builder.link("a.y", "b.u").link("b.y", "a.u").build();
        system.links[0].factor = factor;
        system.links[0].offset = offset;
        for (scenario::Port& port : system.ports) port.approximation = approximation;
        system.observed = {{UnitId{0}, 1}, {UnitId{1}, 1}, {UnitId{1}, 0}};
        system.units[1].can_reject_step = b.largest_step.has_value();
        system.units[1].can_reject_origin = scenario::Origin::scenario;

        Diagnostics diagnostics;
        auto result = synthesis::orchestrate(system, algorithm, diagnostics);
        if (tentative_loops) make_tentative(result.algorithm.initialization);
        diagnostics.throw_if_errors();
        std::vector<std::unique_ptr<unit::Unit>> units;
        units.push_back(std::make_unique<IntegratorUnit>("a", a));
        units.push_back(std::make_unique<IntegratorUnit>("b", b));
        return Simulation(result.system, result.algorithm, std::move(units), experiment, log);
    }

private:
    /// Gets give tentative values; of the sets, b's uses the one that a has just given.
    static void make_tentative(algorithm::Body& body) {
        for (algorithm::Op& op : std::get<algorithm::FixedPoint>(body.front()).iterate) {
            if (auto* get = std::get_if<algorithm::Get>(&op)) get->tentative = true;
            if (auto* set = std::get_if<algorithm::Set>(&op)) set->tentative = set->port.value == 2;
        }
    }

    static void add(test::SystemBuilder& builder, const std::string& name,
                    IntegratorTraits traits) {
        builder.unit(name).input("u");
        if (traits.feedthrough != 0) {
            builder.output("y", {"u"});
        } else {
            builder.output("y");
        }
        builder.reference_last(1);
    }
};

class Rows final : public Recorder {
public:
    void begin(std::span<const Column> columns) override {
        columns_ = {columns.begin(), columns.end()};
    }
    void record(Time time) override {
        times.push_back(time.seconds);
        values.emplace_back();
        for (const Column& column : columns_) {
            values.back().push_back(*static_cast<const double*>(column.value));
        }
    }
    void end() override { ended = true; }

    std::vector<double> times;
    std::vector<std::vector<double>> values;
    bool ended = false;

private:
    std::vector<Column> columns_;
};

Rows recorded(const Pair& pair, std::uint64_t every = 1) {
    Rows rows;
    Simulation simulation = pair.simulation();
    (void)simulation.run({.recorder = &rows, .every = every, .stop = nullptr});
    return rows;
}

std::string failure(const Pair& pair, Rows& rows) {
    Simulation simulation = pair.simulation();
    try {
        (void)simulation.run({.recorder = &rows, .every = 1, .stop = nullptr});
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(Simulation, ReachesTheStopTimeExactlyWithoutAccumulatingRounding) {
    Pair pair;
    pair.experiment.stop = 100;
    const Rows rows = recorded(pair);
    ASSERT_EQ(rows.times.size(), 1001u);
    EXPECT_EQ(rows.times[123], 123 * 0.1);
    EXPECT_EQ(rows.times.back(), 100);
}

TEST(Simulation, ShortensTheLastStepWhenTheSpanIsNotAWholeNumberOfSteps) {
    Pair pair;
    pair.experiment.stop = 0.25;
    EXPECT_THAT(recorded(pair).times, ElementsAre(0, 0.1, 0.2, 0.25));
}

TEST(Simulation, RecordsEveryNthPointAndTheLast) {
    EXPECT_THAT(recorded(Pair{}, 4).times, ElementsAre(0, DoubleEq(0.4), DoubleEq(0.8), 1));
}

TEST(Simulation, ExchangesWithFactorAndOffset) {
    Pair pair;
    pair.a.initial = 2;
    pair.factor = 3;
    pair.offset = -1;
    pair.experiment.stop = 0.1;
    // b.u = 3·2 - 1 = 5 held over 0.1 s; a.u = 0
    EXPECT_THAT(recorded(pair).values.back(), ElementsAre(2, 0.5, 5));
}

TEST(Simulation, JacobiUsesOldAndGaussSeidelNewValues) {
    Pair pair;
    pair.a.initial = 1;
    pair.b.initial = 1;
    pair.experiment.stop = 0.1;
    EXPECT_THAT(recorded(pair).values.back(), ElementsAre(1.1, 1.1, 1.1));
    pair.algorithm.recipe = Recipe::gauss_seidel;
    EXPECT_THAT(recorded(pair).values.back(), ElementsAre(1.1, DoubleEq(1 + 0.1 * 1.1), 1.1));
}

TEST(Simulation, ImplicitIterationSolvesTheCoupledStep) {
    // With the end values held: a = 1 + h b, b = 1 + h a, so both are 1/(1-h).
    for (const Recipe recipe : {Recipe::iterated_jacobi, Recipe::iterated_gauss_seidel}) {
        Pair pair;
        pair.a.initial = pair.b.initial = 1;
        pair.experiment.stop = 0.1;
        pair.algorithm.recipe = recipe;
        pair.algorithm.relative_tolerance = 1e-13;
        pair.algorithm.absolute_tolerance = 0;
        const Rows rows = recorded(pair);
        EXPECT_NEAR(rows.values.back()[0], 1 / 0.9, 1e-12);
        EXPECT_NEAR(rows.values.back()[1], 1 / 0.9, 1e-12);
    }
}

TEST(Simulation, SemiImplicitIterationRepeatsExactlySoOften) {
    Pair pair;
    pair.a.initial = pair.b.initial = 1;
    pair.experiment.stop = 0.1;
    pair.algorithm.recipe = Recipe::iterated_jacobi;
    pair.algorithm.iterations = 2;
    Simulation simulation = pair.simulation();
    const Summary summary = simulation.run({});
    EXPECT_EQ(summary.iterations, 2u);
    EXPECT_EQ(summary.unit_steps, 4u);
    // one repetition: 1 + h (1 + h)
    EXPECT_THAT(recorded(pair).values.back()[0], DoubleEq(1 + 0.1 * 1.1));
}

TEST(Simulation, InitializationSolvesFeedthroughLoops) {
    // y_a = 1 + u_a/2, y_b = 3 + u_b/4, u_a = y_b, u_b = y_a: y_a = 20/7, y_b = 26/7
    Pair pair;
    pair.a = {.initial = 1, .feedthrough = 0.5};
    pair.b = {.initial = 3, .feedthrough = 0.25};
    pair.algorithm.relative_tolerance = 1e-13;
    pair.algorithm.absolute_tolerance = 0;
    for (const bool tentative : {false, true}) {
        pair.tentative_loops = tentative;
        const Rows rows = recorded(pair);
        EXPECT_NEAR(rows.values.front()[0], 20.0 / 7, 1e-11);
        EXPECT_NEAR(rows.values.front()[1], 26.0 / 7, 1e-11);
    }
}

TEST(Simulation, StopsWithAnErrorWhenAnIterationDoesNotConverge) {
    Pair pair;
    pair.a = {.initial = 1, .feedthrough = 2};
    pair.b = {.initial = 1, .feedthrough = 2};
    Rows rows;
    EXPECT_THAT(failure(pair, rows),
                HasSubstr("the iteration at t = 0 s has not converged after 50 "
                          "iterations: \"b.y\" still changes by"));
    EXPECT_TRUE(rows.times.empty());
}

TEST(Simulation, AcceptsAnIterationAtItsLimitWhenAsked) {
    Pair pair;
    pair.a.initial = 1;
    pair.algorithm.recipe = Recipe::iterated_jacobi;
    pair.algorithm.iteration_limit = 2;
    pair.algorithm.at_limit = AtLimit::accept;
    Simulation simulation = pair.simulation();
    const Summary summary = simulation.run({});
    EXPECT_EQ(summary.end, RunEnd::completed);
    EXPECT_EQ(summary.not_converged, 10u);
}

TEST(Simulation, NamesUnitVariableAndTimeOfAValueThatIsNotFinite) {
    Pair pair;
    pair.b.not_a_number_at = 0.35;
    Rows rows;
    EXPECT_THAT(failure(pair, rows), HasSubstr("unit \"b\": output \"y\" is nan at t = 0.4 s"));
    EXPECT_TRUE(rows.ended);
    EXPECT_THAT(rows.times, ElementsAre(0, DoubleEq(0.1), DoubleEq(0.2), DoubleEq(0.3)));
}

TEST(Simulation, EndsWhenAUnitAsksForIt) {
    Pair pair;
    pair.a.terminates_at = 0.55;
    Rows rows;
    Simulation simulation = pair.simulation();
    const Summary summary = simulation.run({.recorder = &rows, .every = 1, .stop = nullptr});
    EXPECT_EQ(summary.end, RunEnd::terminated);
    EXPECT_EQ(summary.ended_by, "a");
    EXPECT_EQ(rows.times.back(), 0.5);
}

TEST(Simulation, EndsWhenTheUserAsksForIt) {
    std::atomic<bool> stop = true;
    Simulation simulation = Pair{}.simulation();
    EXPECT_EQ(simulation.run({.recorder = nullptr, .every = 1, .stop = &stop}).end,
              RunEnd::interrupted);
}

TEST(Simulation, NegotiatesTheStepThatAllAccept) {
    Pair pair;
    pair.a.initial = pair.b.initial = 1;
    pair.b.largest_step = 0.04;
    pair.experiment.stop = 0.2;
    for (const Recipe recipe : {Recipe::jacobi, Recipe::gauss_seidel, Recipe::iterated_jacobi}) {
        pair.algorithm.recipe = recipe;
        EXPECT_THAT(recorded(pair).times, ElementsAre(0, DoubleEq(0.04), DoubleEq(0.08), 0.1,
                                                      DoubleEq(0.14), DoubleEq(0.18), 0.2));
    }
}

TEST(Simulation, TellsWhatWasNegotiated) {
    Pair pair;
    pair.b.largest_step = 0.04;
    pair.experiment.stop = 0.2;
    const Summary summary = pair.simulation().run({});
    EXPECT_EQ(summary.steps, 6u);
    EXPECT_EQ(summary.rejections, 4u); // of 0.1 s and of 0.06 s, twice
    EXPECT_DOUBLE_EQ(summary.shortest_step.seconds, 0.04);
    EXPECT_EQ(Pair{}.simulation().run({}).rejections, 0u);
}

TEST(Simulation, MakesNoStepOfWhatRoundingLeavesToTheNextPoint) {
    Pair pair;
    pair.b.largest_step = 0.1 / 3; // 0.1 - 3·0.1/3 is not always 0
    pair.experiment.stop = 10;
    const Rows rows = recorded(pair);
    ASSERT_EQ(rows.times.size(), 301u);
    for (std::size_t n = 0; n <= 100; ++n) {
        EXPECT_DOUBLE_EQ(rows.times[3 * n], 0.1 * static_cast<double>(n));
    }
}

TEST(Simulation, HalvesAStepThatAUnitRejectsWithoutSayingHowFarItWouldGet) {
    Pair pair;
    pair.b.largest_step = 0.03;
    pair.b.tells_how_far = false;
    pair.experiment.stop = 0.1;
    EXPECT_THAT(recorded(pair).times, ElementsAre(0, DoubleEq(0.025), DoubleEq(0.04375),
                                                  DoubleEq(0.071875), DoubleEq(0.1)));
}

TEST(Simulation, StopsWhenAUnitAcceptsLessThanTheMinimumStep) {
    Pair pair;
    pair.b.largest_step = 0.04;
    pair.experiment.minimum_step = 0.05;
    Rows rows;
    EXPECT_EQ(failure(pair, rows),
              "unit \"b\" cannot go on at t = 0 s: it was asked for a step of 0.1 s and granted "
              "0.04 s; the shortest allowed is 0.05 s\n"
              "  if so short a step makes sense, allow it by experiment.minimum-step; else look "
              "into what the unit is fed at that time, and into its parameters");
    EXPECT_TRUE(rows.ended);
    pair.experiment.minimum_step = 0.04;
    EXPECT_EQ(failure(pair, rows), "");
}

TEST(Simulation, StopsWhenAUnitAcceptsNothing) {
    Pair pair;
    pair.b.largest_step = 0;
    Rows rows;
    EXPECT_THAT(failure(pair, rows), HasSubstr("unit \"b\" cannot go on at t = 0 s"));
}

TEST(Simulation, NamesAUnitThatStopsShortWithoutNegotiation) {
    Pair pair;
    pair.a.largest_step = 0.04;
    Rows rows;
    EXPECT_THAT(failure(pair, rows),
                HasSubstr("unit \"a\" accepted the step from t = 0 s only up to "
                          "t = 0.04 s, not to 0.1 s"));
}

TEST(Simulation, RepeatedRunsAreBitIdentical) {
    Pair pair;
    pair.a.initial = 1;
    pair.algorithm.recipe = Recipe::iterated_gauss_seidel;
    pair.approximation = Approximation::quadratic;
    EXPECT_EQ(recorded(pair).values, recorded(pair).values);
}

TEST(Engine, StepDoesNotAllocateAfterInitialization) {
    for (const Recipe recipe : {Recipe::jacobi, Recipe::gauss_seidel, Recipe::iterated_jacobi,
                                Recipe::iterated_gauss_seidel}) {
        for (const Approximation approximation :
             {Approximation::constant, Approximation::linear, Approximation::quadratic}) {
            Pair pair;
            pair.a.initial = 1;
            pair.b.feedthrough = 0.1;
            pair.algorithm.recipe = recipe;
            pair.approximation = approximation;
            Simulation simulation = pair.simulation();
            simulation.initialize();
            simulation.step(); // the first save makes the snapshots' slots
            const std::size_t before = test::allocations();
            for (int i = 0; i < 8; ++i) simulation.step();
            EXPECT_EQ(test::allocations(), before) << to_string(recipe);
        }
    }
}

} // namespace
} // namespace rubato::engine
