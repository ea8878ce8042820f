// SPDX-License-Identifier: Apache-2.0
#include "unit_log.hpp"

#include <rubato/private/format.hpp>

#include <exception>
#include <utility>

namespace rubato::unit {

void UnitLog::write(LogLevel level, std::string_view category, std::string_view message) noexcept {
    while (message.ends_with('\n')) message.remove_suffix(1);
    if (is_muted_) level = LogLevel::debug;
    try {
        if (level == LogLevel::error) {
            const std::lock_guard lock(mutex_);
            error_ = message;
        }
        if (category.empty()) {
            log_.write(level, unit_, message);
        } else {
            log_.write(level, unit_, format("[{}] {}", category, message));
        }
    } catch (const std::exception&) {
        // A log that fails must not unwind through the FMU's frames; the message is lost.
    }
}

std::string UnitLog::take_error() {
    const std::lock_guard lock(mutex_);
    return std::exchange(error_, {});
}

} // namespace rubato::unit
