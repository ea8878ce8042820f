// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/report/run_recorder.hpp>
#include <rubato/unit/call_under_way.hpp>

#include <string_view>

namespace rubato::cli {

/// What is said of an FMU that has called exit.
inline constexpr std::string_view ended_the_program = "ended the program";

/// While it lives, an FMU that ends this process, by a crash, an abort or an exit, does not do so
/// without a word: the unit, the call and the time are told, results are saved, and the exit code
/// is not that of success. At most one at a time, made by the thread that calls units.
class CrashGuard {
public:
    CrashGuard();
    ~CrashGuard();
    CrashGuard(const CrashGuard&) = delete;
    CrashGuard& operator=(const CrashGuard&) = delete;

private:
    unit::ThreadOfUnits thread_;
};

/// While it lives, the results that are saved when the process ends so.
class SavedAtCrash {
public:
    explicit SavedAtCrash(report::RunRecorder* recorder);
    ~SavedAtCrash();
    SavedAtCrash(const SavedAtCrash&) = delete;
    SavedAtCrash& operator=(const SavedAtCrash&) = delete;
};

/// Ends the process if threads that an FMU has started are still there: what is destroyed at a
/// usual exit they may be using.
void end_with_foreign_threads(int code);

/// Saves results and ends the process at once, with neither destructors nor exit handlers: for when
/// a call of a unit does not return. `message` is for the metadata.
[[noreturn]] void end_now(int code, report::RunStatus status, std::string_view message);

} // namespace rubato::cli
