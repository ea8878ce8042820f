// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <csignal>

namespace rubato::cli {

/// While it lives, the first SIGINT or SIGTERM asks for a clean end by a flag; the next one ends
/// the process at once. At most one at a time.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    const std::atomic<bool>& requested() const;

private:
    struct sigaction old_interrupt_ {};
    struct sigaction old_terminate_ {};
};

} // namespace rubato::cli
