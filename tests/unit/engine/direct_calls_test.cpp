// SPDX-License-Identifier: Apache-2.0
// Units that offer their bare functions are called in rows.
#include "execution/finite.hpp"
#include "support/collecting_log.hpp"
#include "support/error_text.hpp"
#include "support/system_builder.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/engine/simulation.hpp>
#include <rubato/synthesis/recipe.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cfenv>
#include <cmath>
#include <functional>
#include <limits>

namespace rubato::engine {
namespace {

using ::testing::HasSubstr;

enum class LagFault { none, nan_output, failing_get, termination, rounding, late_end };

struct LagTraits {
    bool is_direct = true;
    LagFault fault = LagFault::none;   ///< after the second step
    std::atomic<bool>* stop = nullptr; ///< is set in the second step
};

/// y' = (a + b)/2 - y, by explicit Euler; references of a, b and y are 0, 1 and 2.
class Lag final : public unit::Unit {
public:
    Lag(std::string name, double y, LagTraits traits, int& direct_steps)
        : Unit(std::move(name), describe()), traits_(traits), direct_steps_(direct_steps) {
        values_[2] = y;
    }

    unit::Abilities abilities() noexcept override {
        unit::Abilities all = unit::Abilities::none();
        if (traits_.is_direct) all.direct_calls = &direct_;
        return all;
    }

private:
    static const scenario::UnitDescription& describe() {
        static const scenario::UnitDescription description = [] {
            scenario::UnitDescription result;
            for (const std::string name : {"a", "b", "y"}) {
                scenario::Variable variable;
                variable.name = name;
                variable.reference = static_cast<ValueRef>(result.variables.size());
                result.variables.push_back(variable);
            }
            return result;
        }();
        return description;
    }

    static Lag& of(void* instance) { return *static_cast<Lag*>(instance); }
    static int get_direct(void* it, const ValueRef* references, std::size_t count, double* to) {
        for (std::size_t i = 0; i < count; ++i) to[i] = of(it).read(references[i]);
        return of(it).has_fault(LagFault::failing_get) ? 3 : 0;
    }
    static int set_direct(void* it, const ValueRef* references, std::size_t count,
                          const double* from) {
        for (std::size_t i = 0; i < count; ++i) of(it).values_[references[i]] = from[i];
        return 0;
    }
    static int step_direct(void* it, double, double by, int) {
        ++of(it).direct_steps_;
        if (of(it).has_fault(LagFault::termination)) return 2;
        of(it).advance(by);
        if (of(it).has_fault(LagFault::rounding)) std::fesetround(FE_UPWARD);
        return of(it).has_fault(LagFault::late_end) ? 2 : 0;
    }

    bool has_fault(LagFault fault) const { return traits_.fault == fault && steps_ >= 2; }
    double read(ValueRef reference) const {
        return has_fault(LagFault::nan_output) ? std::nan("") : values_[reference];
    }
    void advance(double by) {
        values_[2] += by * (0.5 * (values_[0] + values_[1]) - values_[2]);
        if (++steps_ == 2 && traits_.stop) traits_.stop->store(true);
    }

    void do_enter_initialization(const unit::Horizon&) override {}
    void do_exit_initialization() override {}
    void do_terminate() override {}
    void do_get(const Bulk& bulk) override {
        (void)get_direct(this, bulk.references.data(), bulk.count, bulk.reals().data());
    }
    void do_set(const Bulk& bulk) override {
        (void)set_direct(this, bulk.references.data(), bulk.count, bulk.reals().data());
    }
    unit::StepResult do_step(Time from, Duration by) override {
        if (has_fault(LagFault::termination)) return {from, unit::StepEnd::terminated};
        advance(by.seconds);
        if (has_fault(LagFault::rounding)) std::fesetround(FE_UPWARD);
        return {from + by};
    }
    unit::StepResult do_conclude(Time from, Duration by, int) override {
        if (traits_.fault == LagFault::late_end) return {from + 2 * by, unit::StepEnd::event};
        return {from, unit::StepEnd::terminated};
    }

    LagTraits traits_;
    int& direct_steps_;
    double values_[3] = {};
    int steps_ = 0;
    unit::DirectCalls direct_{this, get_direct, set_direct, step_direct};
};

constexpr std::uint32_t lag_count = 7;

/// A ring in which each is fed by both its neighbours.
scenario::System lag_ring() {
    test::SystemBuilder builder;
    const auto name = [](std::uint32_t i) { return "u" + std::to_string(i % lag_count); };
    for (std::uint32_t i = 0; i < lag_count; ++i) {
        builder.unit(name(i));
        builder.input("a").reference_last(0).input("b").reference_last(1);
        builder.output("y").reference_last(2);
    }
    for (std::uint32_t i = 0; i < lag_count; ++i)
        builder.link(name(i) + ".y", name(i + 1) + ".a").link(name(i + 1) + ".y", name(i) + ".b");
    scenario::System system = builder.build();
    for (std::uint32_t i = 0; i < lag_count; ++i) system.observed.push_back({UnitId{i}, 2});
    return system;
}

struct KeptRows final : Recorder {
    void begin(std::span<const Column> all) override { columns = {all.begin(), all.end()}; }
    void record(Time time) override {
        times.push_back(time.seconds);
        for (const Column& column : columns)
            values.push_back(*static_cast<const double*>(column.value));
    }
    void end() override {}
    std::vector<Column> columns;
    std::vector<double> times, values;
};

using TraitsOf = std::function<LagTraits(std::uint32_t)>;

Simulation simulation_of_lags(const TraitsOf& traits_of, scenario::Recipe recipe, int& direct_steps,
                              Log& log = silent_log()) {
    Diagnostics diagnostics;
    const auto result = synthesis::orchestrate(lag_ring(), {.recipe = recipe}, diagnostics);
    diagnostics.throw_if_errors();
    std::vector<std::unique_ptr<unit::Unit>> units;
    for (std::uint32_t i = 0; i < lag_count; ++i)
        units.push_back(
            std::make_unique<Lag>("u" + std::to_string(i), i * i, traits_of(i), direct_steps));
    return {result.system,
            result.algorithm,
            std::move(units),
            {.start = 0, .stop = 1, .step = 0.1},
            log};
}

struct LagOutcome {
    std::vector<double> times, values;
    Summary summary;
    int direct_steps = 0;

    std::vector<double> row(std::size_t i) const {
        return {values.begin() + static_cast<std::ptrdiff_t>(i * lag_count),
                values.begin() + static_cast<std::ptrdiff_t>((i + 1) * lag_count)};
    }
};

LagOutcome run_lags(const TraitsOf& traits_of, scenario::Recipe recipe,
                    Observation observation = {}, Log& log = silent_log()) {
    LagOutcome outcome;
    Simulation simulation = simulation_of_lags(traits_of, recipe, outcome.direct_steps, log);
    KeptRows rows;
    observation.recorder = &rows;
    outcome.summary = simulation.run(observation);
    outcome.times = rows.times;
    outcome.values = rows.values;
    return outcome;
}

TEST(DirectCalls, GiveTheBitsOfCallsThroughUnitsAlsoBesideThem) {
    for (const auto recipe : {scenario::Recipe::jacobi, scenario::Recipe::gauss_seidel}) {
        const LagOutcome through_units = run_lags([](auto) { return LagTraits{false}; }, recipe);
        const LagOutcome direct = run_lags([](auto) { return LagTraits{true}; }, recipe);
        const LagOutcome mixed = run_lags([](auto i) { return LagTraits{i % 3 != 1}; }, recipe);
        EXPECT_EQ(through_units.values.size(), 11u * lag_count);
        EXPECT_EQ(direct.values, through_units.values);
        EXPECT_EQ(mixed.values, through_units.values);
        EXPECT_EQ(through_units.direct_steps, 0);
        EXPECT_EQ(direct.direct_steps, 70);
        EXPECT_EQ(mixed.direct_steps, 50);
    }
}

/// All of them are read in one row.
TEST(DirectCalls, TheFirstFaultOfARowIsReported) {
    const auto message = [](LagFault of_second, LagFault of_fifth, std::uint64_t every) {
        return test::error_of<Error>([&] {
            (void)run_lags(
                [&](auto i) {
                    return LagTraits{.fault = i == 2   ? of_second
                                              : i == 5 ? of_fifth
                                                       : LagFault::none};
                },
                scenario::Recipe::jacobi, {.every = every});
        });
    };
    for (const std::uint64_t every : {1, 5}) { // 5: amid steps that nobody looks at
        EXPECT_THAT(message(LagFault::nan_output, LagFault::failing_get, every),
                    HasSubstr("unit \"u2\": output \"y\" is nan at t = 0.2 s"));
        EXPECT_THAT(message(LagFault::failing_get, LagFault::nan_output, every),
                    HasSubstr("unit \"u2\" failed in get at t = 0.2 s"));
        EXPECT_THAT(message(LagFault::none, LagFault::nan_output, every),
                    HasSubstr("unit \"u5\": output \"y\" is nan at t = 0.2 s"));
    }
}

TEST(ManyDirectSteps, GiveTheBitsOfSingleOnes) {
    for (const auto recipe : {scenario::Recipe::jacobi, scenario::Recipe::gauss_seidel}) {
        const auto run = [&](const Observation& observation) {
            return run_lags([](auto) { return LagTraits{}; }, recipe, observation);
        };
        const LagOutcome all = run({});
        const LagOutcome some = run({.every = 4});
        ASSERT_EQ(some.times.size(), 4u);
        EXPECT_EQ(some.times, (std::vector{0.0, all.times[4], all.times[8], 1.0}));
        for (const std::size_t i : {0, 1, 2}) EXPECT_EQ(some.row(i), all.row(4 * i));
        EXPECT_EQ(some.row(3), all.row(10));
        EXPECT_EQ(some.summary.steps, 10u);
        EXPECT_EQ(some.summary.unit_steps, 70u);
        EXPECT_EQ(some.summary.reached, Time{1.0});
        const LagOutcome at_times = run({.interval = Duration{0.5}});
        ASSERT_EQ(at_times.times.size(), 3u);
        EXPECT_EQ(at_times.row(1), all.row(5));
        EXPECT_EQ(at_times.row(2), all.row(10));
    }
}

TEST(ManyDirectSteps, AreThoseOfASpan) {
    const auto values = [](Simulation& simulation) {
        std::vector<double> result;
        for (const Column& column : simulation.observe())
            result.push_back(*static_cast<const double*>(column.value));
        return result;
    };
    int unused = 0;
    const auto make = [&] {
        auto simulation =
            simulation_of_lags([](auto) { return LagTraits{}; }, scenario::Recipe::jacobi, unused);
        simulation.initialize();
        return simulation;
    };
    Simulation single = make();
    Simulation many = make();
    for (int i = 0; i < 7; ++i) single.step();
    many.begin_span(Time{0}, Duration{0.3});
    (void)many.advance();
    many.begin_span(many.time(), Duration{0.4});
    (void)many.advance();
    EXPECT_DOUBLE_EQ(many.time().seconds, single.time().seconds);
    EXPECT_EQ(many.summary().steps, 7u);
    EXPECT_EQ(values(many), values(single));
    EXPECT_EQ(many.summary().unit_steps, 49u);
}

TEST(ManyDirectSteps, EndWhereAUnitAsksForIt) {
    for (const bool is_direct : {true, false}) {
        for (const std::uint64_t every : {1, 5}) {
            const auto outcome = run_lags(
                [&](auto i) {
                    return LagTraits{is_direct, i == 3 ? LagFault::termination : LagFault::none};
                },
                scenario::Recipe::jacobi, {.every = every});
            EXPECT_EQ(outcome.summary.end, RunEnd::terminated);
            EXPECT_EQ(outcome.summary.ended_by, "u3");
            EXPECT_EQ(outcome.summary.steps, 2u);
            EXPECT_EQ(outcome.summary.reached, Time{0.2});
            EXPECT_EQ(outcome.times.size(), every == 1 ? 3u : 1u);
        }
    }
}

TEST(ManyDirectSteps, ContinueAfterAUnitThatReportsAnEventAtTheEndOfAStep) {
    const auto outcome = run_lags(
        [](auto i) { return LagTraits{.fault = i == 3 ? LagFault::late_end : LagFault::none}; },
        scenario::Recipe::jacobi, {.every = 10});
    const LagOutcome all = run_lags([](auto) { return LagTraits{}; }, scenario::Recipe::jacobi);
    EXPECT_EQ(outcome.summary.steps, 10u);
    EXPECT_EQ(outcome.row(1), all.row(10));
}

TEST(ManyDirectSteps, EndAfterTheStepInWhichTheUserStopsThem) {
    std::atomic<bool> stop = false;
    const auto outcome =
        run_lags([&](auto i) { return LagTraits{.stop = i == 0 ? &stop : nullptr}; },
                 scenario::Recipe::jacobi, {.every = 1000, .stop = &stop});
    EXPECT_EQ(outcome.summary.end, RunEnd::interrupted);
    EXPECT_EQ(outcome.summary.steps, 2u);
    EXPECT_EQ(outcome.direct_steps, 2 * static_cast<int>(lag_count));
}

TEST(ManyDirectSteps, ComputeAsBeforeAfterAUnitThatChangesTheRoundingMode) {
    test::CollectingLog log;
    const auto outcome = run_lags(
        [](auto i) { return LagTraits{.fault = i == 3 ? LagFault::rounding : LagFault::none}; },
        scenario::Recipe::jacobi, {.every = 10}, log);
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
    ASSERT_EQ(log.messages().size(), 1u);
    EXPECT_EQ(log.messages().front().source, "u3");
    const LagOutcome all = run_lags([](auto) { return LagTraits{}; }, scenario::Recipe::jacobi);
    EXPECT_EQ(outcome.row(1), all.row(10));
}

TEST(AllFinite, FindsAValueAtAnyPlace) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (std::size_t size = 0; size < 14; ++size) {
        std::vector<double> values(size, std::numeric_limits<double>::max());
        EXPECT_TRUE(all_finite(values));
        for (std::size_t at = 0; at < size; ++at) {
            for (const double bad : {infinity, -infinity, std::nan("")}) {
                const double good = std::exchange(values[at], bad);
                EXPECT_FALSE(all_finite(values)) << at << " of " << size;
                values[at] = good;
            }
        }
    }
}

} // namespace
} // namespace rubato::engine
