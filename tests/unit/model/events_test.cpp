// SPDX-License-Identifier: Apache-2.0
// Events of models that step themselves.
#include "models.hpp"

#include <rubato/model/declare.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace rubato::model {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// A charge that follows its input and is taken off whenever it reaches 1.
struct Charger {
    double u = 1;
    double x = 0;
    double last = -1;
    std::int32_t count = 0;

    static void declare(Declaration<Charger>& model) {
        model.input(&Charger::u, "u", "", "");
        model.state(&Charger::x, "x", "", "").given_out();
        model.discrete(&Charger::last, "last", "s", "time of the last discharge").given_out();
        model.discrete(&Charger::count, "count", "", "").given_out();
    }
    void derivatives(Charger& der) const { der.x = u; }
    std::array<double, 1> crossings() const { return {x - 1}; }
    void event(double time) {
        if (x < 1) return;
        x = 0;
        last = time;
        ++count;
    }
};

/// Notes when its events are.
struct Metronome {
    double interval = 0.25;
    double next = 0.25, last = -1;

    static void declare(Declaration<Metronome>& model) {
        model.parameter(&Metronome::interval, "interval", "s", "");
        model.discrete(&Metronome::next, "next", "s", "");
        model.discrete(&Metronome::last, "last", "s", "").given_out();
    }
    double next_event() const { return next; }
    void event(double time) {
        if (time < next) return;
        last = time;
        next += interval;
    }
};

/// Asks for an event where it stands, for ever.
struct Stubborn {
    double x = 0;
    static void declare(Declaration<Stubborn>& model) { model.state(&Stubborn::x, "x", "", ""); }
    void derivatives(Stubborn& der) const { der.x = 1; }
    double next_event(double time) const { return time; }
    void event() {}
};

/// Notices when time passes the middle of a second.
struct Noon {
    bool afternoon = false;
    double at = -1;
    static void declare(Declaration<Noon>& model) {
        model.discrete(&Noon::afternoon, "afternoon", "", "").given_out();
        model.discrete(&Noon::at, "at", "s", "").given_out();
    }
    std::array<double, 1> crossings(double time) const { return {time - 0.5}; }
    void event(double time) {
        afternoon = time >= 0.5;
        if (afternoon) at = time;
    }
};

std::int32_t count_of(Named& unit) {
    const ValueRef variable = reference(unit.type(), "count");
    std::int32_t value = 0;
    must(unit.get<std::int32_t>({&variable, 1}, &value));
    return value;
}

class EventsOfSolver : public testing::TestWithParam<Solver> {
protected:
    template <class Model>
    static const ModelType& type() {
        static const ModelType made = make_model_type<Model>("model");
        return made;
    }
};

TEST_P(EventsOfSolver, CrossingsAreFoundWithinAStep) {
    Named charger(type<Charger>());
    charger.solve_with(GetParam());
    charger.initialize();
    charger.step(0, 0.75);
    EXPECT_EQ(count_of(charger), 0);
    charger.step(0.75, 0.75);
    EXPECT_EQ(count_of(charger), 1);
    EXPECT_NEAR(charger.value("last"), 1, 1e-12);
    EXPECT_NEAR(charger.value("x"), 0.5, 1e-12);
}

TEST_P(EventsOfSolver, SeveralCrossingsFitInOneStep) {
    Named charger(type<Charger>());
    charger.solve_with(GetParam(), 0.3);
    charger.initialize();
    charger.step(0, 5.25);
    EXPECT_EQ(count_of(charger), 5);
    EXPECT_NEAR(charger.value("last"), 5, 1e-12);
    EXPECT_NEAR(charger.value("x"), 0.25, 1e-12);
}

TEST_P(EventsOfSolver, InputsGoOnMovingAfterAnEvent) {
    if (GetParam() == Solver::euler) GTEST_SKIP() << "it sees inputs at the start of a step only";
    Named charger(type<Charger>());
    charger.solve_with(GetParam());
    charger.initialize();
    charger.assign("u", 1);
    charger.derive("u", 1, 2); // x = t + t²: 1 at (√5 - 1)/2, 2 at t = 1
    charger.step(0, 0.75);
    EXPECT_NEAR(charger.value("last"), (std::sqrt(5.0) - 1) / 2, 1e-12);
    charger.step(0.75, 0.375);
    EXPECT_EQ(count_of(charger), 2);
    EXPECT_NEAR(charger.value("last"), 1, 1e-12);
    EXPECT_NEAR(charger.value("u"), 3.25, 1e-12);
}

TEST_P(EventsOfSolver, AStateRestoredMeetsItsEventAgain) {
    Named charger(type<Charger>());
    charger.solve_with(GetParam());
    charger.initialize();
    charger.step(0, 0.75);
    std::vector<std::byte> saved(charger.saved_size());
    charger.save(saved.data());
    charger.step(0.75, 0.5);
    const double first = charger.value("x");
    charger.restore(saved.data());
    EXPECT_EQ(count_of(charger), 0);
    charger.step(0.75, 0.5);
    EXPECT_EQ(charger.value("x"), first);
}

INSTANTIATE_TEST_SUITE_P(Kit, EventsOfSolver,
                         testing::Values(Solver::euler, Solver::rk4, Solver::exact),
                         [](const auto& test) {
                             return std::string(test.param == Solver::euler ? "euler"
                                                : test.param == Solver::rk4 ? "rk4"
                                                                            : "exact");
                         });

TEST(Events, TimeEventsAreMetExactly) {
    const ModelType type = make_model_type<Metronome>("metronome");
    Named metronome(type);
    metronome.initialize();
    metronome.step(0, 0.2);
    EXPECT_EQ(metronome.value("last"), -1);
    metronome.step(0.2, 0.2);
    EXPECT_EQ(metronome.value("last"), 0.25);
    metronome.step(0.4, 0.1);
    EXPECT_EQ(metronome.value("last"), 0.5); // at the end of a step
    metronome.step(0.5, 2.0);
    EXPECT_EQ(metronome.value("last"), 2.5);
}

TEST(Events, AnEventIsHandledAtTheStart) {
    const ModelType type = make_model_type<Charger>("charger");
    Named charger(type);
    charger.assign("x", 1.5);
    charger.initialize();
    EXPECT_EQ(charger.value("x"), 0);
    EXPECT_EQ(charger.value("last"), 0);
}

TEST(Events, TimeAloneCanCross) {
    const ModelType type = make_model_type<Noon>("noon");
    Named noon(type);
    noon.initialize();
    noon.step(0, 0.8);
    EXPECT_NEAR(noon.value("at"), 0.5, 1e-12);
}

TEST(Events, EventsWithoutEndAreAFailure) {
    const ModelType type = make_model_type<Stubborn>("stubborn");
    Named stubborn(type);
    stubborn.initialize();
    EXPECT_THAT([&] { stubborn.step(0, 1); },
                ThrowsMessage<std::runtime_error>(HasSubstr("more than 100000 events")));
    EXPECT_EQ(stubborn.phase(), Phase::failed);
}

TEST(Events, DiscreteVariablesCanBeSetUntilTheFirstStep) {
    const ModelType type = make_model_type<Metronome>("metronome");
    Named metronome(type);
    metronome.assign("next", 0.5);
    metronome.initialize();
    metronome.step(0, 0.625);
    EXPECT_EQ(metronome.value("last"), 0.5);
    const ValueRef next = reference(type, "next");
    const double value = 1;
    EXPECT_EQ(metronome.set<double>({&next, 1}, &value).access, Access::not_settable);
}

} // namespace
} // namespace rubato::model
