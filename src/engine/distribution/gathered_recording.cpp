// SPDX-License-Identifier: Apache-2.0
#include "gathered_recording.hpp"

#include <array>
#include <cstring>
#include <type_traits>
#include <utility>

namespace rubato::engine {

namespace {

constexpr std::size_t most_bytes = 1 << 18; // of rows that wait, over all processes
constexpr std::chrono::milliseconds longest_wait{500};

template <class T>
void put(std::string& to, const T& value) {
    if constexpr (std::is_same_v<T, std::string>) {
        put(to, value.size());
        to += value;
    } else {
        to.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
}

/// False: there is nothing more.
template <class T>
bool take(std::string_view& from, T& value) {
    if constexpr (std::is_same_v<T, std::string>) {
        std::size_t size = 0;
        if (!take(from, size) || from.size() < size) return false;
        value = from.substr(0, size);
        from.remove_prefix(size);
    } else {
        if (from.size() < sizeof value) return false;
        std::memcpy(&value, from.data(), sizeof value);
        from.remove_prefix(sizeof value);
    }
    return true;
}

} // namespace

GatheredRecording::GatheredRecording(Processes& processes, Transfers& transfers,
                                     std::span<const Column> columns,
                                     std::vector<std::uint32_t> owners, Recorder& recorder)
    : processes_(processes), transfers_(transfers), columns_(columns), owners_(std::move(owners)),
      recorder_(recorder), is_first_(processes.rank() == 0) {
    processes.save_at_failure(this);
    if (!is_first_) return;
    std::array<std::uint32_t, 4> counts{};
    std::vector<std::uint32_t> slots;
    for (const Column& column : columns)
        slots.push_back(counts[static_cast<std::size_t>(storage_of(column.type))]++);
    values_.allocate(counts);
    for (std::size_t c = 0; c < columns.size(); ++c) {
        staged_.push_back(columns[c]);
        staged_.back().value = values_.at(storage_of(columns[c].type), slots[c]);
    }
}

void GatheredRecording::begin(std::span<const Column>) {
    if (is_first_) recorder_.begin(staged_);
}

void GatheredRecording::add(Time time, bool is_checked) {
    if (std::exchange(transfers_.agreed().rows, false)) flush();
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        if (owners_[c] != processes_.rank()) continue;
        with_type_of(storage_of(columns_[c].type),
                     [&]<class T>() { put(kept_, *static_cast<const T*>(columns_[c].value)); });
    }
    if (!is_first_) return;
    rows_.push_back({time, is_checked});
    transfers_.want_rows(wants_rows());
}

bool GatheredRecording::wants_rows() const {
    return rows_.size() * columns_.size() * sizeof(double) >= most_bytes ||
           std::chrono::steady_clock::now() - last_ >= longest_wait;
}

void GatheredRecording::flush() {
    const std::vector<std::string> parts = processes_.gather(kept_);
    kept_.clear(); // not if that fails: then `fail` has them recorded
    if (!is_first_) return;
    transfers_.want_rows(false);
    last_ = std::chrono::steady_clock::now();
    replay(parts);
}

/// After a failure a process may have fewer rows than others: those that all have are recorded.
void GatheredRecording::replay(std::span<const std::string> parts) {
    std::vector<std::string_view> rests(parts.begin(), parts.end());
    for (const Row& row : std::exchange(rows_, {})) {
        if (!take_row(rests)) return;
        if (row.is_checked && check_) check_(row.time);
        recorder_.record(row.time);
    }
}

bool GatheredRecording::take_row(std::span<std::string_view> rests) {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        const bool is_there = with_type_of(storage_of(columns_[c].type), [&]<class T>() {
            return take(rests[owners_[c]], *static_cast<T*>(const_cast<void*>(staged_[c].value)));
        });
        if (!is_there) return false;
    }
    return true;
}

void GatheredRecording::end() {
    flush();
    if (is_first_) recorder_.end();
}

void GatheredRecording::end_failed() {
    if (is_first_) recorder_.end();
}

} // namespace rubato::engine
