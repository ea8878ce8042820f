// SPDX-License-Identifier: Apache-2.0
#include "crash_guard.hpp"

#include "exit_code.hpp"
#include "interrupt.hpp"

#include <rubato/files/temporary_folder.hpp>
#include <rubato/private/forked_copy.hpp>
#include <rubato/unit/unit.hpp>

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <string_view>

// All of it may run in a signal handler: nothing allocates, locks or throws, unless its comment says
// so.
namespace rubato::cli {
namespace {

struct Deadly {
    int number;
    std::string_view text;
};
constexpr std::array deadly = {Deadly{SIGSEGV, "SIGSEGV (segmentation fault)"},
                               Deadly{SIGABRT, "SIGABRT (aborted)"},
                               Deadly{SIGBUS, "SIGBUS (bus error)"},
                               Deadly{SIGFPE, "SIGFPE (arithmetic fault)"},
                               Deadly{SIGILL, "SIGILL (illegal instruction)"},
                               Deadly{SIGSYS, "SIGSYS (bad system call)"}};

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): signal handlers get nothing else
std::atomic<bool> is_armed = false;
std::atomic<pid_t> guarded_process = 0;
std::atomic<pid_t> guarded_thread = 0;
std::atomic<report::RunRecorder*> recorder_to_save = nullptr;
std::array<struct sigaction, deadly.size()> old_actions{};
std::atomic<engine::Processes*> joined_processes = nullptr; // null: it is alone
std::string process_name;                                   // "rank 1 on node07: "
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

/// Text of limited length.
class Line {
public:
    Line& operator<<(std::string_view text) {
        const std::size_t count = std::min(text.size(), text_.size() - size_);
        std::memcpy(text_.data() + size_, text.data(), count);
        size_ += count;
        return *this;
    }
    Line& operator<<(double number) {
        const auto end = std::to_chars(text_.data() + size_, text_.data() + text_.size(), number);
        if (end.ec == std::errc{}) size_ = static_cast<std::size_t>(end.ptr - text_.data());
        return *this;
    }
    Line& operator<<(int number) { return *this << static_cast<double>(number); }
    std::string_view text() const { return {text_.data(), size_}; }
    void print() const {
        const ssize_t ignored = ::write(STDERR_FILENO, text_.data(), size_);
        (void)ignored; // there is no other place to report to
    }

private:
    std::array<char, 2000> text_{};
    std::size_t size_ = 0;
};

[[noreturn]] void end_process(int code) {
    for (;;) ::syscall(SYS_exit_group, code);
}

/// Other threads were started by an FMU.
bool is_own_thread() {
    const auto& known = unit::calls_under_way();
    const bool calls_units = std::ranges::any_of(
        known, [](const auto& entry) { return entry.load() == &unit::call_under_way; });
    return calls_units || ::gettid() == guarded_thread.load();
}

bool is_under_way(const unit::CallUnderWay& record) {
    return record.unit.load() != nullptr || record.file.load() != nullptr;
}

/// `unit "bad" <did> in step at t = 0.3 s`
void describe(Line& line, const unit::CallUnderWay& record, std::string_view did) {
    const unit::Unit* const unit = record.unit.load();
    const std::string* const file = record.file.load();
    const double time = record.time.load();
    if (unit != nullptr)
        line << "unit \"" << unit->name() << "\" ";
    else if (file != nullptr)
        line << *file << " ";
    const char* const call = record.call.load();
    line << did << " in " << (call == nullptr ? "a call" : call);
    if (unit == nullptr) return;
    if (std::isnan(time))
        line << " before initialization";
    else
        line << " at t = " << time << " s";
}

std::string_view save_results(report::RunStatus status, std::string_view message) {
    report::RunRecorder* const recorder = recorder_to_save.exchange(nullptr);
    if (recorder == nullptr || !recorder->has_begun()) return {};
    const std::string_view reached = recorder->conclude_in_emergency(status, message);
    if (reached.empty()) return {};
    Line line;
    line << "the results up to t = " << reached << " s are in "
         << std::string_view(recorder->files_text()) << "\n";
    line.print();
    return reached;
}

/// What is known of a crash.
struct Crash {
    Line message;
    Line hint; ///< empty: there is none
    void print() const {
        Line line;
        if (::isatty(STDERR_FILENO) == 1) line << "\r\033[K";
        line << "rubato: " << process_name << message.text() << "\n";
        if (!hint.text().empty()) line << "  " << hint.text() << "\n";
        line.print();
        save_results(report::RunStatus::failed, message.text());
    }
};
Crash last_crash; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

extern "C" void rubato_report_crash_alone(int) {
    last_crash.print();
    end_process(exit_code::run_failed);
}

/// What follows may crash again, or lock for ever: then this process reports as if it were alone.
void limit_joint_end() {
    constexpr unsigned most_seconds = 10;
    struct sigaction action {};
    action.sa_handler = rubato_report_crash_alone;
    action.sa_flags = SA_ONSTACK;
    sigset_t all{};
    sigemptyset(&all);
    for (const Deadly& each : deadly) {
        ::sigaction(each.number, &action, nullptr);
        sigaddset(&all, each.number);
    }
    ::sigaction(SIGALRM, &action, nullptr);
    sigaddset(&all, SIGALRM);
    ::pthread_sigmask(SIG_UNBLOCK, &all, nullptr);
    ::alarm(most_seconds);
}

/// For all processes, the crash of one is an error of the run: one message, and the rows up to then
/// are recorded. Allocates, locks and throws, though a signal handler should not: the call of the
/// unit that it has interrupted never continues.
[[noreturn]] void end_jointly(engine::Processes& processes) {
    limit_joint_end();
    try {
        processes.fail(std::make_exception_ptr(
            Error(std::string(last_crash.message.text()), std::string(last_crash.hint.text()))));
    } catch (...) { // NOLINT(bugprone-empty-catch): it is what has been passed
    }
    const bool reports = processes.reports();
    if (reports) last_crash.print();
    files::remove_temporary_folders();
    const int code = reports ? exit_code::run_failed : exit_code::success;
    processes.end(code);
    end_process(code);
}

std::atomic<engine::Processes*> handed_over = nullptr; // NOLINT: for a signal handler

extern "C" void rubato_end_jointly(int) {
    if (engine::Processes* const processes = handed_over.exchange(nullptr)) end_jointly(*processes);
}

/// A thread that an FMU has started crashed: only the thread that runs the units may use MPI.
[[noreturn]] void end_jointly_in_own_thread(engine::Processes& processes) {
    limit_joint_end();
    struct sigaction action {};
    action.sa_handler = rubato_end_jointly;
    action.sa_flags = SA_ONSTACK;
    ::sigaction(SIGUSR2, &action, nullptr);
    handed_over = &processes;
    ::syscall(SYS_tgkill, ::getpid(), guarded_thread.load(), SIGUSR2);
    for (;;) ::pause();
}

/// `did` and `how`: "crashed", "SIGSEGV".
void report(std::string_view did, std::string_view how) {
    const unit::CallUnderWay& record = unit::call_under_way;
    const bool is_units = is_under_way(record);
    if (is_units)
        describe(last_crash.message, record, did);
    else if (is_own_thread())
        last_crash.message << "internal error, please report";
    else
        last_crash.message << "a thread that an FMU has started " << did;
    last_crash.message << ": " << how;
    if (is_units || !is_own_thread())
        last_crash.hint
            << "try isolate: true (simulate: --isolate): the FMU then runs in a separate "
               "process";
    engine::Processes* const processes = joined_processes.exchange(nullptr);
    if (processes != nullptr && is_units && ::gettid() == guarded_thread.load())
        end_jointly(*processes);
    if (processes != nullptr && !is_own_thread()) end_jointly_in_own_thread(*processes);
    last_crash.print();
}

bool is_guarded() { return is_armed.load() && ::getpid() == guarded_process.load(); }

extern "C" void rubato_report_crash(int number) {
    for (std::size_t i = 0; i < deadly.size(); ++i) {
        if (deadly[i].number != number) continue;
        if (is_guarded() && is_armed.exchange(false)) report("crashed", deadly[i].text);
        ::sigaction(number, &old_actions[i], nullptr);
    }
    ::raise(number); // default handling; blocked until this returns
}

/// An exit that this program has not asked for.
bool is_foreign_exit() {
    return is_guarded() && (is_under_way(unit::call_under_way) || !is_own_thread());
}

void report_exit(int code) {
    is_armed = false;
    Line how;
    how << "it called exit(" << code << ")";
    report(ended_the_program, how.text());
}

extern "C" void rubato_report_exit(int code, void*) {
    if (!is_foreign_exit()) return;
    report_exit(code);
    end_process(exit_code::run_failed);
}

extern "C" void rubato_report_quick_exit() { rubato_report_exit(0, nullptr); }

Line how_copied; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

/// In the copy.
void note_copy() {
    is_armed = false; // what happens to it is not of the run
    how_copied = {};
    if (is_under_way(unit::call_under_way))
        describe(how_copied, unit::call_under_way, "called fork()");
    Interrupt::request();
}

/// A copy that came back from the unit; the first process continues.
void end_if_copy() {
    if (!ForkedCopy::is_this()) return;
    Line line;
    line << "rubato: "
         << (how_copied.text().empty() ? std::string_view("an FMU called fork()")
                                       : how_copied.text())
         << ", and the copy of this process came back: it is ended, the run continues without it\n";
    line.print();
    end_process(exit_code::run_failed);
}

} // namespace

CrashGuard::CrashGuard() {
    guarded_process = ::getpid();
    guarded_thread = ::gettid();
    ForkedCopy::detect(note_copy);
    static const bool is_registered = ::on_exit(rubato_report_exit, nullptr) == 0 &&
                                      std::at_quick_exit(rubato_report_quick_exit) == 0;
    (void)is_registered;
    struct sigaction action {};
    action.sa_handler = rubato_report_crash;
    action.sa_flags = SA_ONSTACK;
    for (std::size_t i = 0; i < deadly.size(); ++i)
        ::sigaction(deadly[i].number, &action, &old_actions[i]);
    is_armed = true;
}

CrashGuard::~CrashGuard() {
    is_armed = false;
    for (std::size_t i = 0; i < deadly.size(); ++i)
        ::sigaction(deadly[i].number, &old_actions[i], nullptr);
}

JointCrash::JointCrash(engine::Processes& processes) {
    process_name = processes.name_of(processes.rank()) + ": ";
    joined_processes = &processes;
}

JointCrash::~JointCrash() { joined_processes = nullptr; }

EndOfCopies::EndOfCopies() { end_if_copy(); }

EndOfCopies::~EndOfCopies() { end_if_copy(); }

SavedAtCrash::SavedAtCrash(report::RunRecorder* recorder) { recorder_to_save = recorder; }

SavedAtCrash::~SavedAtCrash() { recorder_to_save = nullptr; }

void end_with_foreign_threads(int code) {
    std::error_code unknown;
    const std::filesystem::directory_iterator threads("/proc/self/task", unknown);
    if (unknown || std::distance(begin(threads), end(threads)) <= 1) return;
    std::fflush(nullptr);
    end_process(code);
}

void end_now(int code, report::RunStatus status, std::string_view message) {
    is_armed = false;
    save_results(status, message);
    end_process(code);
}

} // namespace rubato::cli

// FMUs find these before the functions of the C library, so exits without exit handlers are seen
// here.
extern "C" __attribute__((visibility("default"))) void _exit(int code) {
    namespace cli = rubato::cli;
    if (cli::is_foreign_exit()) {
        cli::report_exit(code);
        code = cli::exit_code::run_failed;
    }
    cli::end_process(code);
}

extern "C" __attribute__((visibility("default"))) void _Exit(int code) noexcept { ::_exit(code); }
