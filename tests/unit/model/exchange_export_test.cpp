// SPDX-License-Identifier: Apache-2.0
// Model exchange as both standards have it: the same walk through an instance's life.
#include "sample.hpp"

#include <rubato/fmi/fmi2_exports.hpp>
#include <rubato/fmi/fmi3_exports.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdarg>
#include <cstdio>

namespace rubato::model {
namespace {

using testing::HasSubstr;

std::string last_message;

void log2(fmi2::ComponentEnvironment, fmi2::String, fmi2::Status, fmi2::String, fmi2::String format,
          ...) {
    char text[512];
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    last_message = text;
}

void log3(fmi3::InstanceEnvironment, fmi3::Status, fmi3::String, fmi3::String text) {
    last_message = text;
}

/// What an event round reports, of either standard.
struct Round {
    bool done = false, again = true, states_changed = true, has_next_event = true;
};

/// One standard's functions, by the same names.
struct Fmi2 {
    static constexpr const char* prefix = "fmi2";
    void* instance = nullptr;
    fmi2::CallbackFunctions callbacks{log2, nullptr, nullptr, nullptr, nullptr};

    Fmi2() {
        instance = fmi2Instantiate("lag", fmi2::Type::model_exchange,
                                   exported_model().identifier.c_str(), nullptr, &callbacks, 0, 1);
    }
    ~Fmi2() { fmi2FreeInstance(instance); }
    static bool ok(fmi2::Status status) { return status == fmi2::Status::ok; }
    bool initialize() {
        return ok(fmi2SetupExperiment(instance, 0, 0, 0, 0, 0)) &&
               ok(fmi2EnterInitializationMode(instance)) &&
               ok(fmi2ExitInitializationMode(instance));
    }
    bool enter_event_mode() { return ok(fmi2EnterEventMode(instance)); }
    bool enter_continuous_time() { return ok(fmi2EnterContinuousTimeMode(instance)); }
    Round update() {
        fmi2::EventInfo info;
        info.new_discrete_states_needed = fmi2::yes;
        const bool done = ok(fmi2NewDiscreteStates(instance, &info));
        return {done, info.new_discrete_states_needed != 0,
                info.values_of_continuous_states_changed != 0, info.next_event_time_defined != 0};
    }
    bool set_time(double t) { return ok(fmi2SetTime(instance, t)); }
    bool set_states(const double* x, std::size_t n) {
        return ok(fmi2SetContinuousStates(instance, x, n));
    }
    bool get_states(double* x, std::size_t n) {
        return ok(fmi2GetContinuousStates(instance, x, n));
    }
    bool get_derivatives(double* x, std::size_t n) {
        return ok(fmi2GetDerivatives(instance, x, n));
    }
    bool get_nominals(double* x, std::size_t n) {
        return ok(fmi2GetNominalsOfContinuousStates(instance, x, n));
    }
    bool complete(int& event, int& terminate) {
        return ok(fmi2CompletedIntegratorStep(instance, 1, &event, &terminate));
    }
    bool set(ValueRef reference, double value) {
        return ok(fmi2SetReal(instance, &reference, 1, &value));
    }
    bool set_flag(ValueRef reference, bool value) {
        const fmi2::Boolean flag = value;
        return ok(fmi2SetBoolean(instance, &reference, 1, &flag));
    }
    double get(ValueRef reference) {
        double value = -1;
        EXPECT_TRUE(ok(fmi2GetReal(instance, &reference, 1, &value)));
        return value;
    }
    bool step() { return ok(fmi2DoStep(instance, 0, 1, 1)); }
    bool terminate() { return ok(fmi2Terminate(instance)); }
    bool save(void** state) { return ok(fmi2GetFMUstate(instance, state)); }
    bool restore(void* state) { return ok(fmi2SetFMUstate(instance, state)); }
    bool free(void** state) { return ok(fmi2FreeFMUstate(instance, state)); }
};

struct Fmi3 {
    static constexpr const char* prefix = "fmi3";
    void* instance = nullptr;

    Fmi3() {
        instance = fmi3InstantiateModelExchange("lag", exported_model().identifier.c_str(), nullptr,
                                                false, true, nullptr, log3);
    }
    ~Fmi3() { fmi3FreeInstance(instance); }
    static bool ok(fmi3::Status status) { return status == fmi3::Status::ok; }
    bool initialize() {
        return ok(fmi3EnterInitializationMode(instance, false, 0, 0, false, 0)) &&
               ok(fmi3ExitInitializationMode(instance));
    }
    bool enter_event_mode() { return ok(fmi3EnterEventMode(instance)); }
    bool enter_continuous_time() { return ok(fmi3EnterContinuousTimeMode(instance)); }
    Round update() {
        Round round;
        bool terminate = true, nominals = true;
        double next = 0;
        round.done =
            ok(fmi3UpdateDiscreteStates(instance, &round.again, &terminate, &nominals,
                                        &round.states_changed, &round.has_next_event, &next));
        return round;
    }
    bool set_time(double t) { return ok(fmi3SetTime(instance, t)); }
    bool set_states(const double* x, std::size_t n) {
        return ok(fmi3SetContinuousStates(instance, x, n));
    }
    bool get_states(double* x, std::size_t n) {
        return ok(fmi3GetContinuousStates(instance, x, n));
    }
    bool get_derivatives(double* x, std::size_t n) {
        return ok(fmi3GetContinuousStateDerivatives(instance, x, n));
    }
    bool get_nominals(double* x, std::size_t n) {
        return ok(fmi3GetNominalsOfContinuousStates(instance, x, n));
    }
    bool complete(int& event, int& terminate) {
        bool flags[2] = {true, true};
        const bool done = ok(fmi3CompletedIntegratorStep(instance, true, &flags[0], &flags[1]));
        event = flags[0];
        terminate = flags[1];
        return done;
    }
    bool set(ValueRef reference, double value) {
        return ok(fmi3SetFloat64(instance, &reference, 1, &value, 1));
    }
    bool set_flag(ValueRef reference, bool value) {
        return ok(fmi3SetBoolean(instance, &reference, 1, &value, 1));
    }
    double get(ValueRef reference) {
        double value = -1;
        EXPECT_TRUE(ok(fmi3GetFloat64(instance, &reference, 1, &value, 1)));
        return value;
    }
    bool step() {
        bool flags[3];
        double reached = 0;
        return ok(fmi3DoStep(instance, 0, 1, true, &flags[0], &flags[1], &flags[2], &reached));
    }
    bool terminate() { return ok(fmi3Terminate(instance)); }
    bool save(void** state) { return ok(fmi3GetFMUState(instance, state)); }
    bool restore(void* state) { return ok(fmi3SetFMUState(instance, state)); }
    bool free(void** state) { return ok(fmi3FreeFMUState(instance, state)); }
};

template <class Standard>
class ExchangeExport : public testing::Test {
protected:
    void to_continuous_time() {
        ASSERT_TRUE(fmu.initialize());
        ASSERT_TRUE(fmu.update().done);
        ASSERT_TRUE(fmu.enter_continuous_time());
    }
    std::string refusal(const char* function, const char* when) {
        return std::string(Standard::prefix) + function + " is not allowed " + when;
    }
    Standard fmu;
    double vector[2] = {0, 0};
};
using Standards = testing::Types<Fmi2, Fmi3>;
TYPED_TEST_SUITE(ExchangeExport, Standards);

TYPED_TEST(ExchangeExport, TellsTheEquations) {
    this->to_continuous_time();
    double x = 3;
    EXPECT_TRUE(this->fmu.set_time(2));
    EXPECT_TRUE(this->fmu.set_states(&x, 1));
    EXPECT_TRUE(this->fmu.set(sample::u, 5));
    double derivative = 0;
    EXPECT_TRUE(this->fmu.get_derivatives(&derivative, 1));
    EXPECT_EQ(derivative, 2); // u - y
    EXPECT_EQ(this->fmu.get(sample::y), 3);
    EXPECT_EQ(this->fmu.get(sample::doubled), 10);
    x = 0;
    EXPECT_TRUE(this->fmu.get_states(&x, 1));
    EXPECT_EQ(x, 3);
    EXPECT_TRUE(this->fmu.get_nominals(&x, 1));
    EXPECT_EQ(x, 1);
    int event = 1, terminate = 1;
    EXPECT_TRUE(this->fmu.complete(event, terminate));
    EXPECT_EQ(event, 0);
    EXPECT_EQ(terminate, 0);
}

TYPED_TEST(ExchangeExport, AnEventOfAModelWithoutEventsChangesNothing) {
    ASSERT_TRUE(this->fmu.initialize());
    const Round round = this->fmu.update();
    EXPECT_TRUE(round.done);
    EXPECT_FALSE(round.again);
    EXPECT_FALSE(round.states_changed);
    EXPECT_FALSE(round.has_next_event);
}

TYPED_TEST(ExchangeExport, RefusesCallsOutOfOrder) {
    auto& it = this->fmu;
    EXPECT_FALSE(it.set_time(1));
    EXPECT_FALSE(it.enter_continuous_time());
    ASSERT_TRUE(it.initialize());
    EXPECT_FALSE(it.step());
    EXPECT_EQ(last_message, this->refusal("DoStep", "in event mode"));
    EXPECT_FALSE(it.set_states(this->vector, 1));
    ASSERT_TRUE(it.enter_continuous_time());
    EXPECT_FALSE(it.update().done);
    EXPECT_THAT(last_message, HasSubstr("in continuous-time mode"));
    EXPECT_TRUE(it.terminate());
    EXPECT_FALSE(it.enter_event_mode());
}

TYPED_TEST(ExchangeExport, DiscreteInputsAreSetInEventModeOnly) {
    this->to_continuous_time();
    EXPECT_FALSE(this->fmu.set_flag(sample::gate, false));
    EXPECT_THAT(last_message, HasSubstr("\"gate\" cannot be set now"));
    ASSERT_TRUE(this->fmu.enter_event_mode());
    EXPECT_TRUE(this->fmu.set_flag(sample::gate, false));
    EXPECT_TRUE(this->fmu.set(sample::u, 5));
    EXPECT_FALSE(this->fmu.set(sample::k, 5));
    double derivative = 1;
    EXPECT_TRUE(this->fmu.get_derivatives(&derivative, 1));
    EXPECT_EQ(derivative, 0); // the gate is closed
}

TYPED_TEST(ExchangeExport, RefusesVectorsOfAnotherSize) {
    this->to_continuous_time();
    EXPECT_FALSE(this->fmu.set_states(this->vector, 2));
    EXPECT_THAT(last_message, HasSubstr("the model has 1 continuous states, not 2"));
    EXPECT_FALSE(this->fmu.get_derivatives(this->vector, 0));
    EXPECT_FALSE(this->fmu.get_states(nullptr, 1));
}

TYPED_TEST(ExchangeExport, ARestoredStateHasItsDerivatives) {
    this->to_continuous_time();
    auto& it = this->fmu;
    const double x[] = {1, 7};
    double derivative = 0;
    ASSERT_TRUE(it.set_states(x, 1));
    ASSERT_TRUE(it.get_derivatives(&derivative, 1));
    void* state = nullptr;
    ASSERT_TRUE(it.save(&state));
    ASSERT_TRUE(it.set_states(x + 1, 1));
    ASSERT_TRUE(it.get_derivatives(&derivative, 1));
    EXPECT_EQ(derivative, -7);
    ASSERT_TRUE(it.restore(state));
    ASSERT_TRUE(it.get_derivatives(&derivative, 1));
    EXPECT_EQ(derivative, -1);
    EXPECT_TRUE(it.free(&state));
}

} // namespace
} // namespace rubato::model
