// SPDX-License-Identifier: Apache-2.0
#include "hdf5_sink.hpp"

#include "hdf5/load.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/private/forked_copy.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <utility>

namespace rubato::report {
namespace {

constexpr std::size_t cell_bytes = sizeof(std::uint64_t);

/// A power of two: so many that all columns together take 64 MB at most, where that is possible.
std::size_t chunk_of(std::size_t columns) {
    constexpr std::size_t least = 256;
    constexpr std::size_t most = 4096;
    constexpr std::size_t most_bytes = std::size_t{64} << 20;
    return std::clamp(std::bit_floor(most_bytes / (cell_bytes * columns)), least, most);
}

} // namespace

Hdf5Sink::Hdf5Sink(std::filesystem::path file, std::span<const engine::Column> columns)
    : file_(std::move(file)), chunk_(chunk_of(columns.size() + 1)), output_(hdf5::create(file_)) {
    const auto add = [this](const hdf5::Variable& variable) {
        types_.push_back(variable.type);
        has_text_ = has_text_ || storage_of(variable.type) == Storage::string;
        check(output_->add(variable, chunk_));
        if (!fault_.empty()) fail();
    };
    add({"time", "s", "Simulation time", ValueType::float64});
    for (const engine::Column& column : columns)
        add({column.name.c_str(), column.unit.c_str(), column.description.c_str(), column.type});
    cells_.resize(types_.size() * chunk_);
    texts_.resize(types_.size());
    for (std::size_t i = 0; i < types_.size(); ++i)
        if (storage_of(types_[i]) == Storage::string) texts_[i].resize(chunk_);
    check(output_->flush());
    if (!fault_.empty()) fail();
}

Hdf5Sink::~Hdf5Sink() = default;

void Hdf5Sink::check(const char* fault) {
    if (fault && fault_.empty()) fault_ = fault;
}

void Hdf5Sink::fail() const {
    throw Error(format("cannot write to \"{}\": {}", file_.string(), fault_));
}

/// Memory may be used up. The file of a copy of this process is that of the process itself.
template <class Action>
bool Hdf5Sink::guarded(Action&& action) noexcept {
    if (ForkedCopy::is_this()) return true;
    try {
        if (fault_.empty()) action();
    } catch (const std::exception& fault) {
        check(fault.what());
    }
    return fault_.empty();
}

/// Rows of numbers alone, up to the end of the chunk. Returns how many bytes. A block of columns
/// after the other, so that each line of the cache is read once.
std::size_t Hdf5Sink::take_numbers(std::string_view rows) {
    const std::size_t width = types_.size();
    const std::size_t count = std::min(rows.size() / (width * cell_bytes), chunk_ - end_);
    for (std::size_t first = 0; first < width; first += block) {
        const std::size_t last = std::min(width, first + block);
        for (std::size_t r = 0; r < count; ++r) {
            const char* cell = rows.data() + (r * width + first) * cell_bytes;
            for (std::size_t c = first; c < last; ++c, cell += cell_bytes)
                std::memcpy(&cells_[c * chunk_ + end_ + r], cell, cell_bytes);
        }
    }
    end_ += count;
    return count * width * cell_bytes;
}

std::size_t Hdf5Sink::take_row(std::string_view rows) {
    const char* text = rows.data() + types_.size() * cell_bytes;
    for (std::size_t c = 0; c < types_.size(); ++c) {
        std::uint64_t cell = 0;
        std::memcpy(&cell, rows.data() + c * cell_bytes, cell_bytes);
        cells_[c * chunk_ + end_] = cell;
        if (texts_[c].empty()) continue;
        texts_[c][end_].assign(text, cell);
        text += cell;
    }
    ++end_;
    return static_cast<std::size_t>(text - rows.data());
}

bool Hdf5Sink::write(std::string_view rows) noexcept {
    return guarded([&] {
        while (!rows.empty() && fault_.empty()) {
            rows.remove_prefix(has_text_ ? take_row(rows) : take_numbers(rows));
            if (end_ == chunk_) write_chunk();
        }
    });
}

/// Writes what is there of the chunk.
void Hdf5Sink::write_chunk() {
    if (end_ == begin_) return;
    for (std::size_t c = 0; c < types_.size() && fault_.empty(); ++c) {
        const void* values = &cells_[c * chunk_];
        if (!texts_[c].empty()) {
            views_.clear();
            for (std::size_t i = 0; i < end_; ++i)
                views_.push_back({texts_[c][i].size(), texts_[c][i].data()});
            values = views_.data();
        }
        check(output_->write(c, first_, values, end_));
    }
    last_time_taken_ = std::bit_cast<double>(cells_[end_ - 1]);
    is_flushed_ = false;
    begin_ = end_;
    if (end_ < chunk_) return;
    first_ += chunk_;
    begin_ = end_ = 0;
    has_whole_chunk_ = true;
}

/// Where whole chunks follow each other fast, what is there of the next one soon follows.
bool Hdf5Sink::refresh() noexcept {
    constexpr std::chrono::milliseconds shortest{300};
    constexpr int most_share = 10;
    const auto since = Clock::now() - flushed_;
    if (since < shortest || since < most_share * cost_) return fault_.empty();
    return flush(!has_whole_chunk_);
}

bool Hdf5Sink::flush() noexcept { return flush(true); }

bool Hdf5Sink::flush(bool with_rest) noexcept {
    return guarded([&] {
        const auto started = Clock::now();
        if (with_rest) write_chunk();
        if (is_flushed_) return;
        check(output_->flush());
        if (!fault_.empty()) return;
        is_flushed_ = true;
        has_whole_chunk_ = false;
        flushed_ = Clock::now();
        cost_ = flushed_ - started;
        char* const begin = last_time_.data();
        const auto written = std::to_chars(begin, begin + last_time_.size(), last_time_taken_);
        last_time_size_ = static_cast<std::size_t>(written.ptr - begin);
    });
}

void Hdf5Sink::close() {
    if (ForkedCopy::is_this()) return;
    check(output_->close());
    if (!fault_.empty()) fail();
}

} // namespace rubato::report
