// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "hdf5/module.hpp"
#include "row_sink.hpp"

#include <rubato/engine/recorder.hpp>

#include <array>
#include <chrono>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace rubato::report {

/// Turns rows into the columns of an HDF5 file. A row is time and a cell of eight bytes for each
/// column: a double, an integer, or the length of a text. The texts follow the cells.
///
/// Columns are written in whole chunks. Some of a chunk is written only to have it on disk: every
/// half second, but less often where that would take more than a tenth of the time.
class Hdf5Sink final : public RowSink {
public:
    /// Creates the file. Throws Error.
    Hdf5Sink(std::filesystem::path file, std::span<const engine::Column> columns);
    ~Hdf5Sink() override;

    bool write(std::string_view rows) noexcept override;
    bool refresh() noexcept override;
    bool flush() noexcept override;
    void close() override;
    [[noreturn]] void fail() const override;
    std::string_view last_written() const noexcept override {
        return {last_time_.data(), last_time_size_};
    }
    bool is_signal_safe() const noexcept override { return false; } // the library allocates

    /// Values of a column that are written together.
    std::size_t chunk() const { return chunk_; }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::size_t block = 8; ///< cells of one line of the cache

    std::size_t take_numbers(std::string_view rows);
    std::size_t take_row(std::string_view rows);
    void write_chunk();
    bool flush(bool with_rest) noexcept;
    void check(const char* fault);
    template <class Action>
    bool guarded(Action&& action) noexcept;

    std::filesystem::path file_;
    std::vector<ValueType> types_; ///< of time and of the columns
    std::size_t chunk_;
    std::unique_ptr<hdf5::Output> output_;
    std::vector<std::uint64_t> cells_;            ///< column after column, of one chunk
    std::vector<std::vector<std::string>> texts_; ///< the same of texts, by column; else empty
    std::vector<hdf5::Text> views_;
    bool has_text_ = false;
    std::size_t first_ = 0; ///< row that the chunk begins with
    std::size_t begin_ = 0; ///< of what is not written yet of the chunk
    std::size_t end_ = 0;
    bool is_flushed_ = true;
    bool has_whole_chunk_ = false; ///< since the last flush
    Clock::time_point flushed_ = Clock::now();
    Clock::duration cost_{}; ///< of the last flush
    std::string fault_;      ///< empty: none
    double last_time_taken_ = 0;
    std::array<char, 40> last_time_{};
    std::size_t last_time_size_ = 0;
};

} // namespace rubato::report
