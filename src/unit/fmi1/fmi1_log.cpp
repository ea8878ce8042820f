// SPDX-License-Identifier: Apache-2.0
#include "fmi1_log.hpp"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <vector>

namespace rubato::unit {

using fmi1::Status;

namespace {

struct AllLogs {
    std::mutex mutex; ///< guards all there is: a log does not go while it is written to
    std::vector<Fmi1Log*> logs;
};

AllLogs& all_logs() {
    static AllLogs logs;
    return logs;
}

LogLevel level_of(Status status) {
    switch (status) {
    case Status::ok:
    case Status::pending: return LogLevel::info;
    case Status::warning:
    case Status::discard: return LogLevel::warning;
    default: return LogLevel::error;
    }
}

std::string_view view_of(fmi1::String text) { return text == nullptr ? "" : text; }

} // namespace

Fmi1Log::Fmi1Log(Log& log, std::string unit) : unit_(std::move(unit)), log_(log, unit_) {
    const std::lock_guard lock(all_logs().mutex);
    all_logs().logs.push_back(this);
}

Fmi1Log::~Fmi1Log() {
    const std::lock_guard lock(all_logs().mutex);
    std::erase(all_logs().logs, this);
}

void Fmi1Log::belongs_to(fmi1::Component component) {
    const std::lock_guard lock(all_logs().mutex);
    component_ = component;
}

/// Of several with one name, the youngest: the others are known by their instances.
Fmi1Log* Fmi1Log::find(fmi1::Component component, fmi1::String name) {
    const auto& logs = all_logs().logs;
    const auto own = std::ranges::find(logs, component, &Fmi1Log::component_);
    if (component != nullptr && own != logs.end()) return *own;
    const auto named = std::find_if(logs.rbegin(), logs.rend(), [&](const Fmi1Log* log) {
        return log->unit_ == view_of(name);
    });
    return named == logs.rend() ? nullptr : *named;
}

[[gnu::cold]] void Fmi1Log::logger(fmi1::Component component, fmi1::String name, Status status,
                                   fmi1::String category, fmi1::String message, ...) {
    if (message == nullptr) return;
    std::array<char, 4096> text{}; // longer messages are cut
    std::va_list arguments;
    va_start(arguments, message);
    const int length = std::vsnprintf(text.data(), text.size(), message, arguments);
    va_end(arguments);
    const std::string_view formatted = length < 0 ? message : text.data();
    const std::lock_guard lock(all_logs().mutex);
    if (Fmi1Log* const log = find(component, name))
        log->log_.write(level_of(status), view_of(category), formatted);
}

} // namespace rubato::unit
