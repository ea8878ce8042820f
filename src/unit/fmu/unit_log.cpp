// SPDX-License-Identifier: Apache-2.0
#include "unit_log.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

namespace rubato::unit {

namespace {

struct AllLogs {
    std::recursive_mutex mutex; ///< guards all there is: a log does not go while it is written to
    std::vector<UnitLog*> logs;
};

AllLogs& all_logs() {
    static AllLogs logs;
    return logs;
}

} // namespace

UnitLog::UnitLog(Log& log, std::string unit, int limit)
    : log_(log), unit_(std::move(unit)), limit_(static_cast<std::uint64_t>(std::max(limit, 0))) {
    const std::lock_guard lock(all_logs().mutex);
    all_logs().logs.push_back(this);
}

UnitLog::~UnitLog() {
    const std::lock_guard lock(all_logs().mutex);
    std::erase(all_logs().logs, this);
    for (const LogLevel level : {LogLevel::info, LogLevel::warning, LogLevel::error}) {
        const std::uint64_t count = counts_[static_cast<std::size_t>(level)];
        if (count <= limit_) continue;
        try {
            log_.write(level, unit_,
                       format("{} more messages of this kind were suppressed (logging.limit)",
                              count - limit_));
        } catch (const std::exception&) {
            return; // nobody is left to log it
        }
    }
}

void UnitLog::belongs_to(const void* key) {
    const std::lock_guard lock(all_logs().mutex);
    key_ = key;
}

/// Of several with one name, the youngest: the others are known by their keys.
UnitLog* UnitLog::find(const void* key, std::string_view name) {
    const auto& logs = all_logs().logs;
    const auto own = std::ranges::find(logs, key, &UnitLog::key_);
    if (key != nullptr && own != logs.end()) return *own;
    const auto named = std::find_if(logs.rbegin(), logs.rend(),
                                    [&](const UnitLog* log) { return log->unit_ == name; });
    if (named != logs.rend()) return *named;
    return logs.size() == 1 ? logs.front() : nullptr;
}

void UnitLog::write(const void* key, const char* name, LogLevel level, const char* category,
                    std::string_view message) noexcept {
    const auto text = [](const char* given) { return std::string_view(given ? given : ""); };
    while (message.ends_with('\n')) message.remove_suffix(1);
    try {
        const std::lock_guard lock(all_logs().mutex);
        const std::string clean = printable(message);
        if (UnitLog* const log = find(key, text(name)))
            log->write(level, printable(text(category)), clean);
        else if (!all_logs().logs.empty())
            all_logs().logs.back()->log_.write(level, printable(text(name)), clean);
    } catch (const std::exception&) {
        // A log that fails must not unwind through the FMU's frames; the message is lost.
    }
}

bool UnitLog::is_to_be_suppressed(LogLevel level) {
    return level != LogLevel::debug && ++counts_[static_cast<std::size_t>(level)] > limit_;
}

void UnitLog::write(LogLevel level, std::string_view category, std::string_view message) {
    if (is_muted_) level = LogLevel::debug;
    if (level == LogLevel::error) {
        const std::lock_guard lock(mutex_);
        error_ = message;
    }
    if (is_to_be_suppressed(level)) return;
    if (category.empty()) {
        log_.write(level, unit_, message);
    } else {
        log_.write(level, unit_, format("[{}] {}", category, message));
    }
}

std::string UnitLog::take_error() {
    const std::lock_guard lock(mutex_);
    return std::exchange(error_, {});
}

} // namespace rubato::unit
