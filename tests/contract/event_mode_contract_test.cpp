// SPDX-License-Identifier: Apache-2.0

/// What every unit with event mode must do, whatever it is.

#include "support/model_unit.hpp"

#include <gmock/gmock.h>

#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace rubato::unit {
namespace {

using test::ModelUnit;

void tick(const ModelUnit& unit, const std::string& clock) {
    const ValueRef reference = unit.reference(clock);
    bool active = true;
    unit->set({ValueType::clock, {&reference, 1}, &active, 1});
}

bool ticks(const ModelUnit& unit, const std::string& clock) {
    const ValueRef reference = unit.reference(clock);
    bool active = false;
    unit->get({ValueType::clock, {&reference, 1}, &active, 1});
    return active;
}

ClockInterval interval_of(const ModelUnit& unit, const std::string& clock) {
    const ValueRef reference = unit.reference(clock);
    ClockInterval interval;
    unit->event_mode()->get_intervals({&reference, 1}, {&interval, 1});
    return interval;
}

void leave(const ModelUnit& unit) {
    (void)unit->event_mode()->update();
    unit->event_mode()->leave();
}

// -- every model that has event mode, in every form that keeps it ---------------------------------

class EveryUnitWithEventMode : public testing::TestWithParam<std::tuple<const char*, const char*>> {
protected:
    ModelUnit unit{std::get<1>(GetParam()), std::get<0>(GetParam()), FMUS};
};

TEST_P(EveryUnitWithEventMode, SaysSo) {
    EXPECT_TRUE(unit->description().capabilities.event_mode);
    EXPECT_NE(unit->event_mode(), nullptr);
}

TEST_P(EveryUnitWithEventMode, IsInItAfterInitialization) {
    unit.initialize();
    EXPECT_EQ(unit->phase(), Phase::event_mode);
    EXPECT_THROW((void)unit->step({0}, {0.01}), std::logic_error);
    leave(unit);
    EXPECT_EQ(unit->phase(), Phase::stepping);
    EXPECT_EQ(unit->step({0}, {0.01}).end, StepEnd::completed);
}

TEST_P(EveryUnitWithEventMode, EntersAndLeavesIt) {
    unit.initialize();
    EXPECT_THROW(unit->event_mode()->enter(), std::logic_error);
    leave(unit);
    EXPECT_THROW((void)unit->event_mode()->update(), std::logic_error);
    EXPECT_THROW(unit->event_mode()->leave(), std::logic_error);
    unit->event_mode()->enter();
    EXPECT_EQ(unit->phase(), Phase::event_mode);
    leave(unit);
}

TEST_P(EveryUnitWithEventMode, GoesBackToThePhaseInWhichItWasSaved) {
    unit.initialize();
    unit->snapshots()->save(0);
    leave(unit);
    unit->snapshots()->save(1);
    unit->snapshots()->restore(0);
    EXPECT_EQ(unit->phase(), Phase::event_mode);
    leave(unit);
    unit->event_mode()->enter();
    unit->snapshots()->restore(1);
    EXPECT_EQ(unit->phase(), Phase::stepping);
    EXPECT_EQ(unit->step({0}, {0.01}).end, StepEnd::completed);
}

TEST_P(EveryUnitWithEventMode, TicksNothingWithoutACause) {
    unit.initialize();
    for (const auto& variable : unit->description().variables) {
        if (!variable.clock || variable.causality != scenario::Causality::output) continue;
        EXPECT_FALSE(ticks(unit, variable.name)) << variable.name;
    }
}

INSTANTIATE_TEST_SUITE_P(Models, EveryUnitWithEventMode,
                         testing::Combine(testing::Values("native", "fmi3", "fmi3_me",
                                                          "fmi3_isolated", "fmi3_me_isolated"),
                                          testing::Values("sampled_controller", "bucket",
                                                          "tick_counter", "timer_switch", "chirp",
                                                          "metronome")),
                         [](const auto& test) {
                             return std::string(std::get<0>(test.param)) + "_" +
                                    std::get<1>(test.param);
                         });

// -- what single models show ----------------------------------------------------------------------

class InEventMode : public testing::TestWithParam<const char*> {
protected:
    ModelUnit make(const std::string& model) { return {model, GetParam(), FMUS}; }
};

TEST_P(InEventMode, AnInstantIsAFunctionOfItsInputs) {
    ModelUnit controller = make("sampled_controller");
    controller.initialize();
    tick(controller, "tick");
    controller.set("y", 0.5);
    const double u = controller.real("u");
    controller.set("y", 5.0);
    EXPECT_NE(controller.real("u"), u);
    controller.set("y", 0.5);
    EXPECT_EQ(controller.real("u"), u);
    (void)controller->event_mode()->update();
    EXPECT_EQ(controller.real("u"), u); // held: the clock has stopped
}

TEST_P(InEventMode, AStepEndsAtAnEvent) {
    ModelUnit bucket = make("bucket");
    bucket.initialize();
    leave(bucket);
    const StepResult result = bucket->step({0}, {3});
    EXPECT_EQ(result.end, StepEnd::event);
    EXPECT_NEAR(result.reached.seconds, 1, 1e-9);
    EXPECT_EQ(bucket.integer("tips"), 0);
    bucket->event_mode()->enter();
    EXPECT_TRUE(ticks(bucket, "tip"));
    (void)bucket->event_mode()->update();
    EXPECT_FALSE(ticks(bucket, "tip"));
    EXPECT_EQ(bucket.integer("tips"), 1);
    EXPECT_EQ(bucket.real("level"), 0);
}

TEST_P(InEventMode, AnEventIsMetAgainByAStepThatEndsThere) {
    ModelUnit bucket = make("bucket");
    bucket.initialize();
    leave(bucket);
    bucket->snapshots()->save(0);
    const Time reached = bucket->step({0}, {3}).reached;
    bucket->snapshots()->restore(0);
    const StepResult again = bucket->step({0}, reached - Time{0});
    EXPECT_EQ(again.end, StepEnd::event);
    EXPECT_EQ(again.reached, reached);
}

TEST_P(InEventMode, ATickGoesThroughAtOnce) {
    ModelUnit counter = make("tick_counter");
    counter.initialize();
    EXPECT_FALSE(ticks(counter, "carry"));
    tick(counter, "tick");
    EXPECT_TRUE(ticks(counter, "carry"));
    EXPECT_EQ(counter.integer("count"), 1);
}

TEST_P(InEventMode, ACountdownIsToldOnce) {
    ModelUnit light = make("timer_switch");
    light.initialize();
    EXPECT_NE(interval_of(light, "expire").kind, ClockInterval::Kind::changed);
    tick(light, "press");
    (void)light->event_mode()->update();
    const ClockInterval told = interval_of(light, "expire");
    EXPECT_EQ(told.kind, ClockInterval::Kind::changed);
    EXPECT_EQ(told.interval, Duration{1});
    EXPECT_NE(interval_of(light, "expire").kind, ClockInterval::Kind::changed);
}

TEST_P(InEventMode, IntervalsAreToldAsFractionsWhereTheClockHasThem) {
    ModelUnit metronome = make("metronome");
    metronome->enter_initialization({});
    const ClockInterval told = interval_of(metronome, "beat");
    EXPECT_EQ(told.kind, ClockInterval::Kind::changed);
    EXPECT_EQ(told.interval, Duration{0.5});
    EXPECT_EQ(told.counter, 24000u);
    EXPECT_EQ(told.resolution, 48000u);
}

TEST_P(InEventMode, ATunableIntervalChangesWithWhatItDependsOn) {
    ModelUnit metronome = make("metronome");
    metronome.initialize();
    metronome.set("tempo", std::int64_t{90});
    (void)metronome->event_mode()->update();
    const ClockInterval told = interval_of(metronome, "beat");
    EXPECT_EQ(told.kind, ClockInterval::Kind::changed);
    EXPECT_EQ(told.counter, 32000u);
    EXPECT_DOUBLE_EQ(told.interval.seconds, 2.0 / 3);
}

INSTANTIATE_TEST_SUITE_P(Forms, InEventMode,
                         testing::Values("native", "fmi3", "fmi3_me", "fmi3_isolated",
                                         "fmi3_me_isolated"),
                         [](const auto& test) { return std::string(test.param); });

/// FMI 2.0 has no clocks: time drives them as events of the model's own.
TEST(WithoutEventMode, ClocksTickByThemselves) {
    for (const char* form : {"fmi2", "fmi2_me"}) {
        ModelUnit controller("sampled_controller", form, FMUS);
        controller.initialize();
        EXPECT_EQ(controller->event_mode(), nullptr);
        EXPECT_NEAR(controller.real("integral"), 0.1, 1e-12) << form;
        controller.run(0.25, 4); // ten ticks, of which each adds 0.1
        EXPECT_NEAR(controller.real("integral"), 1.1, 1e-12) << form;
    }
}

TEST(WithoutEventMode, ATunableClockFollowsItsInterval) {
    // A new tempo is noticed at the next event, 4/3 s, or at once: there it is one by itself.
    for (const auto& [form, later] : {std::pair("fmi2", 3), std::pair("fmi2_me", 4)}) {
        ModelUnit metronome("metronome", form, FMUS);
        metronome.initialize();
        metronome.run(0.25, 5); // beats at 0, 0.5, 1; thirds at 0, 1/3, 2/3, 1
        EXPECT_EQ(metronome.integer("beats"), 3) << form;
        EXPECT_EQ(metronome.integer("thirds"), 4) << form;
        metronome.set("tempo", std::int64_t{240});
        (void)metronome->step({1.25}, {1});
        EXPECT_EQ(metronome.integer("beats"), 3 + later) << form;
        EXPECT_EQ(metronome.integer("thirds"), 7) << form;
    }
}

} // namespace
} // namespace rubato::unit
