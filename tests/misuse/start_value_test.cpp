// SPDX-License-Identifier: Apache-2.0

/// FMUs that do not keep what is set before their initialization, or whose parameters are not what
/// their description says: the log warns, and the run goes on.

#include "form.hpp"
#include "support/collecting_log.hpp"

#include <rubato/unit/library.hpp>

#include <gmock/gmock.h>

namespace rubato {
namespace {

using test::Form;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::Field;
using testing::Ne;
using Message = test::CollectingLog::Message;

class StartValues : public testing::TestWithParam<Form> {
protected:
    std::unique_ptr<unit::Unit> instantiate(const std::string& behaviour) {
        scenario::Unit unit;
        unit.name = "it";
        unit.origin = scenario::FmuFile{std::string(MISUSE_FMUS) + "/" + behaviour +
                                        GetParam().suffix + ".fmu"};
        if (GetParam().isolated) unit.isolate.emplace();
        return library_.instantiate(unit, "");
    }
    static void set(unit::Unit& unit, ValueRef reference, double value) {
        unit.set({ValueType::float64, {&reference, 1}, &value, 1});
    }
    static double get(unit::Unit& unit, ValueRef reference) {
        double value = 0;
        unit.get({ValueType::float64, {&reference, 1}, &value, 1});
        return value;
    }
    static void initialize(unit::Unit& unit) {
        unit.enter_initialization({});
        unit.exit_initialization();
    }
    static auto warns(const std::string& text) {
        return Contains(Message{LogLevel::warning, "it", text});
    }
    ValueRef parameter() const { return GetParam().suffix == "-fmi3" ? 4 : 2; }

    test::CollectingLog log_;
    unit::Library library_{log_};
};

TEST_P(StartValues, ThatArriveAreNothingToTell) {
    const auto unit = instantiate("behaves");
    set(*unit, parameter(), 3);
    initialize(*unit);
    EXPECT_EQ(get(*unit, parameter()), 3);
    EXPECT_THAT(log_.messages(), Each(Field(&Message::level, Ne(LogLevel::warning))));
}

TEST_P(StartValues, ThatAreLostAreAWarning) {
    const auto unit = instantiate("loses-parameters");
    set(*unit, parameter(), 3);
    initialize(*unit);
    EXPECT_THAT(log_.messages(),
                warns("parameter \"p\" was set to 3, but is 1 after initialization"));
}

TEST_P(StartValues, OfTheDescriptionThatTheFmuDoesNotHaveAreAWarning) {
    initialize(*instantiate("other-default"));
    EXPECT_THAT(log_.messages(),
                warns("parameter \"p\" is 7 after initialization, not 1 as the model description "
                      "says; set it if that matters"));
}

TEST_P(StartValues, ReplaceWhatTheFmuHasByItself) {
    const auto unit = instantiate("other-default");
    set(*unit, parameter(), 1);
    initialize(*unit);
    EXPECT_EQ(get(*unit, parameter()), 1);
    EXPECT_THAT(log_.messages(), Each(Field(&Message::level, Ne(LogLevel::warning))));
}

/// An input may be set to something else while units initialize: then its start value is none.
TEST_P(StartValues, OfInputsThatAreConnectedDoNotMatter) {
    const auto unit = instantiate("behaves");
    set(*unit, 0, 3);
    unit->enter_initialization({});
    set(*unit, 0, 4);
    unit->exit_initialization();
    EXPECT_EQ(get(*unit, 0), 4);
    EXPECT_THAT(log_.messages(), Each(Field(&Message::level, Ne(LogLevel::warning))));
}

INSTANTIATE_TEST_SUITE_P(Forms, StartValues,
                         testing::Values(Form{"", false}, Form{"", true}, Form{"-fmi1", false},
                                         Form{"-fmi1-me", false}, Form{"-fmi3", false},
                                         Form{"-fmi3", true}),
                         test::name_of);

class Fmi2StartValues : public StartValues {};

TEST_P(Fmi2StartValues, SurviveASetupThatInitializesAllVariables) {
    const auto unit = instantiate("resets-in-setup");
    set(*unit, 2, 3);
    set(*unit, 0, 0.5);
    initialize(*unit);
    EXPECT_EQ(get(*unit, 2), 3);
    EXPECT_EQ(get(*unit, 0), 0.5);
    EXPECT_THAT(log_.messages(), Each(Field(&Message::level, Ne(LogLevel::warning))));
}

TEST_P(Fmi2StartValues, ThatCannotBeReadBackAreNoFault) {
    const auto unit = instantiate("hides-parameters");
    set(*unit, 2, 3);
    initialize(*unit);
    EXPECT_EQ(unit->step({0}, {1}).end, unit::StepEnd::completed);
    EXPECT_THAT(log_.messages(), Each(AllOf(Field(&Message::level, Ne(LogLevel::warning)),
                                            Field(&Message::level, Ne(LogLevel::error)))));
}

INSTANTIATE_TEST_SUITE_P(Forms, Fmi2StartValues, testing::Values(Form{"", false}, Form{"", true}),
                         test::name_of);

} // namespace
} // namespace rubato
