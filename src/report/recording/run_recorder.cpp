// SPDX-License-Identifier: Apache-2.0
#include "results_lock.hpp"

#include <rubato/report/run_recorder.hpp>

#include <utility>

namespace rubato::report {

bool is_file_or_new(const std::filesystem::path& path) {
    std::error_code unknown;
    for (const char* const folder : {"/dev", "/dev/fd", "/proc/self/fd"})
        if (path.parent_path() == folder) return false;
    const auto status = std::filesystem::status(path, unknown);
    return !std::filesystem::exists(status) || std::filesystem::is_regular_file(status) ||
           std::filesystem::is_directory(status); // opening it will show
}

RunRecorder::RunRecorder(std::filesystem::path results, Metadata metadata,
                         const std::filesystem::path& shown)
    : csv_(std::move(results)), shown_(shown.empty() ? csv_.file() : shown),
      events_(events_file_of(csv_.file())), metadata_(std::move(metadata)),
      is_file_(is_file_or_new(csv_.file())) {}

RunRecorder::RunRecorder(std::string name, int descriptor, Metadata metadata)
    : csv_(std::move(name), descriptor), shown_(csv_.file()), events_(""),
      metadata_(std::move(metadata)), is_file_(false) {}

RunRecorder::~RunRecorder() = default;

void RunRecorder::begin(std::span<const engine::Column> columns) {
    columns_.assign(columns.begin(), columns.end());
    metadata_.columns.clear();
    for (const engine::Column& column : columns)
        metadata_.columns.push_back(
            {column.name, column.unit, std::string(to_string(column.type))});
    if (is_file_) lock_ = std::make_unique<ResultsLock>(csv_.file());
    csv_.begin(columns);
    if (is_file_) {
        events_.begin();
        running_ = std::make_unique<RunningMetadata>(metadata_, csv_.file());
    }
    has_begun_ = true;
}

void RunRecorder::end() {
    csv_.end();
    events_.end();
}

Time RunRecorder::last_written() const {
    return csv_.last_written().value_or(Time{metadata_.start});
}

void RunRecorder::conclude(RunStatus status, std::string message) {
    if (!has_begun_ || !is_file_) return;
    metadata_.status = status;
    metadata_.reached = last_written().seconds;
    metadata_.message = std::move(message);
    try {
        write_metadata(metadata_, csv_.file());
    } catch (const Error&) { // a full disk, for example
        const std::string_view reached = csv_.flush_in_emergency();
        if (!running_->conclude_in_place(status, reached, metadata_.message)) throw;
    }
    running_.reset();
}

std::string_view RunRecorder::conclude_in_emergency(RunStatus status,
                                                    std::string_view message) noexcept {
    const std::string_view reached = csv_.flush_in_emergency();
    if (running_) running_->conclude_in_place(status, reached, message);
    return reached;
}

Value value_of(const engine::Column& column) {
    return with_type_of(storage_of(column.type),
                        [&]<class T>() { return Value(*static_cast<const T*>(column.value)); });
}

} // namespace rubato::report
