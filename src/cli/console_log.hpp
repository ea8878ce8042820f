// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/log.hpp>

#include <memory>

namespace spdlog {
class logger;
}

namespace rubato::cli {

/// Writes messages of level `least` and above to standard error, each with the name of its unit.
class ConsoleLog final : public Log {
public:
    explicit ConsoleLog(LogLevel least);
    ~ConsoleLog() override;
    void write(LogLevel level, std::string_view source, std::string_view message) override;

private:
    std::unique_ptr<spdlog::logger> logger_;
};

} // namespace rubato::cli
