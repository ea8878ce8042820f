// SPDX-License-Identifier: Apache-2.0

/// FMUs that fail while they run. Each throws an Error with the FMU's own words, and is freed;
/// the address sanitizer sees what is not, or what is touched after a fatal error.

#include "form.hpp"
#include "support/collecting_log.hpp"
#include "support/error_text.hpp"
#include "support/private_folder.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/unit/library.hpp>

#include <gmock/gmock.h>

#include <cmath>

namespace rubato {
namespace {

using test::Form;
using testing::AllOf;
using testing::HasSubstr;
using unit::StepEnd;

class FmuFailure : public testing::TestWithParam<Form> {
protected:
    static scenario::Unit describe(const std::string& behaviour) {
        scenario::Unit unit;
        unit.name = "bad";
        unit.origin = scenario::FmuFile{std::string(MISUSE_FMUS) + "/" + behaviour +
                                        GetParam().suffix + ".fmu"};
        if (GetParam().isolated) unit.isolate.emplace();
        return unit;
    }

    std::unique_ptr<unit::Unit> instantiate(const std::string& behaviour) {
        return library_.instantiate(describe(behaviour), "");
    }

    std::unique_ptr<unit::Unit> initialize(const std::string& behaviour) {
        auto unit = instantiate(behaviour);
        unit->enter_initialization({});
        unit->exit_initialization();
        return unit;
    }

    bool is_fmi3() const { return GetParam().suffix == "-fmi3"; }
    std::string prefix() const { return is_fmi3() ? "fmi3" : "fmi2"; }

    test::PrivateFolder folder_;
    test::CollectingLog log_;
    unit::Library library_{log_};
};

TEST_P(FmuFailure, InInstantiateGivesItsReason) {
    EXPECT_THAT(test::error_of<Error>([&] { instantiate("null-instance"); }),
                AllOf(HasSubstr("unit \"bad\" failed in " + prefix() + "Instantiate"),
                      HasSubstr("no licence")));
}

TEST_P(FmuFailure, InInitializationGivesItsReason) {
    auto unit = instantiate("fails-in-initialization");
    unit->enter_initialization({.start = {2}, .stop = {}, .tolerance = {}});
    EXPECT_THAT(test::error_of<Error>([&] { unit->exit_initialization(); }),
                HasSubstr("unit \"bad\" failed in " + prefix() +
                          "ExitInitializationMode at t = 2 s: it returned " + prefix() +
                          "Error: the initial equations have no solution"));
    EXPECT_EQ(unit->phase(), unit::Phase::failed);
}

TEST_P(FmuFailure, InStepGivesTimeAndReason) {
    auto unit = initialize("fails-in-step");
    EXPECT_EQ(unit->step({0}, {0.4}).end, StepEnd::completed);
    EXPECT_THAT(test::error_of<Error>([&] { (void)unit->step({0.4}, {0.4}); }),
                HasSubstr("unit \"bad\" failed in " + prefix() +
                          "DoStep at t = 0.4 s: it returned " + prefix() +
                          "Error: the spring broke at 0.5 s"));
    EXPECT_THROW((void)unit->step({0.4}, {0.1}), std::logic_error);
}

TEST_P(FmuFailure, NothingIsCalledAfterAFatalError) {
    auto unit = initialize("fatal");
    if (auto* snapshots = unit->snapshots()) snapshots->save(0);
    EXPECT_THAT(test::error_of<Error>([&] { (void)unit->step({0}, {1}); }),
                HasSubstr("Fatal: out of ideas"));
}

TEST_P(FmuFailure, AFatalErrorCannotBeUndone) {
    auto unit = initialize("fatal");
    unit->snapshots()->save(0);
    EXPECT_THROW((void)unit->step({0}, {1}), Error);
    EXPECT_THAT(test::error_of<Error>([&] { unit->snapshots()->restore(0); }),
                HasSubstr("after a fatal fault nothing may be called"));
    EXPECT_EQ(unit->phase(), unit::Phase::failed);
}

TEST_P(FmuFailure, AnErrorIsUndoneByRestoringASavedState) {
    auto unit = initialize("fails-in-step");
    unit->snapshots()->save(0);
    EXPECT_THROW((void)unit->step({0.4}, {0.4}), Error);
    EXPECT_THROW(unit->snapshots()->save(1), std::logic_error);
    unit->snapshots()->restore(0);
    EXPECT_EQ(unit->phase(), unit::Phase::stepping);
    EXPECT_EQ(unit->step({0}, {0.1}).end, StepEnd::completed);
}

TEST_P(FmuFailure, ADiscardedStepSaysHowFarItGot) {
    auto unit = initialize("discards");
    const auto result = unit->step({0.4}, {0.4});
    EXPECT_EQ(result.end, StepEnd::rejected);
    EXPECT_EQ(result.reached, Time{0.5});
    EXPECT_EQ(unit->step({0.5}, {0.1}).end, StepEnd::completed);
}

TEST_P(FmuFailure, ARequestToTerminateIsAnOutcome) {
    auto unit = initialize("terminates");
    const auto result = unit->step({0.4}, {0.4});
    EXPECT_EQ(result.end, StepEnd::terminated);
    EXPECT_EQ(result.reached, Time{0.5});
}

TEST_P(FmuFailure, NotANumberIsPassedOnForTheEngineToName) {
    auto unit = initialize("returns-nan");
    (void)unit->step({0}, {1});
    double y = 0;
    const ValueRef reference = 1;
    unit->get({ValueType::float64, {&reference, 1}, &y, 1});
    EXPECT_TRUE(std::isnan(y));
}

TEST_P(FmuFailure, LeavesNoTemporaryFiles) {
    {
        unit::Library library(log_);
        EXPECT_THROW(library.instantiate(describe("null-instance"), ""), Error);
        EXPECT_NE(folder_.has_temporary_files(), GetParam().isolated);
    }
    EXPECT_FALSE(folder_.has_temporary_files());
}

INSTANTIATE_TEST_SUITE_P(Versions, FmuFailure,
                         testing::Values(Form{"", false}, Form{"-fmi3", false}, Form{"", true},
                                         Form{"-fmi3", true}),
                         test::name_of);

class Fmi2Failure : public FmuFailure {};
class Fmi3Failure : public FmuFailure {};

TEST_P(Fmi2Failure, WithoutAReasonSaysSo) {
    auto unit = initialize("fails-silently");
    EXPECT_THAT(test::error_of<Error>([&] { (void)unit->step({0}, {1}); }),
                HasSubstr("it returned fmi2Error and logged no reason"));
}

TEST_P(Fmi2Failure, AsynchronousStepsAreRefused) {
    auto unit = initialize("pends");
    EXPECT_THAT(test::error_of<Error>([&] { (void)unit->step({0}, {1}); }),
                HasSubstr("it steps asynchronously (fmi2Pending)"));
}

TEST_P(Fmi2Failure, ALastSuccessfulTimeOutsideTheStepIsAFault) {
    auto unit = initialize("lies-about-time");
    EXPECT_THAT(test::error_of<Error>([&] { (void)unit->step({0}, {1}); }),
                HasSubstr("reports 1e+09 s as the last successful time"));
}

TEST_P(Fmi2Failure, InTerminate) {
    auto unit = initialize("fails-in-terminate");
    EXPECT_THAT(test::error_of<Error>([&] { unit->terminate(); }), HasSubstr("fmi2Terminate"));
}

TEST_P(Fmi2Failure, AnIntegerThatDoesNotFitIsRefused) {
    auto unit = instantiate("behaves");
    std::int64_t value = std::int64_t{1} << 40;
    const ValueRef reference = 0;
    EXPECT_THAT(test::error_of<Error>([&] {
                    unit->set({ValueType::int32, {&reference, 1}, &value, 1});
                }),
                HasSubstr("the value 1099511627776 does not fit into 32 bits"));
}

INSTANTIATE_TEST_SUITE_P(Versions, Fmi2Failure, testing::Values(Form{"", false}, Form{"", true}),
                         test::name_of);

TEST_P(Fmi3Failure, AnEarlyReturnSaysHowFarItGot) {
    auto unit = initialize("returns-early");
    const auto result = unit->step({0.4}, {0.4});
    EXPECT_EQ(result.end, StepEnd::rejected);
    EXPECT_EQ(result.reached, Time{0.5});
}

TEST_P(Fmi3Failure, AnEventIsAnOutcome) {
    auto unit = initialize("stops-at-event");
    EXPECT_EQ(unit->step({0.4}, {0.4}).end, StepEnd::event);
}

INSTANTIATE_TEST_SUITE_P(Versions, Fmi3Failure,
                         testing::Values(Form{"-fmi3", false}, Form{"-fmi3", true}), test::name_of);

} // namespace
} // namespace rubato
