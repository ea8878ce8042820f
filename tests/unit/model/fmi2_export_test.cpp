// SPDX-License-Identifier: Apache-2.0
#include "sample.hpp"

#include <rubato/fmi/fmi2_exports.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdarg>
#include <cstdio>

namespace rubato::model::fmi2_export {
namespace {

using fmi2::Status;
using testing::HasSubstr;

void log(fmi2::ComponentEnvironment environment, fmi2::String instance, Status,
         fmi2::String category, fmi2::String format, ...) {
    char text[512];
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    static_cast<Messages*>(environment)->push_back({instance, category, text});
}

class Fmi2Export : public testing::Test {
protected:
    fmi2::Component instantiate(const std::string& guid, bool logging = true) {
        return fmi2Instantiate("lag", fmi2::Type::co_simulation, guid.c_str(), nullptr, &callbacks,
                               0, logging);
    }
    void SetUp() override {
        c = instantiate(exported_model().identifier);
        ASSERT_NE(c, nullptr);
    }
    void TearDown() override { fmi2FreeInstance(c); }

    void initialize() {
        ASSERT_EQ(fmi2SetupExperiment(c, 0, 0, 0, 0, 0), Status::ok);
        ASSERT_EQ(fmi2EnterInitializationMode(c), Status::ok);
        ASSERT_EQ(fmi2ExitInitializationMode(c), Status::ok);
    }
    std::string last_message() const { return messages.empty() ? "" : messages.back().text; }
    double real(fmi2::ValueReference reference) {
        double value = 0;
        EXPECT_EQ(fmi2GetReal(c, &reference, 1, &value), Status::ok);
        return value;
    }
    Status set(fmi2::ValueReference reference, double value) {
        return fmi2SetReal(c, &reference, 1, &value);
    }
    Status set(fmi2::ValueReference reference, int value) {
        return fmi2SetInteger(c, &reference, 1, &value);
    }

    Messages messages;
    fmi2::CallbackFunctions callbacks{log, nullptr, nullptr, nullptr, &messages};
    fmi2::Component c = nullptr;
};

TEST_F(Fmi2Export, InstantiatesOnlyWithTheRightGuid) {
    EXPECT_EQ(instantiate("{wrong}"), nullptr);
    EXPECT_THAT(last_message(), HasSubstr("{wrong}"));
    EXPECT_EQ(messages.back().category, "logStatusError");
    EXPECT_EQ(messages.back().instance, "lag");
}

TEST_F(Fmi2Export, LogsNothingUnlessAsked) {
    EXPECT_EQ(instantiate("{wrong}", false), nullptr);
    EXPECT_TRUE(messages.empty());
    EXPECT_EQ(fmi2SetDebugLogging(c, fmi2::no, 0, nullptr), Status::ok);
    EXPECT_EQ(fmi2DoStep(c, 0, 1, 0), Status::error);
    EXPECT_TRUE(messages.empty());
    const char* const category = "logStatusError";
    EXPECT_EQ(fmi2SetDebugLogging(c, fmi2::yes, 1, &category), Status::ok);
    EXPECT_EQ(fmi2DoStep(c, 0, 1, 0), Status::error);
    EXPECT_EQ(messages.size(), 1u);
    const char* const unknown = "logEverything";
    EXPECT_EQ(fmi2SetDebugLogging(c, fmi2::yes, 1, &unknown), Status::error);
    EXPECT_THAT(last_message(), HasSubstr("logEverything"));
}

TEST_F(Fmi2Export, RefusesCallsOutOfOrderAndCarriesOn) {
    EXPECT_EQ(fmi2DoStep(c, 0, 1, 0), Status::error);
    EXPECT_EQ(last_message(), "fmi2DoStep is not allowed before initialization");
    EXPECT_EQ(fmi2ExitInitializationMode(c), Status::error);
    EXPECT_EQ(fmi2Terminate(c), Status::error);
    initialize();
    EXPECT_EQ(fmi2EnterInitializationMode(c), Status::error);
    EXPECT_EQ(fmi2SetupExperiment(c, 0, 0, 0, 0, 0), Status::error);
    EXPECT_EQ(fmi2DoStep(c, 0, 1, 0), Status::ok);
    EXPECT_EQ(fmi2Terminate(c), Status::ok);
    EXPECT_EQ(fmi2DoStep(c, 1, 1, 0), Status::error);
    EXPECT_EQ(last_message(), "fmi2DoStep is not allowed after termination");
    EXPECT_EQ(set(sample::u, 1.0), Status::error);
    EXPECT_EQ(fmi2Reset(c), Status::ok);
    initialize();
}

TEST_F(Fmi2Export, RefusesNullPointers) {
    EXPECT_EQ(fmi2DoStep(nullptr, 0, 1, 0), Status::error);
    EXPECT_EQ(
        fmi2Instantiate(nullptr, fmi2::Type::co_simulation, nullptr, nullptr, &callbacks, 0, 1),
        nullptr);
    EXPECT_EQ(fmi2Instantiate("x", fmi2::Type::co_simulation, "", nullptr, nullptr, 0, 1), nullptr);
    EXPECT_EQ(fmi2SetReal(c, nullptr, 1, nullptr), Status::error);
    EXPECT_EQ(fmi2SetReal(c, nullptr, 0, nullptr), Status::ok);
    EXPECT_EQ(fmi2SetFMUstate(c, nullptr), Status::error);
    EXPECT_EQ(fmi2GetFMUstate(c, nullptr), Status::error);
    EXPECT_EQ(fmi2DeSerializeFMUstate(c, nullptr, 5, nullptr), Status::error);
    EXPECT_EQ(fmi2SetDebugLogging(c, 1, 1, nullptr), Status::error);
    fmi2FreeInstance(nullptr);
}

TEST_F(Fmi2Export, RefusesWrongReferences) {
    EXPECT_EQ(set(999, 1.0), Status::error);
    EXPECT_THAT(last_message(), HasSubstr("999"));
    EXPECT_EQ(set(sample::gate, 1.0), Status::error);
    EXPECT_THAT(last_message(), HasSubstr("\"gate\""));
    EXPECT_EQ(set(sample::u, 1), Status::error);
    EXPECT_EQ(set(sample::doubled, 1.0), Status::error);
    initialize();
    EXPECT_EQ(set(sample::k, 1.0), Status::error);
    EXPECT_THAT(last_message(), HasSubstr("cannot be set now"));
    const fmi2::ValueReference u = sample::u;
    fmi2::String text = nullptr;
    EXPECT_EQ(fmi2GetString(c, &u, 1, &text), Status::error);
}

TEST_F(Fmi2Export, MapsEveryTypeAndChecksRanges) {
    const std::pair<fmi2::ValueReference, int> fine[] = {
        {sample::small, -128}, {sample::byte, 255}, {sample::word, -32768},
        {sample::large, -7},   {sample::huge, 7},   {sample::solver, 2}};
    for (const auto& [reference, value] : fine) EXPECT_EQ(set(reference, value), Status::ok);
    EXPECT_EQ(set(sample::small, 128), Status::error);
    EXPECT_EQ(set(sample::byte, -1), Status::error);
    EXPECT_EQ(set(sample::huge, -1), Status::error);
    const fmi2::ValueReference gate = sample::gate;
    fmi2::Boolean open = 0;
    EXPECT_EQ(fmi2SetBoolean(c, &gate, 1, &open), Status::ok);
    const fmi2::ValueReference mixed[] = {sample::u, sample::level};
    const double reals[] = {0.1, 0.25};
    EXPECT_EQ(fmi2SetReal(c, mixed, 2, reals), Status::ok);
    initialize();
    for (const auto& [reference, value] : fine) {
        int found = 0;
        EXPECT_EQ(fmi2GetInteger(c, &reference, 1, &found), Status::ok);
        EXPECT_EQ(found, value);
    }
    open = 1;
    EXPECT_EQ(fmi2GetBoolean(c, &gate, 1, &open), Status::ok);
    EXPECT_EQ(open, 0);
    double found[2] = {};
    EXPECT_EQ(fmi2GetReal(c, mixed, 2, found), Status::ok);
    EXPECT_THAT(found, testing::ElementsAre(0.1, 0.25));
}

TEST_F(Fmi2Export, StepsAndTellsTheTime) {
    initialize();
    EXPECT_EQ(set(sample::u, 1.0), Status::ok);
    EXPECT_EQ(fmi2DoStep(c, 0, 0.5, 1), Status::ok);
    EXPECT_EQ(real(sample::y), 0.5);
    EXPECT_EQ(real(sample::doubled), 2);
    double time = 0;
    EXPECT_EQ(fmi2GetRealStatus(c, fmi2::StatusKind::last_successful_time, &time), Status::ok);
    EXPECT_EQ(time, 0.5);
    EXPECT_EQ(fmi2DoStep(c, 0.5, -1, 1), Status::error);
    EXPECT_THAT(last_message(), HasSubstr("not a step forward"));
    EXPECT_EQ(fmi2DoStep(c, 0.5, 1, 1), Status::error);
    EXPECT_EQ(last_message(), "fmi2DoStep is not allowed after a failed step");
}

TEST_F(Fmi2Export, DiscardsTheRestOfAStepThatIsTooLong) {
    ASSERT_EQ(set(sample::limit, 0.25), Status::ok);
    initialize();
    EXPECT_EQ(set(sample::u, 1.0), Status::ok);
    EXPECT_EQ(fmi2DoStep(c, 0, 0.5, 0), Status::discard);
    double time = 0;
    EXPECT_EQ(fmi2GetRealStatus(c, fmi2::StatusKind::last_successful_time, &time), Status::ok);
    EXPECT_EQ(time, 0.25);
    int terminated = 1;
    EXPECT_EQ(fmi2GetBooleanStatus(c, fmi2::StatusKind::terminated, &terminated), Status::ok);
    EXPECT_EQ(terminated, 0);
    EXPECT_EQ(real(sample::y), 0.25);
    EXPECT_TRUE(messages.empty());
}

TEST_F(Fmi2Export, TakesInputDerivativesOfOrderOneAndTwo) {
    initialize();
    const fmi2::ValueReference references[] = {sample::u, sample::u};
    const int orders[] = {1, 2};
    const double values[] = {1, 2};
    EXPECT_EQ(fmi2SetRealInputDerivatives(c, references, 2, orders, values), Status::ok);
    EXPECT_EQ(fmi2DoStep(c, 0, 2, 1), Status::ok);
    EXPECT_EQ(real(sample::u), 1 * 2 + 2 * 2 * 2 / 2);
    const int third = 3;
    EXPECT_EQ(fmi2SetRealInputDerivatives(c, references, 1, &third, values), Status::error);
    const fmi2::ValueReference level = sample::level;
    EXPECT_EQ(fmi2SetRealInputDerivatives(c, &level, 1, orders, values), Status::error);
}

TEST_F(Fmi2Export, SavesRestoresAndSerializesStates) {
    initialize();
    EXPECT_EQ(set(sample::u, 1.0), Status::ok);
    fmi2::FmuState state = nullptr;
    ASSERT_EQ(fmi2GetFMUstate(c, &state), Status::ok);
    EXPECT_EQ(fmi2DoStep(c, 0, 0.5, 0), Status::ok);
    ASSERT_EQ(fmi2SetFMUstate(c, state), Status::ok);
    EXPECT_EQ(real(sample::y), 0);
    std::size_t size = 0;
    ASSERT_EQ(fmi2SerializedFMUstateSize(c, state, &size), Status::ok);
    std::vector<char> bytes(size);
    EXPECT_EQ(fmi2SerializeFMUstate(c, state, bytes.data(), size - 1), Status::error);
    ASSERT_EQ(fmi2SerializeFMUstate(c, state, bytes.data(), size), Status::ok);
    fmi2::FmuState copy = nullptr;
    EXPECT_EQ(fmi2DeSerializeFMUstate(c, bytes.data(), size - 1, &copy), Status::error);
    EXPECT_EQ(copy, nullptr);
    ASSERT_EQ(fmi2DeSerializeFMUstate(c, bytes.data(), size, &copy), Status::ok);
    EXPECT_EQ(fmi2SetFMUstate(c, copy), Status::ok);
    EXPECT_EQ(fmi2DoStep(c, 0, 0.5, 0), Status::ok);
    EXPECT_EQ(real(sample::y), 0.5);
    EXPECT_EQ(fmi2FreeFMUstate(c, &state), Status::ok);
    EXPECT_EQ(fmi2FreeFMUstate(c, &copy), Status::ok);
    EXPECT_EQ(state, nullptr);
}

TEST_F(Fmi2Export, SaysWhatItDoesNotSupport) {
    initialize();
    const fmi2::ValueReference y = sample::y;
    const int order = 1;
    double value = 0;
    EXPECT_EQ(fmi2GetRealOutputDerivatives(c, &y, 1, &order, &value), Status::error);
    EXPECT_THAT(last_message(), HasSubstr("fmi2GetRealOutputDerivatives"));
    EXPECT_EQ(fmi2CancelStep(c), Status::error);
}

TEST_F(Fmi2Export, GivesDirectionalDerivatives) {
    initialize();
    const fmi2::ValueReference unknowns[] = {sample::derivative_of_y, sample::doubled, sample::y};
    const fmi2::ValueReference knowns[] = {sample::u, sample::y};
    const double seed[] = {3, 2};
    double found[3] = {};
    EXPECT_EQ(fmi2GetDirectionalDerivative(c, unknowns, 3, knowns, 2, seed, found), Status::ok);
    EXPECT_THAT(found, testing::ElementsAre(1, 6, 2));
    const fmi2::ValueReference gate = sample::gate;
    EXPECT_EQ(fmi2GetDirectionalDerivative(c, unknowns, 1, &gate, 1, seed, found), Status::error);
    EXPECT_THAT(last_message(), HasSubstr("\"gate\""));
    EXPECT_EQ(fmi2GetDirectionalDerivative(c, &gate, 1, knowns, 1, seed, found), Status::error);
    EXPECT_EQ(fmi2GetDirectionalDerivative(c, nullptr, 1, knowns, 1, seed, found), Status::error);
}

} // namespace
} // namespace rubato::model::fmi2_export
