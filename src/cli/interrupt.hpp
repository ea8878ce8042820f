// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <atomic>
#include <csignal>

namespace rubato::cli {

/// While it exists, the first SIGINT, SIGTERM or SIGHUP asks for a clean end by a flag, the second
/// one for an end at once by another, and the next one ends the process. A reader that closes its
/// end of a pipe is a fault of writing, no signal. At most one at a time.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    const std::atomic<bool>& requested() const;
    /// Whether it was requested once more.
    bool is_urgent() const;

private:
    static constexpr std::array signals = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    std::array<struct sigaction, signals.size()> old_{};
};

} // namespace rubato::cli
