// SPDX-License-Identifier: Apache-2.0

/// FMUs that end their process, or spoil it, in one of their own: nothing but the unit ends, and
/// nothing is left of it.

#include "support/collecting_log.hpp"
#include "support/error_text.hpp"
#include "support/private_folder.hpp"
#include "support/sanitizer_options.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/unit/library.hpp>

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <thread>

namespace rubato {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::Contains;
using testing::HasSubstr;
using Message = test::CollectingLog::Message;

std::size_t open_descriptors() {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                      std::filesystem::directory_iterator()));
}

bool has_children() { return ::waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD; }

/// Parameter: what the file names of FMUs of this version of FMI end in.
class IsolatedFmu : public testing::TestWithParam<std::string> {
protected:
    IsolatedFmu() { test::start_processes_as_without_sanitizers(); }

    std::unique_ptr<unit::Unit> initialize(const std::string& behaviour, double time_limit = 60) {
        scenario::Unit unit;
        unit.name = "bad";
        unit.origin =
            scenario::FmuFile{std::string(MISUSE_FMUS) + "/" + behaviour + GetParam() + ".fmu"};
        unit.isolate = {.time_limit = time_limit, .where = {}};
        auto made = library_.instantiate(unit, "");
        made->enter_initialization({});
        made->exit_initialization();
        return made;
    }

    /// What the step that crosses t = 0.5 s says.
    std::string fault_of(const std::string& behaviour, double time_limit = 60) {
        const auto unit = initialize(behaviour, time_limit);
        EXPECT_EQ(unit->step({0}, {0.4}).end, unit::StepEnd::completed);
        const std::string message = test::error_of<Error>([&] { (void)unit->step({0.4}, {0.4}); });
        EXPECT_EQ(unit->phase(), unit::Phase::failed);
        return message;
    }

    test::PrivateFolder folder_;
    test::CollectingLog log_;
    unit::Library library_{log_};
};

TEST_P(IsolatedFmu, ThatCrashesIsNamedWithTimeCallAndSignal) {
    EXPECT_THAT(fault_of("crashes"),
                HasSubstr("unit \"bad\" failed in step at t = 0.4 s: its process was ended by "
                          "SIGSEGV (Segmentation fault)"));
    EXPECT_THAT(fault_of("aborts"), HasSubstr("its process was ended by SIGABRT (Aborted)"));
}

TEST_P(IsolatedFmu, ThatExitsIsNamedWithItsExitCode) {
    EXPECT_THAT(fault_of("exits"),
                HasSubstr("unit \"bad\" failed in step at t = 0.4 s: its process "
                          "exited with code 3"));
}

TEST_P(IsolatedFmu, ThatHangsIsNamedWithTheTimeLimit) {
    EXPECT_THAT(
        fault_of("hangs", 2),
        AllOf(HasSubstr("unit \"bad\" failed in step at t = 0.4 s: it did not return within "
                        "the time limit of 2 s, and its process was ended"),
              HasSubstr("isolate.time-limit")));
}

TEST_P(IsolatedFmu, ThatCorruptsItsHeapEndsNothingElse) {
    EXPECT_THAT(fault_of("corrupts-its-heap"),
                AllOf(HasSubstr("unit \"bad\" failed in step at t = 0.4 s: its process "),
                      AnyOf(HasSubstr("SIGABRT"), HasSubstr("SIGSEGV"), HasSubstr("code 1"))));
}

TEST_P(IsolatedFmu, ThatSpoilsWhatItSharesWithRubatoEndsNothingElse) {
    const auto unit = initialize("spoils-shared-memory", 5);
    const ValueRef reference = 1;
    double value = 0;
    const auto run = [&] {
        for (int i = 0; i < 100; ++i) {
            (void)unit->step({0.375 * i}, {0.375});
            unit->get({ValueType::float64, {&reference, 1}, &value, 1});
        }
    };
    EXPECT_THAT(test::error_of<Error>(run),
                AllOf(HasSubstr("unit \"bad\" failed in "),
                      AnyOf(HasSubstr("it has corrupted the memory that it shares with Rubato"),
                            HasSubstr("its process"))));
}

TEST_P(IsolatedFmu, ThatHasEndedCannotGoBack) {
    const auto unit = initialize("crashes");
    unit->snapshots()->save(0);
    EXPECT_THROW((void)unit->step({0.4}, {0.4}), Error);
    EXPECT_THAT(test::error_of<Error>([&] { unit->snapshots()->restore(0); }),
                HasSubstr("its process was ended by SIGSEGV"));
    EXPECT_EQ(unit->phase(), unit::Phase::failed);
}

TEST_P(IsolatedFmu, ThatThrowsIsNamed) {
    EXPECT_THAT(fault_of("throws"), HasSubstr("unit \"bad\" failed in step at t = 0.4 s: it threw "
                                              "an exception: of a type of its own"));
}

TEST_P(IsolatedFmu, ThatCrashesWhenItIsReadIsNamedWithTheTimeReached) {
    const auto unit = initialize("crashes-in-get");
    const ValueRef reference = 1;
    double value = 0;
    const auto advance = [&](double from, double by) {
        (void)unit->step({from}, {by});
        unit->get({ValueType::float64, {&reference, 1}, &value, 1});
    };
    advance(0, 0.25);
    advance(0.25, 0.125);
    EXPECT_THAT(
        test::error_of<Error>([&] { advance(0.375, 0.125); }),
        HasSubstr("unit \"bad\" failed in get at t = 0.5 s: its process was ended by SIGSEGV"));
}

TEST_P(IsolatedFmu, ThatCrashesWhenItIsFreedIsAWarning) {
    initialize("crashes-when-freed");
    EXPECT_THAT(log_.messages(),
                Contains(Message{LogLevel::warning, "bad",
                                 "when it was freed: its process was ended by SIGSEGV "
                                 "(Segmentation fault)"}));
}

TEST_P(IsolatedFmu, LeavesNothingBehind) {
    const std::size_t before = open_descriptors();
    for (const std::string behaviour : {"behaves", "crashes", "exits", "hangs"}) {
        const auto unit = initialize(behaviour, 2);
        if (behaviour != "behaves") {
            EXPECT_THROW((void)unit->step({0}, {1}), Error);
        }
    }
    EXPECT_FALSE(has_children());
    EXPECT_EQ(open_descriptors(), before);
    EXPECT_FALSE(folder_.has_temporary_files());
}

TEST_P(IsolatedFmu, WhatIsPrintedGoesToTheErrors) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    initialize("prints").reset();
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("printed by the FMU"));
}

/// A process that isolates a unit and is then killed. The unit's process holds the other end of a
/// pipe as its error output, so that the pipe ends when that process does.
TEST_P(IsolatedFmu, EndsWithTheProgram) {
    int pipe_ends[2];
    ASSERT_EQ(::pipe(pipe_ends), 0);
    const pid_t program = ::fork();
    if (program == 0) {
        ::dup2(pipe_ends[1], STDERR_FILENO);
        ::close(pipe_ends[0]);
        ::close(pipe_ends[1]);
        const auto unit = initialize("hangs");
        ::raise(SIGKILL);
    }
    ::close(pipe_ends[1]);
    int status = 0;
    ASSERT_EQ(::waitpid(program, &status, 0), program);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    char byte = 0;
    EXPECT_EQ(::read(pipe_ends[0], &byte, 1), 0); // waits until nobody holds it any more
    ::close(pipe_ends[0]);
}

INSTANTIATE_TEST_SUITE_P(Versions, IsolatedFmu, testing::Values("", "-fmi3"),
                         [](const auto& version) {
                             return version.param.empty() ? "Fmi2" : "Fmi3";
                         });

} // namespace
} // namespace rubato
