// SPDX-License-Identifier: Apache-2.0
#include "child_process.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/private/format.hpp>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

namespace rubato::cli {
namespace {

constexpr int cannot_start = 127;
constexpr std::chrono::milliseconds exit_poll_interval{10};

/// The child between fork and exec: only async-signal-safe calls.
[[noreturn]] void become(const Child& child, const char* output, char** argv) {
    ::setpgid(0, 0);
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    const int log = ::open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int nothing = ::open("/dev/null", O_RDONLY);
    const bool ready = log >= 0 && nothing >= 0 && ::dup2(nothing, STDIN_FILENO) >= 0 &&
                       ::dup2(log, STDOUT_FILENO) >= 0 && ::dup2(log, STDERR_FILENO) >= 0 &&
                       ::chdir(child.folder.c_str()) == 0;
    if (ready) ::execv(child.program.c_str(), argv);
    ::_exit(cannot_start);
}

int wait_for(pid_t process) {
    int status = 0;
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

void kill_group(pid_t process) {
    ::kill(-process, SIGKILL);
    ::kill(process, SIGKILL); // it may not have created its group yet
    wait_for(process);
}

ChildEnd end_of(int status) {
    if (WIFSIGNALED(status)) return Killed{WTERMSIG(status)};
    return Exited{WEXITSTATUS(status)};
}

} // namespace

ChildEnd run_child(const Child& child, const std::atomic<bool>& stop) {
    std::vector<std::string> arguments = child.arguments;
    arguments.insert(arguments.begin(), child.program.string());
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    const auto deadline = std::chrono::steady_clock::now() + child.limit;
    const pid_t process = ::fork();
    if (process < 0) throw Error(format("cannot start another process: {}", std::strerror(errno)));
    if (process == 0) become(child, child.output.c_str(), argv.data());

    int status = 0;
    while (::waitpid(process, &status, WNOHANG) == 0) {
        const bool is_late = std::chrono::steady_clock::now() >= deadline;
        if (is_late || stop.load()) {
            kill_group(process);
            return is_late ? ChildEnd(TimedOut{}) : ChildEnd(Stopped{});
        }
        std::this_thread::sleep_for(exit_poll_interval);
    }
    return end_of(status);
}

std::string signal_name(int signal) {
    const char* const name = ::sigabbrev_np(signal);
    return name ? format("SIG{}", name) : format("signal {}", signal);
}

} // namespace rubato::cli
