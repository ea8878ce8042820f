// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/time.hpp>
#include <rubato/core/value.hpp>

#include <span>
#include <string>
#include <string_view>

namespace rubato::engine {

/// A recorded variable. `value` points to its current value, in the type's storage (double,
/// std::int64_t, bool or std::string), and stays valid as long as the simulation.
struct Column {
    std::string name; ///< "msd1.x1"
    std::string unit; ///< of measure; empty: none
    ValueType type = ValueType::float64;
    const void* value = nullptr;
    std::string description{}; ///< what the unit says of it; empty: nothing
};

/// What has changed at an event. A unit that has stopped a step names no variable.
struct EventNote {
    Time time;
    int microstep = 0; ///< what follows from it at the same time counts up
    std::string_view unit, variable;
    Value before, after;
    ValueType type = ValueType::float64;
};

/// Sees one consistent instant at a time. Must not allocate in `record`.
class Recorder {
public:
    virtual ~Recorder() = default;
    virtual void begin(std::span<const Column> columns) = 0;
    virtual void record(Time time) = 0;
    virtual void note(const EventNote&) {}
    /// After the last instant, also when the run failed.
    virtual void end() = 0;
};

} // namespace rubato::engine
