// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "row_sink.hpp"

#include <rubato/core/time.hpp>

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
/// them does meanwhile. Only whole rows are written.
class RowWriter {
public:
    /// Rows take up to `row_bytes`, or memory is allocated for them. The buffer takes at least so
    /// many.
    RowWriter(std::unique_ptr<RowSink> sink, std::size_t row_bytes, std::size_t rows = 1);
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
    std::string_view last_written() const { return sink_->last_written(); }
    /// The same as a time; none: no row is.
    std::optional<Time> last_time() const;

    /// For signal handlers: async-signal-safe. Where the sink is not, the thread of the object's own
    /// does it. Gives up after some seconds.
    void flush_in_emergency() noexcept;

private:
    char* make_room(std::size_t bytes);
    void write_now_and_then();
    /// Whoever calls these holds the mutex.
    void write_out() noexcept;
    void note(bool is_written) noexcept;
    void throw_if_failed();

    std::unique_ptr<RowSink> sink_;
    std::size_t capacity_;
    std::unique_ptr<char[]> buffer_;
    std::atomic<std::size_t> used_ = 0; ///< set by the thread that adds rows
    std::atomic<bool> has_failed_ = false;

    std::mutex mutex_;        ///< guards the sink and what follows
    std::size_t written_ = 0; ///< of the buffer
    std::size_t full_capacity_;
    std::unique_ptr<char[]> full_buffer_;
    std::string_view full_; ///< rows of the full buffer that are not written yet
    bool is_told_ = false;
    bool is_closing_ = false;
    std::condition_variable wake_;
    bool writes_by_itself_ = false;
    std::atomic<bool> is_closed_ = false;
    std::atomic<bool> is_emergency_ = false; ///< set by a signal handler, reset by the thread
    std::thread thread_;
};

} // namespace rubato::report
