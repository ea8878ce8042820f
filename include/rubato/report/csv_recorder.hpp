// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/engine/recorder.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// What is left of a run: files, tables, pictures.
namespace rubato::report {

class RowWriter;

/// Streams recorded values as CSV (RFC 4180, lines end with \n): `time,msd1.x1,…`, then a row per
/// instant. Numbers are the shortest text that reads back as the same value, booleans 0 or 1,
/// binaries hexadecimal.
///
/// Rows gather in a buffer that goes to the file when it is full and, by a thread of its own,
/// several times a second, in whole rows: whatever ends the process, no more than half a second of
/// results is lost. `record` allocates only when a row's strings outgrow the buffer. A file that
/// cannot be written is an Error naming the file and the reason.
class CsvRecorder final : public engine::Recorder {
public:
    /// Touches no file before `begin`.
    explicit CsvRecorder(std::filesystem::path file);
    /// Writes to a descriptor that is open, called `file` in messages.
    CsvRecorder(std::filesystem::path file, int descriptor);
    ~CsvRecorder() override;

    /// Creates the file, and its folder, and writes the header.
    void begin(std::span<const engine::Column> columns) override;
    void record(Time time) override;
    void end() override;

    const std::filesystem::path& file() const { return file_; }

    /// When the last row was recorded that is in the file; none: no row is.
    std::optional<Time> last_written() const;
    /// For signal handlers, while `record` is not under way: writes what there is. Returns the text
    /// of the time of the last row.
    std::string_view flush_in_emergency() noexcept;

private:
    enum class Format : std::uint8_t { float64, float32, integer, natural, boolean, text, bytes };
    /// Columns that follow each other in the file and in memory.
    struct Run {
        Format format = Format::float64;
        const void* first = nullptr;
        std::size_t count = 0;
    };

    static Format format_of(ValueType type);
    static std::size_t size_of(Format format);
    static char* put(char* out, const Run& run);
    void plan(std::span<const engine::Column> columns);
    std::size_t text_bytes() const;

    std::filesystem::path file_;
    std::optional<int> descriptor_;
    std::unique_ptr<RowWriter> writer_; ///< null before `begin`
    bool is_recording_ = false;
    std::vector<Run> runs_;
    std::size_t fixed_bytes_ = 0; ///< most that a row takes, strings apart
    bool has_text_ = false;
};

} // namespace rubato::report
