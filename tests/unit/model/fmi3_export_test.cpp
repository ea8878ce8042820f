// SPDX-License-Identifier: Apache-2.0
#include "description.hpp"
#include "sample.hpp"

#include <rubato/fmi/fmi3_exports.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace rubato::model::fmi3_export {
namespace {

using fmi3::Status;
using testing::HasSubstr;

void log(fmi3::InstanceEnvironment environment, Status, fmi3::String category, fmi3::String text) {
    static_cast<Messages*>(environment)->push_back({"", category, text});
}

class Fmi3Export : public testing::Test {
protected:
    fmi3::Instance instantiate(const std::string& token, bool event_mode = false,
                               bool early_return_allowed = false) {
        return fmi3InstantiateCoSimulation("lag", token.c_str(), nullptr, false, true, event_mode,
                                           early_return_allowed, nullptr, 0, &messages, log,
                                           nullptr);
    }
    void SetUp() override {
        c = instantiate(exported_model().identifier);
        ASSERT_NE(c, nullptr);
    }
    void TearDown() override { fmi3FreeInstance(c); }

    void initialize() {
        ASSERT_EQ(fmi3EnterInitializationMode(c, false, 0, 0, false, 0), Status::ok);
        ASSERT_EQ(fmi3ExitInitializationMode(c), Status::ok);
    }
    Status step(double from, double by) {
        return fmi3DoStep(c, from, by, true, &event, &terminate, &early, &reached);
    }
    Status set(fmi3::ValueReference reference, double value) {
        return fmi3SetFloat64(c, &reference, 1, &value, 1);
    }
    double real(fmi3::ValueReference reference) {
        double value = 0;
        EXPECT_EQ(fmi3GetFloat64(c, &reference, 1, &value, 1), Status::ok);
        return value;
    }
    fmi3::ValueReference named(const std::string& name) const {
        const auto& variables = exported_model().variables;
        for (std::size_t i = 0; i < variables.size(); ++i)
            if (variables[i].name == name) return static_cast<fmi3::ValueReference>(i);
        throw std::logic_error(name);
    }
    std::string last_message() const { return messages.empty() ? "" : messages.back().text; }

    Messages messages;
    fmi3::Instance c = nullptr;
    bool event = true, terminate = true, early = true;
    double reached = -1;
};

TEST_F(Fmi3Export, InstantiatesOnlyWhatItIs) {
    EXPECT_EQ(instantiate("{wrong}"), nullptr);
    EXPECT_THAT(last_message(), HasSubstr("{wrong}"));
    EXPECT_EQ(instantiate(exported_model().identifier, true), nullptr);
    EXPECT_THAT(last_message(), HasSubstr("event mode"));
    EXPECT_EQ(fmi3InstantiateModelExchange("lag", "{wrong}", nullptr, false, true, &messages, log),
              nullptr);
    EXPECT_THAT(last_message(), HasSubstr("{wrong}"));
}

TEST_F(Fmi3Export, RefusesCallsOutOfOrder) {
    EXPECT_EQ(step(0, 1), Status::error);
    EXPECT_EQ(last_message(), "fmi3DoStep is not allowed before initialization");
    EXPECT_EQ(fmi3ExitInitializationMode(c), Status::error);
    initialize();
    EXPECT_EQ(fmi3EnterInitializationMode(c, false, 0, 0, false, 0), Status::error);
    EXPECT_EQ(step(0, 1), Status::ok);
    EXPECT_EQ(fmi3Terminate(c), Status::ok);
    EXPECT_EQ(step(1, 1), Status::error);
    EXPECT_EQ(fmi3DoStep(nullptr, 0, 1, true, &event, &terminate, &early, &reached), Status::error);
}

TEST_F(Fmi3Export, StepsAndTellsHowFarItGot) {
    initialize();
    EXPECT_EQ(set(sample::u, 1), Status::ok);
    EXPECT_EQ(step(0, 0.5), Status::ok);
    EXPECT_EQ(real(sample::y), 0.5);
    EXPECT_EQ(reached, 0.5);
    EXPECT_FALSE(event || terminate || early);
    EXPECT_EQ(fmi3DoStep(c, 0.5, 0.5, true, nullptr, nullptr, nullptr, nullptr), Status::error);
}

TEST_F(Fmi3Export, ReturnsEarlyFromAStepThatIsTooLong) {
    fmi3FreeInstance(c);
    c = instantiate(exported_model().identifier, false, true);
    ASSERT_EQ(set(sample::limit, 0.25), Status::ok);
    initialize();
    EXPECT_EQ(set(sample::u, 1), Status::ok);
    EXPECT_EQ(step(0, 0.5), Status::ok);
    EXPECT_TRUE(early);
    EXPECT_FALSE(event || terminate);
    EXPECT_EQ(reached, 0.25);
    EXPECT_EQ(real(sample::y), 0.25);
    EXPECT_EQ(step(0.25, 0.25), Status::ok);
    EXPECT_FALSE(early);
    EXPECT_EQ(reached, 0.5);
}

TEST_F(Fmi3Export, DiscardsAStepThatIsTooLongWhereItMayNotReturnEarly) {
    ASSERT_EQ(set(sample::limit, 0.25), Status::ok);
    initialize();
    EXPECT_EQ(set(sample::u, 1), Status::ok);
    EXPECT_EQ(step(0, 0.5), Status::discard);
    EXPECT_FALSE(event || terminate || early);
    EXPECT_EQ(messages.back().category, "logStatusDiscard");
    EXPECT_EQ(last_message(), "fmi3DoStep: from t = 0 s the model accepts steps of 0.25 s at most, "
                              "not of 0.5 s");
    EXPECT_EQ(real(sample::y), 0) << "it is where it was";
    EXPECT_EQ(step(0, 0.25), Status::ok);
    EXPECT_EQ(real(sample::y), 0.25);
}

/// An importer that takes part in steps.
class Fmi3Updates : public Fmi3Export {
protected:
    struct Update {
        double time;
        bool set_requested, get_allowed, step_finished;
    };
    static void note(fmi3::InstanceEnvironment environment, double time, bool set_requested,
                     bool get_allowed, bool step_finished, bool can_return_early, bool*, double*) {
        auto& self = *static_cast<Fmi3Updates*>(environment);
        EXPECT_FALSE(can_return_early);
        self.updates.push_back({time, set_requested, get_allowed, step_finished});
        if (self.on_update) self.on_update(self.updates.back());
    }
    static void keep(fmi3::InstanceEnvironment environment, Status, fmi3::String category,
                     fmi3::String text) {
        static_cast<Fmi3Updates*>(environment)->messages.push_back({"", category, text});
    }
    fmi3::Instance instantiate_with(const std::vector<fmi3::ValueReference>& variables) {
        return fmi3InstantiateCoSimulation("lag", exported_model().identifier.c_str(), nullptr,
                                           false, true, false, false, variables.data(),
                                           variables.size(), this, keep, note);
    }
    void use(const std::vector<fmi3::ValueReference>& variables, double inner_step) {
        fmi3FreeInstance(c);
        c = instantiate_with(variables);
        ASSERT_NE(c, nullptr);
        ASSERT_EQ(set(named("inner_step"), inner_step), Status::ok);
        initialize();
    }

    std::vector<Update> updates;
    std::function<void(const Update&)> on_update;
};

TEST_F(Fmi3Updates, ComeWhereStepsOfTheSolverEnd) {
    use({sample::y}, 0.125);
    std::vector<double> seen;
    on_update = [&](const Update& update) {
        EXPECT_TRUE(update.get_allowed && update.step_finished);
        EXPECT_FALSE(update.set_requested);
        seen.push_back(real(sample::y));
    };
    ASSERT_EQ(set(sample::u, 1), Status::ok);
    ASSERT_EQ(step(0, 0.5), Status::ok);
    ASSERT_EQ(updates.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_EQ(updates[i].time, 0.125 * static_cast<double>(i + 1));
    EXPECT_THAT(seen, testing::ElementsAre(0.125, 0.234375, 0.330078125)); // 1 - (7/8)^n
}

TEST_F(Fmi3Updates, AskForInputsThatWereNamed) {
    use({sample::u}, 0.25);
    on_update = [&](const Update& update) {
        if (!update.set_requested) return;
        EXPECT_FALSE(update.get_allowed || update.step_finished);
        EXPECT_EQ(set(sample::u, 8 * update.time), Status::ok);
    };
    ASSERT_EQ(step(0, 0.5), Status::ok);
    EXPECT_EQ(real(sample::y), 0.5); // Euler: 0.25·0 + 0.25·2
    EXPECT_EQ(real(sample::u), 4);
}

TEST_F(Fmi3Updates, AllowNothingElse) {
    use({sample::y, sample::u}, 0.25);
    on_update = [&](const Update& update) {
        const fmi3::ValueReference other = update.set_requested ? sample::k : sample::doubled;
        double value = 0;
        if (update.set_requested)
            EXPECT_EQ(set(other, 1), Status::error);
        else
            EXPECT_EQ(fmi3GetFloat64(c, &other, 1, &value, 1), Status::error);
        EXPECT_THAT(last_message(), HasSubstr("within a step"));
        fmi3::FmuState state = nullptr;
        EXPECT_EQ(fmi3GetFMUState(c, &state), Status::error);
        EXPECT_EQ(step(0, 1), Status::error);
        EXPECT_EQ(last_message(), "fmi3DoStep is not allowed at this point within a step");
    };
    ASSERT_EQ(step(0, 0.5), Status::ok);
    EXPECT_FALSE(updates.empty());
}

TEST_F(Fmi3Updates, AreForVariablesThatTheDescriptionNames) {
    EXPECT_EQ(instantiate_with({sample::k}), nullptr);
    EXPECT_THAT(last_message(), HasSubstr("intermediateUpdate"));
    const std::string description = describe_fmi3(exported_model());
    EXPECT_THAT(description, HasSubstr("providesIntermediateUpdate=\"true\""));
}

TEST_F(Fmi3Export, LogsTheCategoriesThatAreOn) {
    ASSERT_EQ(set(sample::limit, 0), Status::ok);
    initialize();
    const char* const discards = "logStatusDiscard";
    EXPECT_EQ(fmi3SetDebugLogging(c, false, 1, &discards), Status::ok);
    EXPECT_EQ(step(0, 0.5), Status::discard);
    EXPECT_TRUE(messages.empty());
    EXPECT_EQ(step(0, -1), Status::error);
    EXPECT_EQ(messages.size(), 1u);
}

TEST_F(Fmi3Export, TakesInputDerivativesAsInputs) {
    initialize();
    EXPECT_EQ(set(named("der(u)"), 1), Status::ok);
    EXPECT_EQ(set(named("der(u,2)"), 2), Status::ok);
    EXPECT_EQ(step(0, 2), Status::ok);
    EXPECT_EQ(real(sample::u), 1 * 2 + 2 * 2 * 2 / 2);
    EXPECT_EQ(real(sample::doubled), 12);
}

template <class T, class Set, class Get>
void round_trip(fmi3::Instance c, Set* set, Get* get, fmi3::ValueReference reference, T value) {
    EXPECT_EQ(set(c, &reference, 1, &value, 1), Status::ok);
    T found{};
    EXPECT_EQ(get(c, &reference, 1, &found, 1), Status::ok);
    EXPECT_EQ(found, value);
}

TEST_F(Fmi3Export, MapsEveryType) {
    initialize();
    round_trip<float>(c, fmi3SetFloat32, fmi3GetFloat32, sample::level, 0.25F);
    round_trip<std::int8_t>(c, fmi3SetInt8, fmi3GetInt8, sample::small, -128);
    round_trip<std::uint8_t>(c, fmi3SetUInt8, fmi3GetUInt8, sample::byte, 255);
    round_trip<std::int16_t>(c, fmi3SetInt16, fmi3GetInt16, sample::word, -32768);
    round_trip<std::int64_t>(c, fmi3SetInt64, fmi3GetInt64, sample::large, INT64_MIN);
    round_trip<std::uint64_t>(c, fmi3SetUInt64, fmi3GetUInt64, sample::huge, UINT64_MAX);
    round_trip<bool>(c, fmi3SetBoolean, fmi3GetBoolean, sample::gate, false);
}

TEST_F(Fmi3Export, RefusesWrongReferencesTypesAndCounts) {
    initialize();
    EXPECT_EQ(set(999, 1), Status::error);
    EXPECT_EQ(set(sample::level, 1), Status::error);
    EXPECT_EQ(set(sample::k, 1), Status::error);
    const fmi3::ValueReference u = sample::u;
    const double values[] = {1, 2};
    EXPECT_EQ(fmi3SetFloat64(c, &u, 1, values, 2), Status::error);
    EXPECT_THAT(last_message(), HasSubstr("1 values, not 2"));
    EXPECT_EQ(fmi3SetFloat64(c, nullptr, 1, nullptr, 1), Status::error);
}

TEST_F(Fmi3Export, SaysWhatItDoesNotSupport) {
    initialize();
    EXPECT_EQ(fmi3EnterEventMode(c), Status::error);
    EXPECT_EQ(last_message(), "fmi3EnterEventMode: the instance was made without event mode");
    EXPECT_EQ(fmi3EnterStepMode(c), Status::error);
    EXPECT_EQ(last_message(), "fmi3EnterStepMode is not allowed between steps");
    EXPECT_EQ(fmi3ActivateModelPartition(c, 0, 0), Status::error);
    EXPECT_EQ(fmi3EnterConfigurationMode(c), Status::error);
    const fmi3::ValueReference u = sample::u;
    bool ticks = false;
    EXPECT_EQ(fmi3GetClock(c, &u, 1, &ticks), Status::error);
}

TEST_F(Fmi3Export, GivesDirectionalDerivatives) {
    initialize();
    const fmi3::ValueReference unknowns[] = {sample::derivative_of_y, sample::doubled};
    const fmi3::ValueReference u = sample::u;
    const double seed = 3;
    double found[2] = {};
    EXPECT_EQ(fmi3GetDirectionalDerivative(c, unknowns, 2, &u, 1, &seed, 1, found, 2), Status::ok);
    EXPECT_THAT(found, testing::ElementsAre(3, 6));
    EXPECT_EQ(fmi3GetDirectionalDerivative(c, unknowns, 2, &u, 1, &seed, 1, found, 1),
              Status::error);
    EXPECT_THAT(last_message(), HasSubstr("scalars"));
}

TEST_F(Fmi3Export, SavesRestoresAndSerializesStates) {
    initialize();
    EXPECT_EQ(set(sample::u, 1), Status::ok);
    fmi3::FmuState state = nullptr, copy = nullptr;
    ASSERT_EQ(fmi3GetFMUState(c, &state), Status::ok);
    std::size_t size = 0;
    ASSERT_EQ(fmi3SerializedFMUStateSize(c, state, &size), Status::ok);
    std::vector<fmi3::Byte> bytes(size);
    ASSERT_EQ(fmi3SerializeFMUState(c, state, bytes.data(), size), Status::ok);
    EXPECT_EQ(step(0, 0.5), Status::ok);
    ASSERT_EQ(fmi3DeserializeFMUState(c, bytes.data(), size, &copy), Status::ok);
    ASSERT_EQ(fmi3SetFMUState(c, copy), Status::ok);
    EXPECT_EQ(real(sample::y), 0);
    EXPECT_EQ(fmi3FreeFMUState(c, &state), Status::ok);
    EXPECT_EQ(fmi3FreeFMUState(c, &copy), Status::ok);
}

TEST(Descriptions, CarryTheIdentifierAndTheStructure) {
    const std::string fmi2 = describe_fmi2(exported_model());
    const std::string fmi3 = describe_fmi3(exported_model());
    EXPECT_THAT(fmi2, HasSubstr("guid=\"" + exported_model().identifier + "\""));
    EXPECT_THAT(fmi3, HasSubstr("instantiationToken=\"" + exported_model().identifier + "\""));
    EXPECT_THAT(fmi2, HasSubstr("<Unknown index=\"11\" dependencies=\"2 10\"/>"));
    EXPECT_THAT(fmi3, HasSubstr("<Output valueReference=\"10\" dependencies=\"0 1 9 11\"/>"));
    EXPECT_THAT(fmi2, HasSubstr("<Integer min=\"-128\" max=\"127\" start=\"-1\"/>"));
    EXPECT_THAT(fmi3, HasSubstr("derivative=\"1\" start=\"0\"/>"));
    EXPECT_THAT(fmi3, HasSubstr("mightReturnEarlyFromDoStep=\"true\""));
}

} // namespace
} // namespace rubato::model::fmi3_export
