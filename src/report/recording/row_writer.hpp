// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "row_format.hpp"

#include <rubato/core/time.hpp>
#include <rubato/files/output_file.hpp>

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>

namespace rubato::report {

/// Rows of a file on their way to the disk. One thread adds rows to a buffer. A thread of the
/// object's own writes it when it is full, while rows are added to a second one, and what there is
/// several times a second: so a row is on disk within half a second, whatever the thread that adds
/// them does meanwhile. Only whole rows are written, and where the disk gets full what is there of
/// the last one is taken back.
class RowWriter {
public:
    /// Writes the header, and then rows behind it. Rows take up to `row_bytes`, or memory is
    /// allocated for them.
    RowWriter(std::unique_ptr<files::OutputFile> output, std::unique_ptr<RowFormat> format,
              std::string_view header, std::size_t row_bytes);
    ~RowWriter();
    RowWriter(const RowWriter&) = delete;
    RowWriter& operator=(const RowWriter&) = delete;

    /// Room for a row of so many bytes. A fault of writing, now or before, is thrown here.
    char* reserve(std::size_t bytes) {
        const std::size_t used = used_.load(std::memory_order_relaxed);
        if (has_failed_.load(std::memory_order_relaxed) || capacity_ - used < bytes) [[unlikely]]
            return make_room(bytes);
        return buffer_.get() + used;
    }
    /// The row ends here.
    void commit(const char* end) {
        used_.store(static_cast<std::size_t>(end - buffer_.get()), std::memory_order_release);
        if (!writes_by_itself_) [[unlikely]]
            flush();
    }
    /// Writes everything there is.
    void flush();
    /// The same, and no more follows. Does not repeat a fault that has been thrown already.
    void close();

    /// The time, as text, of the last row that is in the file; empty: no row is.
    std::string_view last_written() const { return {last_time_.data(), last_time_size_}; }
    /// The same as a time; none: no row is.
    std::optional<Time> last_time() const;

    /// For signal handlers: async-signal-safe. Gives up after a second when another thread writes
    /// all the time.
    void flush_in_emergency() noexcept;

private:
    char* make_room(std::size_t bytes);
    void write_now_and_then();
    /// Whoever calls these holds the mutex.
    void write_out() noexcept;
    void write(std::string_view rows) noexcept;
    void note_written(std::string_view whole_rows) noexcept;
    void fail(int fault) noexcept;
    void throw_if_failed();

    std::unique_ptr<files::OutputFile> output_;
    std::unique_ptr<RowFormat> format_;
    std::size_t capacity_;
    std::unique_ptr<char[]> buffer_;
    std::atomic<std::size_t> used_ = 0; ///< set by the thread that adds rows
    std::atomic<bool> has_failed_ = false;

    std::mutex mutex_;        ///< guards the file and what follows
    std::size_t written_ = 0; ///< of the buffer
    std::size_t full_capacity_;
    std::unique_ptr<char[]> full_buffer_;
    std::string_view full_;    ///< rows of the full buffer that are not written yet
    std::size_t position_ = 0; ///< in the file
    int fault_ = 0;
    bool is_told_ = false;
    std::array<char, 40> last_time_{};
    std::size_t last_time_size_ = 0;
    bool is_closing_ = false;
    std::condition_variable wake_;
    bool writes_by_itself_ = false;
    std::thread thread_;
};

} // namespace rubato::report
