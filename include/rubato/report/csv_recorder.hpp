// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/report/result_writer.hpp>

#include <memory>
#include <span>
#include <vector>

namespace rubato::report {

class RowWriter;
struct ColumnRun;

/// Streams recorded values as CSV (RFC 4180, lines end with \n): `time,msd1.x1,…`, then a row per
/// instant. Numbers are the shortest text that reads back as the same value, booleans 0 or 1,
/// binaries hexadecimal.
///
/// Rows gather in a buffer that goes to the file when it is full and, by a thread of its own,
/// several times a second, in whole rows: whatever ends the process, no more than half a second of
/// results is lost. `record` allocates only when a row's strings outgrow the buffer.
class CsvRecorder final : public ResultWriter {
public:
    explicit CsvRecorder(std::filesystem::path file);
    /// Writes to a descriptor that is open, called `file` in messages.
    CsvRecorder(std::filesystem::path file, int descriptor);
    ~CsvRecorder() override;

    void begin(std::span<const engine::Column> columns) override;
    void record(Time time) override;
    void end() override;

    const std::filesystem::path& file() const override { return file_; }
    std::optional<Time> last_written() const override;
    std::string_view flush_in_emergency() noexcept override;

private:
    static char* put(char* out, const ColumnRun& run);
    std::size_t text_bytes() const;

    std::filesystem::path file_;
    std::optional<int> descriptor_;
    std::unique_ptr<RowWriter> writer_; ///< null before `begin`
    bool is_recording_ = false;
    std::vector<ColumnRun> runs_;
    std::size_t fixed_bytes_ = 0; ///< most that a row takes, strings apart
    bool has_text_ = false;
};

} // namespace rubato::report
