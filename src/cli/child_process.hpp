// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace rubato::cli {

struct Exited {
    int code = 0;
};
struct Killed {
    int signal = 0;
};
struct TimedOut {};
struct Stopped {}; ///< because the caller was asked to stop

using ChildEnd = std::variant<Exited, Killed, TimedOut, Stopped>;

/// A program to run in another process.
struct Child {
    std::filesystem::path program;
    std::vector<std::string> arguments;  ///< without the program's name
    std::filesystem::path folder;        ///< its working directory
    std::filesystem::path output;        ///< where its standard output and error go
    std::chrono::duration<double> limit; ///< after which it is killed
};

/// Runs it to its end. At the limit, or when `stop` becomes true, it is killed with all processes
/// that it started and that stayed in its group. Throws an Error if it cannot be started.
ChildEnd run_child(const Child& child, const std::atomic<bool>& stop);

/// "SIGABRT".
std::string signal_name(int signal);

} // namespace rubato::cli
