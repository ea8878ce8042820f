// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "scenario.hpp"

#include <rubato/engine/recorder.hpp>
#include <rubato/rubato.hpp>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace rubato {

/// Columns one after the other, as programs read them.
struct Result::Data {
    std::string name; ///< of the scenario
    std::vector<double> time;
    std::vector<std::string> names; ///< of all columns
    std::vector<std::string> units;
    std::vector<std::vector<double>> values; ///< of the columns; empty: a text
    std::vector<ValueType> types;
    std::vector<Event> events;
    Trust trust;
    std::uint64_t steps = 0;
    bool is_complete = false;
    std::string message;

    /// Throws an Error if there is none of the name.
    std::size_t find(std::string_view wanted) const;
};

namespace facade {

using ResultData = Access::Data;

/// A flag that rises about 20 times a second, so that a loop can do now and then what would take
/// too long each time.
class Pulse {
public:
    Pulse();
    ~Pulse();
    Pulse(const Pulse&) = delete;
    Pulse& operator=(const Pulse&) = delete;

    /// Whether it has risen since it was asked last.
    bool take() {
        if (!risen_.load(std::memory_order_relaxed)) [[likely]]
            return false;
        risen_.store(false, std::memory_order_relaxed);
        return true;
    }

private:
    std::atomic<bool> risen_ = false;
    std::mutex mutex_;
    std::condition_variable ends_;
    bool has_ended_ = false;
    std::thread thread_;
};

/// Keeps a run in memory. Of an attempt that starts over nothing is left.
class MemoryRecorder final : public engine::Recorder {
public:
    void begin(std::span<const engine::Column> columns) override;
    void record(Time now) override;
    void note(const engine::EventNote& note) override;
    void end() override {}

    std::size_t rows() const { return data_.time.size(); }
    /// Drops what was recorded after these rows, and events after this time.
    void truncate(std::size_t rows, double time);

    /// What was recorded; `take` leaves nothing.
    const ResultData& data() const { return data_; }
    ResultData take() { return std::move(data_); }

    /// Called with the time when the pulse has risen; empty: there is no pulse.
    std::function<void(double)> at_pulse;
    Pulse* pulse = nullptr; ///< null: none

private:
    static double number(const engine::Column& column);

    std::vector<engine::Column> columns_;
    ResultData data_;
};

} // namespace facade
} // namespace rubato
