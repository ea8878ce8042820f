// SPDX-License-Identifier: Apache-2.0
#include "sample.hpp"

#include <rubato/model/fmi1_export.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdarg>
#include <cstdio>

RUBATO_EXPORT_FMI1(sample)

namespace rubato::model::fmi1_export {
namespace {

using fmi1::Status;
using testing::HasSubstr;

Messages messages; // FMI 1.0 hands no environment back
void* last_component = nullptr;

void log(fmi1::Component component, fmi1::String instance, Status, fmi1::String category,
         fmi1::String format, ...) {
    char text[512];
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    last_component = component;
    messages.push_back({instance, category, text});
}

class Fmi1Export : public testing::Test {
protected:
    ~Fmi1Export() override { sample_fmiFreeSlaveInstance(c); }

    std::string last_message() const { return messages.empty() ? "" : messages.back().text; }
    double real(ValueRef reference) {
        double value = -1;
        EXPECT_EQ(sample_fmiGetReal(c, &reference, 1, &value), Status::ok);
        return value;
    }
    Status set(ValueRef reference, double value) {
        return sample_fmiSetReal(c, &reference, 1, &value);
    }
    Status set_flag(ValueRef reference, bool value) {
        const fmi1::Boolean flag = value ? fmi1::yes : fmi1::no;
        return sample_fmiSetBoolean(c, &reference, 1, &flag);
    }

    std::string guid_ = exported_model().identifier;
    fmi1::Component c = nullptr;
};

class Fmi1Slave : public Fmi1Export {
protected:
    fmi1::Component instantiate(const std::string& guid) {
        return sample_fmiInstantiateSlave("lag", guid.c_str(), "", "", 0, 0, 0,
                                          {log, nullptr, nullptr, nullptr}, 1);
    }
    void SetUp() override { c = instantiate(guid_); }
};

class Fmi1Model : public Fmi1Export {
protected:
    void SetUp() override {
        c = sample_fmiInstantiateModel("lag", guid_.c_str(), {log, nullptr, nullptr}, 1);
    }
    Status initialize() { return sample_fmiInitialize(c, fmi1::no, 0, &info_); }
    fmi1::EventInfo info_{fmi1::no, fmi1::yes, fmi1::yes, fmi1::yes, fmi1::yes, 1};
};

TEST_F(Fmi1Slave, IsWhatItSays) {
    EXPECT_STREQ(sample_fmiGetVersion(), "1.0");
    EXPECT_STREQ(sample_fmiGetTypesPlatform(), "standard32");
    EXPECT_STREQ(sample_fmiGetModelTypesPlatform(), "standard32");
}

TEST_F(Fmi1Slave, OfAnotherModelIsNotMade) {
    EXPECT_EQ(instantiate("{another}"), nullptr);
    EXPECT_THAT(last_message(), HasSubstr("do not belong together"));
    EXPECT_EQ(last_component, nullptr);
}

TEST_F(Fmi1Slave, Steps) {
    ASSERT_EQ(set(sample::u, 1), Status::ok);
    ASSERT_EQ(sample_fmiInitializeSlave(c, 0, fmi1::no, 0), Status::ok);
    EXPECT_EQ(sample_fmiDoStep(c, 0, 0.5, fmi1::yes), Status::ok);
    EXPECT_EQ(real(sample::y), 0.5); // one step of Euler's method
    EXPECT_EQ(sample_fmiTerminateSlave(c), Status::ok);
    EXPECT_EQ(real(sample::y), 0.5);
}

TEST_F(Fmi1Slave, DiscardsWhatIsTooLong) {
    ASSERT_EQ(set(sample::limit, 0.25), Status::ok);
    ASSERT_EQ(sample_fmiInitializeSlave(c, 0, fmi1::no, 0), Status::ok);
    EXPECT_EQ(sample_fmiDoStep(c, 0, 0.5, fmi1::yes), Status::discard);
    double reached = 0;
    EXPECT_EQ(sample_fmiGetRealStatus(c, fmi1::StatusKind::last_successful_time, &reached),
              Status::ok);
    EXPECT_EQ(reached, 0.25);
}

TEST_F(Fmi1Slave, MakesNoStepAgain) {
    ASSERT_EQ(sample_fmiInitializeSlave(c, 0, fmi1::no, 0), Status::ok);
    ASSERT_EQ(sample_fmiDoStep(c, 0, 0.5, fmi1::yes), Status::ok);
    EXPECT_EQ(sample_fmiDoStep(c, 0, 0.5, fmi1::no), Status::error);
    EXPECT_THAT(last_message(), HasSubstr("cannot make a step again"));
    EXPECT_EQ(last_component, c);
}

TEST_F(Fmi1Slave, IsNewAfterAReset) {
    ASSERT_EQ(set(sample::k, 3), Status::ok);
    ASSERT_EQ(sample_fmiInitializeSlave(c, 0, fmi1::no, 0), Status::ok);
    ASSERT_EQ(sample_fmiResetSlave(c), Status::ok);
    ASSERT_EQ(sample_fmiInitializeSlave(c, 0, fmi1::no, 0), Status::ok);
    EXPECT_EQ(real(sample::k), 1);
}

TEST_F(Fmi1Slave, RefusesCallsOutOfOrder) {
    double value = 0;
    const ValueRef y = sample::y;
    EXPECT_EQ(sample_fmiGetReal(c, &y, 1, &value), Status::error);
    EXPECT_EQ(last_message(), "fmiGetReal is not allowed before initialization");
    EXPECT_EQ(sample_fmiDoStep(c, 0, 1, fmi1::yes), Status::error);
    ASSERT_EQ(sample_fmiInitializeSlave(c, 0, fmi1::no, 0), Status::ok);
    EXPECT_EQ(sample_fmiInitializeSlave(c, 0, fmi1::no, 0), Status::error);
    EXPECT_EQ(sample_fmiEventUpdate(c, fmi1::no, nullptr), Status::error);
    EXPECT_EQ(set(sample::k, 2), Status::error);
    EXPECT_EQ(sample_fmiDoStep(nullptr, 0, 1, fmi1::yes), Status::error);
}

TEST_F(Fmi1Model, TellsTheEquations) {
    ASSERT_EQ(sample_fmiSetTime(c, 2), Status::ok);
    ASSERT_EQ(set(sample::y, 3), Status::ok);
    ASSERT_EQ(initialize(), Status::ok);
    ASSERT_EQ(set(sample::u, 5), Status::ok);
    double x = 0, derivative = 0, nominal = 0;
    EXPECT_EQ(sample_fmiGetContinuousStates(c, &x, 1), Status::ok);
    EXPECT_EQ(x, 3);
    EXPECT_EQ(sample_fmiGetDerivatives(c, &derivative, 1), Status::ok);
    EXPECT_EQ(derivative, 2); // u - y
    EXPECT_EQ(sample_fmiGetNominalContinuousStates(c, &nominal, 1), Status::ok);
    EXPECT_EQ(nominal, 1);
    fmi1::ValueReference state = 0;
    EXPECT_EQ(sample_fmiGetStateValueReferences(c, &state, 1), Status::ok);
    EXPECT_EQ(state, sample::y);
    fmi1::Boolean event = fmi1::yes;
    EXPECT_EQ(sample_fmiCompletedIntegratorStep(c, &event), Status::ok);
    EXPECT_EQ(event, fmi1::no);
    EXPECT_EQ(sample_fmiTerminate(c), Status::ok);
}

TEST_F(Fmi1Model, HasNothingToSayOfEventsThatItDoesNotHave) {
    ASSERT_EQ(initialize(), Status::ok);
    for (int round = 0; round < 2; ++round) {
        EXPECT_EQ(info_.iteration_converged, fmi1::yes);
        EXPECT_EQ(info_.state_values_changed, fmi1::no);
        EXPECT_EQ(info_.upcoming_time_event, fmi1::no);
        info_ = {fmi1::no, fmi1::yes, fmi1::yes, fmi1::yes, fmi1::yes, 1};
        ASSERT_EQ(sample_fmiEventUpdate(c, fmi1::no, &info_), Status::ok);
    }
}

TEST_F(Fmi1Model, TakesDiscreteInputsBetweenSteps) {
    ASSERT_EQ(initialize(), Status::ok);
    ASSERT_EQ(set(sample::u, 5), Status::ok);
    ASSERT_EQ(set_flag(sample::gate, false), Status::ok);
    double derivative = 1;
    EXPECT_EQ(sample_fmiGetDerivatives(c, &derivative, 1), Status::ok);
    EXPECT_EQ(derivative, 0); // the gate is closed
    EXPECT_EQ(set(sample::k, 5), Status::error);
    EXPECT_EQ(sample_fmiSetContinuousStates(c, &derivative, 1), Status::ok);
}

TEST_F(Fmi1Model, RefusesVectorsOfAnotherSize) {
    ASSERT_EQ(initialize(), Status::ok);
    const double x[] = {1, 2};
    EXPECT_EQ(sample_fmiSetContinuousStates(c, x, 2), Status::error);
    EXPECT_THAT(last_message(), HasSubstr("the model has 1 continuous states, not 2"));
    EXPECT_EQ(sample_fmiEventUpdate(c, fmi1::no, nullptr), Status::error);
}

} // namespace
} // namespace rubato::model::fmi1_export
