// SPDX-License-Identifier: Apache-2.0
#include "results_file.hpp"

#include <rubato/report/csv_recorder.hpp>
#include <rubato/report/result_formats.hpp>
#include <rubato/report/run_recorder.hpp>

#include <algorithm>
#include <exception>
#include <utility>

namespace rubato::report {
namespace {

std::unique_ptr<ResultsFile> make_file(const ResultsTarget& target) {
    std::filesystem::path shown = target.shown.empty() ? target.file : target.shown;
    if (target.descriptor)
        return std::make_unique<ResultsFile>(
            std::make_unique<CsvRecorder>(target.file, *target.descriptor), std::move(shown),
            false);
    return std::make_unique<ResultsFile>(make_result_writer(target.file), std::move(shown),
                                         is_file_or_new(target.file));
}

} // namespace

bool is_file_or_new(const std::filesystem::path& path) {
    std::error_code unknown;
    for (const char* const folder : {"/dev", "/dev/fd", "/proc/self/fd"})
        if (path.parent_path() == folder) return false;
    const auto status = std::filesystem::status(path, unknown);
    return !std::filesystem::exists(status) || std::filesystem::is_regular_file(status) ||
           std::filesystem::is_directory(status); // opening it will show
}

RunRecorder::RunRecorder(std::span<const ResultsTarget> targets, Metadata metadata)
    : metadata_(std::move(metadata)) {
    for (const ResultsTarget& target : targets) {
        files_.push_back(make_file(target));
        if (!files_text_.empty()) files_text_ += ", ";
        files_text_ += files_.back()->shown().string();
    }
    // In an emergency, those are saved first that certainly can be.
    std::stable_partition(files_.begin(), files_.end(),
                          [](const auto& file) { return file->writer().is_signal_safe(); });
}

RunRecorder::RunRecorder(const std::filesystem::path& results, Metadata metadata)
    : RunRecorder(std::vector{ResultsTarget{.file = results}}, std::move(metadata)) {}

RunRecorder::~RunRecorder() = default;

void RunRecorder::begin(std::span<const engine::Column> columns) {
    columns_.assign(columns.begin(), columns.end());
    metadata_.columns.clear();
    for (const engine::Column& column : columns)
        metadata_.columns.push_back(
            {column.name, column.unit, std::string(to_string(column.type))});
    for (const auto& file : files_) file->begin(columns, metadata_);
    has_begun_ = true;
}

void RunRecorder::record(Time time) {
    for (const auto& file : files_) file->record(time);
}

void RunRecorder::note(const engine::EventNote& note) {
    for (const auto& file : files_) file->note(note);
}

/// All are closed, whatever becomes of the others.
void RunRecorder::end() {
    std::exception_ptr fault;
    for (const auto& file : files_) {
        try {
            file->end();
        } catch (...) {
            if (!fault) fault = std::current_exception();
        }
    }
    if (fault) std::rethrow_exception(fault);
}

std::vector<RunRecorder::Kept> RunRecorder::kept() const {
    std::vector<Kept> all;
    for (const auto& file : files_)
        all.push_back({file->shown(), file->writer().last_written().value_or(Time{metadata_.start}),
                       file->writer().left_out()});
    return all;
}

void RunRecorder::conclude(RunStatus status, std::string message) {
    if (!has_begun_) return;
    metadata_.status = status;
    metadata_.message = std::move(message);
    for (const auto& file : files_) file->conclude(metadata_);
}

std::string_view RunRecorder::conclude_in_emergency(RunStatus status,
                                                    std::string_view message) noexcept {
    std::string_view reached;
    for (const auto& file : files_) {
        const std::string_view text = file->conclude_in_emergency(status, message);
        if (reached.empty()) reached = text;
    }
    return reached;
}

Value value_of(const engine::Column& column) {
    return with_type_of(storage_of(column.type),
                        [&]<class T>() { return Value(*static_cast<const T*>(column.value)); });
}

} // namespace rubato::report
