// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <atomic>
#include <csignal>

namespace rubato::cli {

/// While it exists, the first SIGINT, SIGTERM or SIGHUP requests a clean stop by a flag, the
/// second one an immediate stop by another flag, and the third one ends the process. SIGPIPE is
/// ignored: writing to a closed pipe fails instead. At most one object at a time.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    const std::atomic<bool>& requested() const;
    /// Whether it was requested once more.
    bool is_urgent() const;
    /// The same as the first signal; signal handlers may call it.
    static void request();

private:
    static constexpr std::array signals = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    std::array<struct sigaction, signals.size()> old_{};
};

} // namespace rubato::cli
