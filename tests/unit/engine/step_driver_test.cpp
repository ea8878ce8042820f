// SPDX-License-Identifier: Apache-2.0
#include "control/step_driver.hpp"
#include "support/integrator_unit.hpp"
#include "support/system_builder.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/synthesis/recipe.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

namespace rubato::engine {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;

/// x' = 1 in steps of 0.1 s, with the parts that a step driver wants.
class Ramp {
public:
    Ramp() {
        test::SystemBuilder builder;
        builder.unit("a").input("u").output("y").reference_last(1);
        builder.unit("b").input("u").output("y").reference_last(1);
        Diagnostics diagnostics;
        orchestration_ = synthesis::orchestrate(builder.link("a.y", "b.u").build(),
                                                {.recipe = scenario::Recipe::jacobi}, diagnostics);
        diagnostics.throw_if_errors();
        units_.push_back(
            std::make_unique<test::IntegratorUnit>("a", test::IntegratorTraits{.initial = 1}));
        units_.push_back(std::make_unique<test::IntegratorUnit>("b", test::IntegratorTraits{}));
        compiled_ = compile(orchestration_.system, orchestration_.algorithm, units_,
                            {.may_be_taken_back = true});
        executor_.emplace(*compiled_.plan, orchestration_.system, summary_, silent_log(), 1u);
        driver_.emplace(StepDriver::Parts{orchestration_.system, experiment_, options_, units_,
                                          compiled_, *executor_, nullptr, summary_});
        for (const auto& unit : units_) unit->enter_initialization({Time{0}, Time{1}, {}});
        executor_->initialize(Time{0});
        for (const auto& unit : units_) unit->exit_initialization();
    }

    StepDriver& driver() { return *driver_; }
    Executor& executor() { return *executor_; }
    Plan& plan() { return *compiled_.plan; }
    std::span<const std::unique_ptr<unit::Unit>> units() const { return units_; }
    const Summary& summary() const { return summary_; }

    std::vector<double> points() {
        driver_->start();
        std::vector<double> times;
        while (!driver_->is_at_end()) {
            EXPECT_EQ(driver_->step(Time{HUGE_VAL}), Flow::proceed);
            times.push_back(driver_->now().seconds);
        }
        return times;
    }
    /// Of the second unit.
    double output() {
        const ValueRef reference = 1;
        double value = 0;
        units_[1]->get({ValueType::float64, {&reference, 1}, &value, 1});
        return value;
    }

private:
    synthesis::Orchestration orchestration_;
    std::vector<std::unique_ptr<unit::Unit>> units_;
    scenario::Experiment experiment_{
        .start = 0, .stop = 0.3, .step = 0.1, .tolerance = {}, .where = {}};
    SimulationOptions options_;
    Compiled compiled_;
    Summary summary_;
    std::optional<Executor> executor_;
    std::optional<StepDriver> driver_;
};

/// Repeats every step that is longer than 0.06 s with half its length.
class Impatient final : public StepController {
public:
    explicit Impatient(Ramp& ramp)
        : executor_(ramp.executor()), checkpoint_(ramp.plan(), ramp.units()) {}

    bool judges() const override { return true; }
    Checkpoint* checkpoint() override { return &checkpoint_; }
    Judgement judge(const Attempt& made, Flow flow) override {
        EXPECT_EQ(flow, Flow::proceed);
        EXPECT_EQ(executor_.end(), made.end);
        ++attempts;
        if (made.by.seconds <= 0.06) return Judgement::accept();
        return Judgement::repeat(Attempt::between(made.from, made.from + 0.5 * made.by));
    }
    void commit(const MadeStep& step) override { committed.push_back(step.by.seconds); }
    void restart(Time now) override { restarts.push_back(now.seconds); }

    int attempts = 0;
    std::vector<double> committed, restarts;

private:
    Executor& executor_;
    Checkpoint checkpoint_;
};

TEST(StepDriver, AsksAControllerThatItDoesNotKnow) {
    Ramp ramp;
    auto owned = std::make_unique<Impatient>(ramp);
    const Impatient& controller = *owned;
    ramp.driver().add(std::move(owned));
    EXPECT_THAT(ramp.points(), ElementsAre(DoubleEq(0.05), DoubleEq(0.1), DoubleEq(0.15),
                                           DoubleEq(0.2), DoubleEq(0.25), DoubleEq(0.3)));
    EXPECT_EQ(controller.attempts, 9); // the second half of each step of the grid is short enough
    EXPECT_EQ(controller.committed.size(), 6u);
    EXPECT_THAT(controller.restarts, ElementsAre(0));
    EXPECT_THAT(ramp.output(), DoubleEq(0.3)); // no attempt that was rolled back is left in it
}

TEST(StepDriver, EndsStepsWhereAControllerWantsIt) {
    class Alarm final : public StepController {
        Time latest_end(Time now, Duration) const override {
            return {now.seconds < 0.125 ? 0.125 : HUGE_VAL};
        }
    };
    Ramp ramp;
    ramp.driver().add(std::make_unique<Alarm>());
    EXPECT_THAT(ramp.points(),
                ElementsAre(DoubleEq(0.1), DoubleEq(0.125), DoubleEq(0.2), DoubleEq(0.3)));
}

} // namespace
} // namespace rubato::engine
