// SPDX-License-Identifier: Apache-2.0
#include "row_writer.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <system_error>
#include <utility>

namespace rubato::report {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{256} << 10;
/// Less than half of what is promised: the machine may be busy.
constexpr std::chrono::milliseconds interval{200};

/// One behind the last line end; 0: there is none. std::string_view::rfind looks at byte by byte.
std::size_t end_of_last_line(std::string_view text) {
    const void* const found = ::memrchr(text.data(), '\n', text.size());
    return found ? static_cast<std::size_t>(static_cast<const char*>(found) - text.data()) + 1 : 0;
}

/// Where the last whole row begins and where it ends; both 0: there is none.
std::pair<std::size_t, std::size_t> last_row(std::string_view rows, bool has_text) {
    if (!has_text) {
        const std::size_t end = end_of_last_line(rows);
        return {end == 0 ? 0 : end_of_last_line(rows.substr(0, end - 1)), end};
    }
    std::size_t begin = 0;
    std::size_t end = 0;
    bool is_quoted = false;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i] == '"') is_quoted = !is_quoted;
        if (rows[i] != '\n' || is_quoted) continue;
        begin = end;
        end = i + 1;
    }
    return {begin, end};
}

/// How many bytes from the beginning, whole rows, to write at once at a position of the file. A
/// process that is killed stops writing between two pages of the file. So rows are written up to
/// the end of a page, and the row that goes beyond it alone: hardly ever is half a row left.
std::size_t next_piece(std::string_view rows, bool has_text, std::size_t position) {
    constexpr std::size_t page_bytes = 4096;
    const std::size_t room = page_bytes - position % page_bytes;
    if (rows.size() <= room) return rows.size();
    const std::size_t end = last_row(rows.substr(0, room), has_text).second;
    if (end > 0) return end;
    if (!has_text) return std::min(rows.find('\n'), rows.size() - 1) + 1;
    bool is_quoted = false;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i] == '"') is_quoted = !is_quoted;
        if (rows[i] == '\n' && !is_quoted) return i + 1;
    }
    return rows.size();
}

} // namespace

RowWriter::RowWriter(std::unique_ptr<files::OutputFile> output, bool has_text,
                     std::size_t row_bytes)
    : output_(std::move(output)), has_text_(has_text), capacity_(std::max(buffer_bytes, row_bytes)),
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
        const std::string_view piece = rest.substr(0, next_piece(rest, has_text_, position_));
        const files::OutputFile::Written done = output_->try_write(piece);
        if (done.fault == 0) {
            whole += piece.size();
            position_ += piece.size();
            continue;
        }
        const std::size_t good = last_row(piece.substr(0, done.bytes), has_text_).second;
        output_->take_back(done.bytes - good);
        whole += good;
        fault_ = done.fault;
        has_failed_.store(true, std::memory_order_relaxed);
        break;
    }
    note_last_row(rows.substr(0, whole));
}

void RowWriter::note_last_row(std::string_view whole_rows) noexcept {
    if (whole_rows.empty()) return;
    const auto [begin, end] = last_row(whole_rows, has_text_);
    const bool is_header = !std::exchange(has_header_, true) && begin == 0;
    if (is_header) return;
    const std::string_view row = whole_rows.substr(begin, end - begin);
    const std::string_view cell = row.substr(0, row.find_first_of(",\n"));
    last_cell_size_ = std::min(cell.size(), last_cell_.size());
    std::memcpy(last_cell_.data(), cell.data(), last_cell_size_);
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
