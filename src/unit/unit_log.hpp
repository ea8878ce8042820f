// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/log.hpp>

#include <atomic>
#include <mutex>
#include <string>
#include <string_view>

namespace rubato::unit {

/// What an FMU's logger callback writes to. An FMU may call it at any time after it was handed
/// over, from a thread of its own, too.
class UnitLog {
public:
    UnitLog(Log& log, std::string unit) : log_(log), unit_(std::move(unit)) {}

    /// Never throws: its caller is C.
    void write(LogLevel level, std::string_view category, std::string_view message) noexcept;

    /// While muted, messages are told at level debug, and errors are not kept.
    void mute(bool on) noexcept { is_muted_ = on; }

    /// The last message written as an error, which is then forgotten; empty: there was none.
    std::string take_error();

private:
    Log& log_;
    std::string unit_;
    std::atomic<bool> is_muted_ = false;
    std::mutex mutex_; ///< guards `error_`
    std::string error_;
};

} // namespace rubato::unit
