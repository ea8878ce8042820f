// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/report/metadata.hpp>
#include <rubato/report/result_writer.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rubato::report {

class ResultsFile;

/// Where results of a run go.
struct ResultsTarget {
    std::filesystem::path file;
    std::filesystem::path shown = {};   ///< what messages call it; empty: as it is
    std::optional<int> descriptor = {}; ///< open, gets the results as CSV instead
};

/// Keeps a run: its values in one or more files and, in the same folder, its events and the
/// metadata of each, which say `running` until `conclude` says how it ended. While it lives no
/// other run can write to the same files. Of results that do not go to a file but to a pipe or a
/// device there are the values alone.
class RunRecorder final : public engine::Recorder {
public:
    /// There is at least one target. Throws InputError for a file of an unknown format.
    RunRecorder(std::span<const ResultsTarget> targets, Metadata metadata);
    RunRecorder(const std::filesystem::path& results, Metadata metadata);
    ~RunRecorder() override;

    void begin(std::span<const engine::Column> columns) override;
    void record(Time time) override;
    void note(const engine::EventNote& note) override;
    void end() override;

    /// Does nothing if the run never began: then there are no files.
    void conclude(RunStatus status, std::string message);

    bool has_begun() const { return has_begun_; }
    /// What is recorded, with the current values; empty before the run has begun.
    const std::vector<engine::Column>& columns() const { return columns_; }

    /// A file, as messages call it, and what it holds.
    struct Kept {
        std::filesystem::path file;
        Time until;                        ///< the last row; the start of the run: there is none
        std::vector<std::string> left_out; ///< variables that its format cannot hold
    };
    std::vector<Kept> kept() const;
    /// All files, as messages call them: "run.csv, run.mat".
    const std::string& files_text() const { return files_text_; }

    /// For signal handlers, and for a thread that ends the process, while a call of a unit does not
    /// return: writes all rows there are and, in the metadata, that the run has ended so. Returns
    /// the text of the time of the last row; empty: there is none.
    std::string_view conclude_in_emergency(RunStatus status, std::string_view message) noexcept;

private:
    std::vector<std::unique_ptr<ResultsFile>> files_; ///< not empty
    std::string files_text_;
    Metadata metadata_;
    std::vector<engine::Column> columns_;
    bool has_begun_ = false;
};

/// Whether results can be written there as to a file, with others next to it: not to a pipe, a
/// terminal or /dev/null.
bool is_file_or_new(const std::filesystem::path& path);

/// A column's current value.
Value value_of(const engine::Column& column);

} // namespace rubato::report
