// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/log.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace rubato::unit {

/// What an FMU's logger callback writes to. An FMU may call it at any time after it was handed
/// over, from a thread of its own, too, and does not always hand back what it was handed: so all
/// logs of the process are kept in one list.
class UnitLog {
public:
    /// Of the messages of one level, `limit` are passed on; the others are counted.
    UnitLog(Log& log, std::string unit, int limit);
    /// Logs how many messages have been suppressed.
    ~UnitLog();
    UnitLog(const UnitLog&) = delete;
    UnitLog& operator=(const UnitLog&) = delete;

    /// The FMU's callbacks come with this address: of its instance, or of ours.
    void belongs_to(const void* key);

    /// For whoever `key` belongs to, else for the unit of that name, else for none of them. A null
    /// name is none. Never throws: its caller is C.
    static void write(const void* key, const char* name, LogLevel level, const char* category,
                      std::string_view message) noexcept;

    /// While muted, messages are logged at level debug, and errors are not kept.
    void mute(bool on) noexcept { is_muted_ = on; }

    /// The last message written as an error, which is then forgotten; empty: there was none.
    std::string take_error();

private:
    static UnitLog* find(const void* key, std::string_view name);
    void write(LogLevel level, std::string_view category, std::string_view message);
    bool is_to_be_suppressed(LogLevel level);

    Log& log_;
    std::string unit_;
    const void* key_ = nullptr;
    std::atomic<bool> is_muted_ = false;
    std::uint64_t limit_;
    std::array<std::uint64_t, 4> counts_{}; ///< of messages, by level
    std::mutex mutex_;                      ///< guards `error_`
    std::string error_;
};

} // namespace rubato::unit
