// SPDX-License-Identifier: Apache-2.0
#include "row_writer.hpp"

#include <algorithm>
#include <cerrno>
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

} // namespace

RowWriter::RowWriter(std::unique_ptr<files::OutputFile> output, std::unique_ptr<RowFormat> format,
                     std::string_view header, std::size_t row_bytes)
    : output_(std::move(output)), format_(std::move(format)),
      capacity_(std::max(buffer_bytes, row_bytes)), buffer_(std::make_unique<char[]>(capacity_)),
      full_capacity_(capacity_), full_buffer_(std::make_unique<char[]>(capacity_)),
      position_(header.size()) {
    output_->write(header);
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
        if (!is_closing_) write_out();
    }
}

void RowWriter::write_out() noexcept {
    write(std::exchange(full_, {}));
    const std::size_t end = used_.load(std::memory_order_acquire);
    write({buffer_.get() + written_, end - written_});
    written_ = end;
}

void RowWriter::write(std::string_view rows) noexcept {
    if (fault_ != 0) return;
    std::size_t whole = 0;
    while (whole < rows.size()) {
        const std::string_view rest = rows.substr(whole);
        const std::string_view piece = rest.substr(0, format_->next_piece(rest, position_));
        const files::OutputFile::Written done = output_->try_write(piece);
        if (done.fault == 0) {
            whole += piece.size();
            position_ += piece.size();
            continue;
        }
        const std::size_t good = format_->last_row(piece.substr(0, done.bytes)).end;
        output_->take_back(done.bytes - good);
        whole += good;
        fail(done.fault);
        break;
    }
    note_written(rows.substr(0, whole));
}

void RowWriter::note_written(std::string_view whole_rows) noexcept {
    if (whole_rows.empty()) return;
    const auto [begin, end] = format_->last_row(whole_rows);
    const int fault = format_->rows_written(whole_rows.substr(0, end), *output_);
    if (fault != 0) return fail(fault);
    last_time_size_ = format_->put_time(whole_rows.substr(begin, end - begin), last_time_.data(),
                                        last_time_.size());
}

void RowWriter::fail(int fault) noexcept {
    if (fault_ == 0) fault_ = fault;
    has_failed_.store(true, std::memory_order_relaxed);
}

std::optional<Time> RowWriter::last_time() const {
    const std::string_view text = last_written();
    double seconds = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (text.empty() || fault != std::errc{}) return std::nullopt;
    return Time{seconds};
}

void RowWriter::throw_if_failed() {
    if (fault_ == 0 || std::exchange(is_told_, true)) return;
    output_->fail("write to", fault_);
}

char* RowWriter::make_room(std::size_t bytes) {
    {
        const std::lock_guard lock(mutex_);
        write(std::exchange(full_, {})); // the thread writes it already, as a rule
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
    throw_if_failed();
}

void RowWriter::close() {
    flush();
    const std::lock_guard lock(mutex_);
    if (fault_ == 0) output_->close();
    fault_ = fault_ == 0 ? EBADF : fault_;
    is_told_ = true;
}

void RowWriter::flush_in_emergency() noexcept {
    constexpr timespec pause{0, 10'000'000};
    constexpr int most_pauses = 100;
    for (int i = 0; !mutex_.try_lock(); ++i) {
        if (i == most_pauses) return;
        ::nanosleep(&pause, nullptr);
    }
    write_out();
    mutex_.unlock();
}

} // namespace rubato::report
