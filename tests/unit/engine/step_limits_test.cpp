// SPDX-License-Identifier: Apache-2.0
#include "control/motion.hpp"
#include "support/allocation_counter.hpp"
#include "support/formula_unit.hpp"
#include "support/system_builder.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/engine/simulation.hpp>
#include <rubato/synthesis/recipe.hpp>

#include <gmock/gmock.h>

#include <cmath>
#include <functional>

namespace rubato::engine {
namespace {

using test::FormulaState;
using ::testing::Contains;
using ::testing::HasSubstr;

Motion motion(const std::function<double(double)>& value, std::initializer_list<double> times) {
    Motion result;
    for (const double t : times) result.add({t}, value(t));
    return result;
}

TEST(Motion, OfAParabolaIsForetoldExactly) {
    const Motion falling = motion([](double t) { return 2 - t * t; }, {0, 0.25, 0.625});
    EXPECT_NEAR(falling.time_to(0)->by_parabola, std::sqrt(2) - 0.625, 1e-14);
    EXPECT_NEAR(falling.change_after({0.5}).value(), 1.125 * 1.125 - 0.625 * 0.625, 1e-14);
    EXPECT_TRUE(std::isinf(falling.time_to(2.5)->by_parabola)) << "above the vertex";
}

TEST(Motion, OfTwoPointsIsALine) {
    const Motion rising = motion([](double t) { return 3 * t; }, {1, 2});
    EXPECT_DOUBLE_EQ(rising.time_to(12)->by_line, 2);
    EXPECT_DOUBLE_EQ(rising.time_to(12)->by_parabola, 2);
    EXPECT_FALSE(rising.time_to(12)->has_parabola);
    EXPECT_TRUE(std::isinf(rising.time_to(0)->by_line)) << "it lies behind";
}

TEST(Motion, ThatIsAtALevelHasArrived) {
    const Motion rising = motion([](double t) { return 3 * t; }, {0, 1, 2});
    EXPECT_EQ(rising.time_to(6)->by_line, 0);
    EXPECT_EQ(rising.time_to(6)->by_parabola, 0);
    const Motion resting = motion([](double) { return 6; }, {0, 1, 2});
    EXPECT_TRUE(std::isinf(resting.time_to(6)->by_line)) << "it stays there";
}

TEST(Motion, OfOnePointIsNotKnown) {
    Motion still = motion([](double t) { return t; }, {1, 2, 3});
    still.restart({3}, 7);
    EXPECT_EQ(still.time_to(8), std::nullopt);
    EXPECT_EQ(still.change_after({1}), std::nullopt);
    still.add({4}, 9);
    EXPECT_DOUBLE_EQ(still.change_after({1}).value(), 2);
}

/// A unit whose outputs `level` and `other` are functions of time.
struct Limited {
    std::function<double(double t)> level = [](double t) { return t; };
    std::function<double(double t)> other = [](double) { return 0; };
    std::vector<scenario::LimitedChange> changes = {};
    scenario::StepLimitSettings limits = {};
    std::optional<scenario::Comparison> crossing = {}; ///< of `level`, which is predicted
    std::optional<double> tolerance = {};
    double step = 0.1;
    bool can_go_back = true;
    scenario::StepControlSettings control = {};

    Simulation simulation() const {
        scenario::System system = test::SystemBuilder()
                                      .unit("clock")
                                      .output("level")
                                      .output("other")
                                      .unit("taker")
                                      .input("u")
                                      .link("clock.level", "taker.u")
                                      .build();
        system.ports[0].reference = system.ports[0].variable = 0;
        system.ports[1].reference = system.ports[1].variable = 1;
        system.observed = {{UnitId{0}, 0, {}, "level"}, {UnitId{0}, 1, {}, "other"}};
        system.limited_changes = changes;
        if (crossing) {
            system.watched = {{PortId{0}, crossing}};
            system.watched[0].crossing->output = PortId{0};
            system.predicts_crossings = true;
        }
        Diagnostics diagnostics;
        auto derived =
            synthesis::orchestrate(system, {.recipe = scenario::Recipe::jacobi}, diagnostics);
        diagnostics.throw_if_errors();
        std::vector<std::unique_ptr<unit::Unit>> units;
        const auto as_output = [](const std::function<double(double)>& formula) {
            return [=](const FormulaState& s) { return Value(formula(s.x)); };
        };
        const test::FormulaTraits traits{.can_save = can_go_back, .fails = {}};
        units.push_back(std::make_unique<test::FormulaUnit>(
            "clock", std::vector<test::FormulaInput>{},
            std::vector<test::FormulaOutput>{{"level", as_output(level), {}},
                                             {"other", as_output(other), {}}},
            traits));
        units.push_back(
            std::make_unique<test::FormulaUnit>("taker", std::vector<test::FormulaInput>{{"u"}},
                                                std::vector<test::FormulaOutput>{}, traits));
        scenario::Experiment experiment;
        experiment.step = step;
        return Simulation(derived.system, derived.algorithm, std::move(units), experiment,
                          silent_log(),
                          {.step_control = control,
                           .step_limits = limits,
                           .events = {.tolerance = tolerance, .where = {}}});
    }
};

class Rows final : public Recorder {
public:
    void begin(std::span<const Column> columns) override {
        columns_ = {columns.begin(), columns.end()};
    }
    void record(Time time) override {
        times.push_back(time.seconds);
        level.push_back(*static_cast<const double*>(columns_[0].value));
        other.push_back(*static_cast<const double*>(columns_[1].value));
    }
    void note(const EventNote& note) override { events.push_back(note.time.seconds); }
    void end() override {}

    std::vector<double> times, level, other, events;
    Summary summary;

private:
    std::vector<Column> columns_;
};

Rows run(const Limited& limited) {
    Rows rows;
    Simulation simulation = limited.simulation();
    rows.summary = simulation.run({.recorder = &rows});
    return rows;
}

scenario::LimitedChange change(double absolute, double relative = 0) {
    return {.output = PortId{0}, .minus = {}, .absolute = absolute, .relative = relative};
}

double wave(double t) { return std::sin(7 * t * t) + 3; }

// -- changes
// ---------------------------------------------------------------------------------------

TEST(StepLimits, OfAbsoluteChangesHoldInEveryStep) {
    for (const auto controller :
         {scenario::StepController::fixed, scenario::StepController::predictor}) {
        const Rows rows = run({.level = wave,
                               .changes = {change(0.05)},
                               .control = {.controller = controller, .tolerance = 0.5}});
        EXPECT_DOUBLE_EQ(rows.times.back(), 1);
        for (std::size_t i = 1; i < rows.times.size(); ++i)
            EXPECT_LE(std::abs(rows.level[i] - rows.level[i - 1]), 0.05 * (1 + 1e-12));
        EXPECT_EQ(rows.summary.exceeded, 0u);
        // The wave goes by more than 4 up and down: shorter steps than needed would be many more.
        EXPECT_LT(rows.times.size(), 220u);
    }
}

TEST(StepLimits, OfRelativeChangesHoldInEveryStep) {
    const auto grow = [](double t) { return std::exp(4 * t); };
    const Rows rows = run({.level = grow, .changes = {change(0, 0.1)}});
    for (std::size_t i = 1; i < rows.times.size(); ++i)
        EXPECT_LE(rows.level[i] - rows.level[i - 1], 0.1 * rows.level[i] * (1 + 1e-12));
    EXPECT_LT(rows.times.size(), 80u); // 4 / -ln(0.9) = 38 at least
}

TEST(StepLimits, OfDifferencesLookAtTheDifference) {
    const auto other = [](double t) { return wave(t) - 2 * t; };
    scenario::LimitedChange difference = change(0.01);
    difference.minus = PortId{1};
    const Rows rows = run({.level = wave, .other = other, .changes = {difference}});
    for (std::size_t i = 1; i < rows.times.size(); ++i)
        EXPECT_LE(rows.times[i] - rows.times[i - 1], 0.005 * (1 + 1e-9));
    EXPECT_LT(rows.times.size(), 300u);
}

TEST(StepLimits, WithoutAWayBackAreKeptByForesightAndElseCounted) {
    const Rows smooth = run(
        {.level = [](double t) { return 5 * t; }, .changes = {change(0.1)}, .can_go_back = false});
    EXPECT_EQ(smooth.summary.exceeded, 0u);
    EXPECT_LT(smooth.times.size(), 90u);
    const auto kink = [](double t) { return t < 0.55 ? 0 : 50 * (t - 0.55); };
    const Rows sudden = run({.level = kink, .changes = {change(0.1)}, .can_go_back = false});
    EXPECT_GE(sudden.summary.exceeded, 1u);
    EXPECT_LE(sudden.summary.exceeded, 2u);
    EXPECT_THAT(sudden.summary.exceeded_most, HasSubstr("clock.level from t = 0.5"));
}

TEST(StepLimits, ThatCannotBeKeptAreCounted) {
    const auto jump = [](double t) { return t < 0.55 ? 0. : 1.; };
    const Rows rows = run({.level = jump, .changes = {change(0.1)}});
    EXPECT_DOUBLE_EQ(rows.times.back(), 1);
    EXPECT_EQ(rows.summary.exceeded, 1u);
    EXPECT_GT(rows.summary.shortened, 3u);
    EXPECT_THAT(rows.summary.exceeded_most, HasSubstr("by a factor of 10"));
}

// -- sampling
// --------------------------------------------------------------------------------------

TEST(StepLimits, SamplingInstantsAreMetExactly) {
    for (const auto controller :
         {scenario::StepController::fixed, scenario::StepController::predictor}) {
        Limited limited{.step = 0.3, .control = {.controller = controller, .tolerance = 0.5}};
        limited.limits.sampling = {{.period = 0.07, .start = {}, .where = {}},
                                   {.period = 0.5, .start = 0.25, .where = {}},
                                   {.period = 0.4, .start = -1.1, .where = {}}};
        const Rows rows = run(limited);
        for (int k = 1; k * 0.07 < 1; ++k) EXPECT_THAT(rows.times, Contains(k * 0.07));
        for (const double instant : {0.25, 0.75, -1.1 + 3 * 0.4, -1.1 + 4 * 0.4, -1.1 + 5 * 0.4})
            EXPECT_THAT(rows.times, Contains(instant));
        EXPECT_EQ(rows.summary.exceeded, 0u);
    }
}

// -- crossings
// -------------------------------------------------------------------------------------

struct Path {
    const char* name;
    std::function<double(double)> level;
    scenario::Relation relation;
    double value, when;
};

TEST(StepLimits, CrossingsAreMetWithoutAWayBack) {
    using scenario::Relation;
    for (const Path& path :
         {Path{"line", [](double t) { return 2 * t; }, Relation::exceeds, 1.1, 0.55},
          Path{"met at the end of a step", [](double t) { return t; }, Relation::exceeds, 0.5, 0.5},
          Path{"fall", [](double t) { return 1 - t * t; }, Relation::falls_below, 0.5,
               std::sqrt(0.5)},
          Path{"wave", [](double t) { return std::sin(5 * t); }, Relation::falls_below, 0.5,
               (M_PI - std::asin(0.5)) / 5},
          Path{"decay", [](double t) { return std::exp(-3 * t); }, Relation::falls_below, 0.2,
               std::log(5) / 3},
          Path{"growth", [](double t) { return std::exp(9 * t); }, Relation::exceeds, 500,
               std::log(500) / 9}}) {
        for (const double tolerance : {1e-3, 1e-6}) {
            const Rows rows = run({.level = path.level,
                                   .crossing = scenario::Comparison{{}, path.relation, path.value},
                                   .tolerance = tolerance,
                                   .can_go_back = false});
            const bool starts_true = std::string(path.name) == "wave"; // sin 0 < 0.5
            ASSERT_EQ(rows.events.size(), starts_true ? 2u : 1u) << path.name;
            EXPECT_GT(rows.events.back(), path.when) << path.name;
            EXPECT_LE(rows.events.back(), path.when + 1.01 * tolerance) << path.name;
            EXPECT_EQ(rows.summary.trials, 0u);
            EXPECT_LT(rows.times.size(), 100u) << path.name;
        }
    }
}

TEST(StepLimits, ValuesThatOnlyGrazeALevelDoNotStopTheRun) {
    const Rows rows =
        run({.level = [](double t) { return 1 - (t - 0.53) * (t - 0.53); },
             .crossing = scenario::Comparison{{}, scenario::Relation::exceeds, 1.0001},
             .can_go_back = false});
    EXPECT_DOUBLE_EQ(rows.times.back(), 1);
    EXPECT_TRUE(rows.events.empty());
    EXPECT_LT(rows.times.size(), 60u);
}

TEST(StepLimits, AllocateNothing) {
    Simulation simulation =
        Limited{.level = wave,
                .changes = {change(0.05)},
                .crossing = scenario::Comparison{{}, scenario::Relation::exceeds, 3.5}}
            .simulation();
    simulation.initialize();
    for (int i = 0; i < 3; ++i) simulation.step();
    const std::size_t before = test::allocations();
    for (int i = 0; i < 40; ++i) simulation.step();
    EXPECT_EQ(test::allocations(), before);
    EXPECT_GE(simulation.summary().found_events, 1u);
}

} // namespace
} // namespace rubato::engine
