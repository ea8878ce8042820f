// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/report/csv_recorder.hpp>
#include <rubato/report/event_file.hpp>
#include <rubato/report/metadata.hpp>

#include <memory>

namespace rubato::report {

class ResultsLock;

/// Keeps a run: its values as CSV and, in the same folder, its events and the metadata, which say
/// `running` until `conclude` says how it ended. While it lives no other run can write to the same
/// file. Of results that do not go to a file but to a pipe or a device there are the values alone.
class RunRecorder final : public engine::Recorder {
public:
    /// `shown` is what messages to the user call the file; empty: as it is.
    RunRecorder(std::filesystem::path results, Metadata metadata,
                const std::filesystem::path& shown = {});
    /// The same to a descriptor that is open, called `name` in messages.
    RunRecorder(std::string name, int descriptor, Metadata metadata);
    ~RunRecorder() override;

    void begin(std::span<const engine::Column> columns) override;
    void record(Time time) override { csv_.record(time); }
    void note(const engine::EventNote& note) override {
        if (is_file_) events_.note(note);
    }
    void end() override;

    /// Does nothing if the run never began: then there are no files.
    void conclude(RunStatus status, std::string message);

    bool has_begun() const { return has_begun_; }
    /// When the last row was recorded that is in the file; the start of the run: no row is.
    Time last_written() const;
    /// What is recorded, with the current values; empty before the run has begun.
    const std::vector<engine::Column>& columns() const { return columns_; }
    const std::filesystem::path& file() const { return shown_; }

    /// For signal handlers, and for a thread that ends the process, while a call of a unit does not
    /// return: writes all rows there are and, in the metadata, that the run has ended so. Returns
    /// the text of the time of the last row; empty: there is none.
    std::string_view conclude_in_emergency(RunStatus status, std::string_view message) noexcept;

private:
    CsvRecorder csv_;
    std::filesystem::path shown_;
    EventFile events_;
    Metadata metadata_;
    std::vector<engine::Column> columns_;
    bool is_file_; ///< no pipe and no device
    bool has_begun_ = false;
    std::unique_ptr<ResultsLock> lock_;
    std::unique_ptr<RunningMetadata> running_; ///< null: not running
};

/// Whether results can be written there as to a file, with others next to it: not to a pipe, a
/// terminal or /dev/null.
bool is_file_or_new(const std::filesystem::path& path);

/// A column's current value.
Value value_of(const engine::Column& column);

} // namespace rubato::report
