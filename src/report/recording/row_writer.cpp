// SPDX-License-Identifier: Apache-2.0
#include "row_writer.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <ctime>
#include <system_error>
#include <utility>

namespace rubato::report {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{256} << 10;
/// Less than half of what is promised: the machine may be busy.
constexpr std::chrono::milliseconds interval{200};

/// Waits until the condition holds, for at most so many times 10 ms. Async-signal-safe.
template <class Condition>
bool wait_for(int most_pauses, Condition&& holds) {
    constexpr timespec pause{0, 10'000'000};
    for (int i = 0; !holds(); ++i) {
        if (i == most_pauses) return false;
        ::nanosleep(&pause, nullptr);
    }
    return true;
}

} // namespace

RowWriter::RowWriter(std::unique_ptr<RowSink> sink, std::size_t row_bytes, std::size_t rows)
    : sink_(std::move(sink)), capacity_(std::max(buffer_bytes, row_bytes * rows)),
      buffer_(std::make_unique<char[]>(capacity_)), full_capacity_(capacity_),
      full_buffer_(std::make_unique<char[]>(capacity_)) {
    try {
        thread_ = std::thread([this] { write_now_and_then(); });
        writes_by_itself_ = true;
    } catch (const std::system_error&) {
        // No more threads: each row is written when it is added.
    }
}

RowWriter::~RowWriter() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        is_closing_ = true;
    }
    wake_.notify_one();
    thread_.join();
}

void RowWriter::write_now_and_then() {
    std::unique_lock lock(mutex_);
    while (!is_closing_) {
        wake_.wait_for(lock, interval, [this] { return is_closing_ || !full_.empty(); });
        if (is_closing_ || is_closed_) continue;
        write_out();
        const bool is_urgent = is_emergency_.load(std::memory_order_acquire);
        note(is_urgent ? sink_->flush() : sink_->refresh());
        if (is_urgent) is_emergency_.store(false, std::memory_order_release);
    }
}

void RowWriter::write_out() noexcept {
    note(sink_->write(std::exchange(full_, {})));
    const std::size_t end = used_.load(std::memory_order_acquire);
    note(sink_->write({buffer_.get() + written_, end - written_}));
    written_ = end;
}

void RowWriter::note(bool is_written) noexcept {
    if (!is_written) has_failed_.store(true, std::memory_order_relaxed);
}

std::optional<Time> RowWriter::last_time() const {
    const std::string_view text = last_written();
    double seconds = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (text.empty() || fault != std::errc{}) return std::nullopt;
    return Time{seconds};
}

void RowWriter::throw_if_failed() {
    if (!has_failed_.load(std::memory_order_relaxed) || std::exchange(is_told_, true)) return;
    sink_->fail();
}

char* RowWriter::make_room(std::size_t bytes) {
    {
        const std::lock_guard lock(mutex_);
        note(sink_->write(std::exchange(full_, {}))); // the thread writes it already, as a rule
        throw_if_failed();
        const std::size_t used = used_.exchange(0, std::memory_order_relaxed);
        full_ = {buffer_.get() + written_, used - written_};
        written_ = 0;
        std::swap(buffer_, full_buffer_);
        std::swap(capacity_, full_capacity_);
        if (capacity_ < bytes) {
            buffer_ = std::make_unique<char[]>(bytes);
            capacity_ = bytes;
        }
    }
    if (writes_by_itself_) wake_.notify_one();
    return buffer_.get();
}

void RowWriter::flush() {
    const std::lock_guard lock(mutex_);
    write_out();
    note(sink_->flush());
    throw_if_failed();
}

void RowWriter::close() {
    if (is_closed_.exchange(true)) return;
    flush();
    const std::lock_guard lock(mutex_);
    const bool has_failed = has_failed_.exchange(true, std::memory_order_relaxed);
    is_told_ = true;
    if (!has_failed) sink_->close();
}

void RowWriter::flush_in_emergency() noexcept {
    constexpr int one_second = 100;
    if (is_closed_) return;
    if (!sink_->is_signal_safe()) {
        is_emergency_.store(true, std::memory_order_release);
        (void)wait_for(3 * one_second,
                       [this] { return !is_emergency_.load(std::memory_order_acquire); });
        return;
    }
    if (!wait_for(one_second, [this] { return mutex_.try_lock(); })) return;
    write_out();
    mutex_.unlock();
}

} // namespace rubato::report
