// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/engine/recorder.hpp>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

/// What is left of a run: files, tables, pictures.
namespace rubato::report {

class OutputFile;

/// Monotonic, cheap, exact to a few milliseconds.
std::chrono::nanoseconds coarse_clock();

/// Streams recorded values as CSV (RFC 4180, lines end with \n): `time,msd1.x1,…`, then a row per
/// instant. Numbers are the shortest text that reads back as the same value, booleans 0 or 1,
/// binaries hexadecimal.
///
/// Rows gather in a buffer that goes to the file when it is full and twice a second, in whole rows:
/// a crash loses less than a second of results. `record` allocates only when a row's strings
/// outgrow the buffer. A file that cannot be written is an Error naming the file and the reason.
class CsvRecorder final : public engine::Recorder {
public:
    using Clock = std::chrono::nanoseconds (*)();

    /// Touches no file before `begin`.
    explicit CsvRecorder(std::filesystem::path file, Clock clock = coarse_clock);
    ~CsvRecorder() override;

    /// Creates the file, and its folder, and writes the header.
    void begin(std::span<const engine::Column> columns) override;
    void record(Time time) override;
    void end() override;

    const std::filesystem::path& file() const { return file_; }

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
    char* reserve(std::size_t bytes);
    void commit(const char* end);
    void flush();

    std::filesystem::path file_;
    Clock clock_;
    std::unique_ptr<OutputFile> output_;
    std::vector<Run> runs_;
    std::size_t fixed_bytes_ = 0; ///< most that a row takes, strings apart
    bool has_text_ = false;
    std::vector<char> buffer_;
    std::size_t used_ = 0;
    std::chrono::nanoseconds flushed_at_{0};
};

} // namespace rubato::report
