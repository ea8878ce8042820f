// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/report/csv_recorder.hpp>
#include <rubato/report/event_file.hpp>
#include <rubato/report/metadata.hpp>

namespace rubato::report {

/// Keeps a run: its values as CSV and, beside it, its events and the metadata, which say `running`
/// until `conclude` tells how it ended.
class RunRecorder final : public engine::Recorder {
public:
    RunRecorder(std::filesystem::path results, Metadata metadata)
        : csv_(std::move(results)), events_(events_file_of(csv_.file())),
          metadata_(std::move(metadata)) {}

    void begin(std::span<const engine::Column> columns) override;
    void record(Time time) override { csv_.record(time); }
    void note(const engine::EventNote& note) override { events_.note(note); }
    void end() override;

    /// Does nothing if the run never began: then there are no files.
    void conclude(RunStatus status, Time reached, std::string message);

    bool has_begun() const { return has_begun_; }
    /// What is recorded, with the current values; empty before the run has begun.
    const std::vector<engine::Column>& columns() const { return columns_; }
    const std::filesystem::path& file() const { return csv_.file(); }

private:
    CsvRecorder csv_;
    EventFile events_;
    Metadata metadata_;
    std::vector<engine::Column> columns_;
    bool has_begun_ = false;
};

/// A column's current value.
Value value_of(const engine::Column& column);

} // namespace rubato::report
