// SPDX-License-Identifier: Apache-2.0
#include "result.hpp"

#include <algorithm>
#include <chrono>

namespace rubato::facade {

Pulse::Pulse()
    : thread_([this] {
          constexpr std::chrono::milliseconds period{50};
          std::unique_lock lock(mutex_);
          while (!ends_.wait_for(lock, period, [this] { return has_ended_; }))
              risen_.store(true, std::memory_order_relaxed);
      }) {}

Pulse::~Pulse() {
    {
        const std::scoped_lock lock(mutex_);
        has_ended_ = true;
    }
    ends_.notify_one();
    thread_.join();
}

void MemoryRecorder::begin(std::span<const engine::Column> columns) {
    columns_ = {columns.begin(), columns.end()};
    data_ = {};
    data_.values.resize(columns_.size());
    for (const engine::Column& column : columns_) {
        data_.names.push_back(column.name);
        data_.units.push_back(column.unit);
        data_.types.push_back(column.type);
    }
}

void MemoryRecorder::record(Time now) {
    data_.time.push_back(now.seconds);
    for (std::size_t c = 0; c < columns_.size(); ++c)
        if (storage_of(columns_[c].type) != Storage::string)
            data_.values[c].push_back(number(columns_[c]));
    if (pulse && pulse->take()) at_pulse(now.seconds);
}

void MemoryRecorder::note(const engine::EventNote& note) {
    data_.events.push_back({note.time.seconds, note.microstep, std::string(note.unit),
                            std::string(note.variable), note.before, note.after});
}

void MemoryRecorder::truncate(std::size_t rows, double time) {
    const auto cut = [rows](std::vector<double>& values) {
        if (values.size() > rows) values.resize(rows);
    };
    cut(data_.time);
    for (std::vector<double>& column : data_.values) cut(column);
    std::erase_if(data_.events, [time](const Event& event) { return event.time > time; });
}

double MemoryRecorder::number(const engine::Column& column) {
    switch (storage_of(column.type)) {
    case Storage::real: return *static_cast<const double*>(column.value);
    case Storage::integer: {
        const auto value = *static_cast<const std::int64_t*>(column.value);
        return column.type == ValueType::uint64
                   ? static_cast<double>(static_cast<std::uint64_t>(value))
                   : static_cast<double>(value);
    }
    case Storage::boolean: return *static_cast<const bool*>(column.value) ? 1 : 0;
    case Storage::string: break;
    }
    return 0;
}

} // namespace rubato::facade
