// SPDX-License-Identifier: Apache-2.0
#include "console_log.hpp"

#include "terminal.hpp"

#include <rubato/core/text.hpp>

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_color_sinks.h>

namespace rubato::cli {
namespace {

spdlog::level::level_enum to_spdlog(LogLevel level) {
    switch (level) {
    case LogLevel::debug: return spdlog::level::debug;
    case LogLevel::info: return spdlog::level::info;
    case LogLevel::warning: return spdlog::level::warn;
    case LogLevel::error: return spdlog::level::err;
    }
    return spdlog::level::err;
}

} // namespace

ConsoleLog::ConsoleLog(LogLevel least) {
    auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
    const bool has_colour = Style(stderr).is_on();
    sink->set_color_mode(has_colour ? spdlog::color_mode::always : spdlog::color_mode::never);
    logger_ = std::make_unique<spdlog::logger>("rubato", std::move(sink));
    // The line may contain a progress bar.
    logger_->set_pattern(is_terminal(stderr) ? "\r\033[K%^%l%$: %v" : "%^%l%$: %v");
    logger_->set_level(to_spdlog(least));
}

ConsoleLog::~ConsoleLog() = default;

void ConsoleLog::write(LogLevel level, std::string_view source, std::string_view message) {
    if (!logger_->should_log(to_spdlog(level))) return;
    if (source.empty())
        logger_->log(to_spdlog(level), "{}", printable(message));
    else
        logger_->log(to_spdlog(level), "{}: {}", source, printable(message));
}

} // namespace rubato::cli
