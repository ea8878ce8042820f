// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/engine/processes.hpp>
#include <rubato/report/run_recorder.hpp>
#include <rubato/unit/call_under_way.hpp>

#include <string_view>

namespace rubato::cli {

/// Words of the message about an FMU that has called exit.
inline constexpr std::string_view ended_the_program = "ended the program";

/// While it exists, an FMU that ends this process by a crash, an abort or an exit is reported:
/// unit, call and time are printed, results are saved, and the exit code is not 0. At most one
/// object at a time, created by the thread that calls units.
class CrashGuard {
public:
    CrashGuard();
    ~CrashGuard();
    CrashGuard(const CrashGuard&) = delete;
    CrashGuard& operator=(const CrashGuard&) = delete;

private:
    unit::ThreadOfUnits thread_;
};

/// While it exists, a crash of this process ends all processes of a run, with one message. At most
/// one object at a time.
class JointCrash {
public:
    explicit JointCrash(engine::Processes& processes);
    ~JointCrash();
    JointCrash(const JointCrash&) = delete;
    JointCrash& operator=(const JointCrash&) = delete;
};

/// While it exists, the results that are saved when a crash or an exit ends the process.
class SavedAtCrash {
public:
    explicit SavedAtCrash(report::RunRecorder* recorder);
    ~SavedAtCrash();
    SavedAtCrash(const SavedAtCrash&) = delete;
    SavedAtCrash& operator=(const SavedAtCrash&) = delete;
};

/// An FMU may call fork() and return twice. Then a copy of this process runs the units, too: it
/// stops after the step under way, and ends where such an object is made or destroyed, so that it
/// writes no results.
class EndOfCopies {
public:
    EndOfCopies();
    ~EndOfCopies();
    EndOfCopies(const EndOfCopies&) = delete;
    EndOfCopies& operator=(const EndOfCopies&) = delete;
};

/// Ends the process at once if threads that an FMU has started still run: a normal exit would
/// destroy objects that they may use.
void end_with_foreign_threads(int code);

/// Saves results and ends the process at once, with neither destructors nor exit handlers: for when
/// a call of a unit does not return. `message` is for the metadata.
[[noreturn]] void end_now(int code, report::RunStatus status, std::string_view message);

} // namespace rubato::cli
