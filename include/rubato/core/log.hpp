// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace rubato {

enum class LogLevel { debug, info, warning, error };

/// Where messages go that belong to no result: FMU loggers, assumptions made, progress of set-up.
/// Must be callable from any thread.
class Log {
public:
    virtual ~Log() = default;
    /// `source` is the unit's name, or empty for Rubato itself.
    virtual void write(LogLevel level, std::string_view source, std::string_view message) = 0;
};

/// A log that drops everything.
Log& silent_log();

} // namespace rubato
