// SPDX-License-Identifier: Apache-2.0

/// FMUs of FMI 1.0 that fail, or that do what FMI 1.0 allows and later versions do not.

#include "support/collecting_log.hpp"
#include "support/error_text.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/unit/library.hpp>

#include <gmock/gmock.h>

namespace rubato {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using unit::StepEnd;

class Fmi1Failure : public testing::Test {
protected:
    std::unique_ptr<unit::Unit> instantiate(const std::string& behaviour,
                                            const std::string& name = "bad") {
        scenario::Unit unit;
        unit.name = name;
        unit.origin = scenario::FmuFile{std::string(MISUSE_FMUS) + "/" + behaviour + ".fmu"};
        return library_.instantiate(unit, "");
    }
    std::unique_ptr<unit::Unit> initialize(const std::string& behaviour) {
        auto unit = instantiate(behaviour);
        unit->enter_initialization({});
        unit->exit_initialization();
        return unit;
    }

    template <class T>
    static T get(unit::Unit& unit, const std::string& name) {
        const auto& variable = variable_of(unit, name);
        T value{};
        unit.get({variable.type, {&variable.reference, 1}, &value, 1});
        return value;
    }
    template <class T>
    static void set(unit::Unit& unit, const std::string& name, T value) {
        const auto& variable = variable_of(unit, name);
        unit.set({variable.type, {&variable.reference, 1}, &value, 1});
    }

    test::CollectingLog log_;
    unit::Library library_{log_};

private:
    static const scenario::Variable& variable_of(const unit::Unit& unit, const std::string& name) {
        return unit.description().variables.at(unit.description().find_variable(name).value());
    }
};

TEST_F(Fmi1Failure, InInstantiateGivesItsReason) {
    EXPECT_THAT(
        test::error_of<Error>([&] { instantiate("null-instance-fmi1"); }),
        AllOf(HasSubstr("unit \"bad\" failed in fmiInstantiateSlave"), HasSubstr("no licence")));
}

TEST_F(Fmi1Failure, InInitializationGivesItsReason) {
    auto unit = instantiate("fails-in-initialization-fmi1");
    unit->enter_initialization({.start = {2}, .stop = {}, .tolerance = {}});
    EXPECT_THAT(test::error_of<Error>([&] { unit->exit_initialization(); }),
                HasSubstr("unit \"bad\" failed in fmiInitializeSlave at t = 2 s: it returned "
                          "fmiError: the initial equations have no solution"));
}

TEST_F(Fmi1Failure, InStepGivesTimeAndReason) {
    auto unit = initialize("fails-in-step-fmi1");
    EXPECT_EQ(unit->step({0}, {0.4}).end, StepEnd::completed);
    EXPECT_THAT(test::error_of<Error>([&] { (void)unit->step({0.4}, {0.4}); }),
                HasSubstr("unit \"bad\" failed in fmiDoStep at t = 0.4 s: it returned fmiError: "
                          "the spring broke at 0.5 s"));
}

TEST_F(Fmi1Failure, WithoutAReasonSaysSo) {
    auto unit = initialize("fails-silently-fmi1");
    EXPECT_THAT(test::error_of<Error>([&] { (void)unit->step({0}, {1}); }),
                HasSubstr("it returned fmiError and logged no reason"));
}

TEST_F(Fmi1Failure, NothingIsCalledAfterAFatalError) {
    auto unit = initialize("fatal-fmi1");
    EXPECT_THAT(test::error_of<Error>([&] { (void)unit->step({0}, {1}); }),
                HasSubstr("fmiFatal: out of ideas"));
}

TEST_F(Fmi1Failure, ADiscardedStepSaysHowFarItGot) {
    auto unit = initialize("discards-fmi1");
    const auto result = unit->step({0.4}, {0.4});
    EXPECT_EQ(result.end, StepEnd::rejected);
    EXPECT_EQ(result.reached, Time{0.5});
}

TEST_F(Fmi1Failure, ALastSuccessfulTimeOutsideTheStepIsAFault) {
    auto unit = initialize("lies-about-time-fmi1");
    EXPECT_THAT(test::error_of<Error>([&] { (void)unit->step({0}, {1}); }),
                HasSubstr("reports 1e+09 s as the last successful time"));
}

TEST_F(Fmi1Failure, AsynchronousStepsAreRefused) {
    auto unit = initialize("pends-fmi1");
    EXPECT_THAT(test::error_of<Error>([&] { (void)unit->step({0}, {1}); }),
                HasSubstr("it steps asynchronously (fmiPending)"));
}

TEST_F(Fmi1Failure, MessagesGoToTheUnitOfThatName) {
    auto one = instantiate("fails-in-initialization-fmi1", "one");
    auto two = instantiate("fails-in-initialization-fmi1", "two");
    one->enter_initialization({});
    EXPECT_THROW(one->exit_initialization(), Error);
    ASSERT_FALSE(log_.messages().empty());
    EXPECT_EQ(log_.messages().back().source, "one");
}

TEST_F(Fmi1Failure, CannotRollBack) { EXPECT_EQ(initialize("behaves-fmi1")->snapshots(), nullptr); }

TEST_F(Fmi1Failure, AStringWithoutAValueIsEmpty) {
    EXPECT_EQ(get<std::string>(*initialize("null-strings-fmi1"), "s"), "");
}

TEST_F(Fmi1Failure, NegatedAliasesAreNegated) {
    auto unit = initialize("behaves-fmi1");
    set(*unit, "u", 3.0);
    EXPECT_EQ(get<double>(*unit, "y"), 3);
    EXPECT_EQ(get<double>(*unit, "minus_y"), -3);
    set(*unit, "minus_u", 4.0);
    EXPECT_EQ(get<double>(*unit, "y"), -4);
    set(*unit, "n", std::int64_t{5});
    EXPECT_EQ(get<std::int64_t>(*unit, "minus_n"), -5);
    set(*unit, "b", true);
    EXPECT_TRUE(get<bool>(*unit, "b"));
    EXPECT_FALSE(get<bool>(*unit, "not_b"));
}

TEST_F(Fmi1Failure, AnIntegerWhoseNegativeDoesNotFitIsRefused) {
    auto unit = instantiate("behaves-fmi1");
    EXPECT_THAT(test::error_of<Error>([&] { set(*unit, "minus_n", std::int64_t{-2147483648}); }),
                HasSubstr("the value -2147483648 does not fit into 32 bits"));
}

TEST_F(Fmi1Failure, InputsSetDuringInitializationTakePartInIt) {
    for (const char* form : {"behaves-fmi1", "behaves-fmi1-me"}) {
        auto unit = instantiate(form);
        unit->enter_initialization({});
        set(*unit, "u", 7.0);
        EXPECT_EQ(get<double>(*unit, "u_at_start"), 7) << form;
        set(*unit, "u", 8.0); // too late
        unit->exit_initialization();
        EXPECT_EQ(get<double>(*unit, "u_at_start"), 7) << form;
        EXPECT_EQ(get<double>(*unit, "y"), 8) << form;
    }
}

TEST_F(Fmi1Failure, AModelMayLackWhatIsOfUseToFewAndLeaveEventInfoAsItWas) {
    auto unit = initialize("behaves-fmi1-me");
    EXPECT_EQ(unit->step({0}, {2}).end, StepEnd::completed);
    EXPECT_NEAR(get<double>(*unit, "x"), 2, 1e-9); // x' = 1
    EXPECT_NO_THROW(unit->terminate());
}

TEST_F(Fmi1Failure, OfAModelIsToldWithItsTime) {
    auto unit = initialize("fails-in-step-fmi1-me");
    EXPECT_THAT(test::error_of<Error>([&] { (void)unit->step({0}, {2}); }),
                AllOf(HasSubstr("unit \"bad\" failed in fmiGetDerivatives"),
                      HasSubstr("the spring broke at 0.5 s")));
}

TEST_F(Fmi1Failure, EventsThatDoNotSettleAreNamed) {
    auto unit = initialize("never-settles-fmi1-me");
    set(*unit, "b", true);
    EXPECT_THAT(test::error_of<Error>([&] { (void)unit->step({0}, {2}); }),
                HasSubstr("its discrete states have not settled in 1000 rounds"));
}

} // namespace
} // namespace rubato
