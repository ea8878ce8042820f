// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "results_lock.hpp"

#include <rubato/report/event_file.hpp>
#include <rubato/report/metadata.hpp>
#include <rubato/report/result_writer.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace rubato::report {

/// One file of a run's results and, in the same folder, its events and its metadata.
class ResultsFile {
public:
    /// `shown` is what messages to the user call the file.
    ResultsFile(std::unique_ptr<ResultWriter> writer, std::filesystem::path shown, bool is_file);

    void begin(std::span<const engine::Column> columns, const Metadata& metadata);
    void record(Time time) { writer_->record(time); }
    void note(const engine::EventNote& note) {
        if (is_file_) events_.note(note);
    }
    void end();
    /// `metadata` are those of the run, without what this file has reached.
    void conclude(Metadata metadata);
    std::string_view conclude_in_emergency(RunStatus status, std::string_view message) noexcept;

    const ResultWriter& writer() const { return *writer_; }
    const std::filesystem::path& shown() const { return shown_; }

private:
    std::unique_ptr<ResultWriter> writer_;
    std::filesystem::path shown_;
    bool is_file_; ///< no pipe and no device
    EventFile events_;
    std::unique_ptr<ResultsLock> lock_;
    std::unique_ptr<RunningMetadata> running_; ///< null: not running
};

} // namespace rubato::report
