// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/log.hpp>
#include <rubato/core/value.hpp>
#include <rubato/scenario/description.hpp>

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace rubato::unit {

/// What is set in an instance of an FMU before its initialization. It can be set once more later,
/// and is read back when the initialization has ended: FMUs are known that lose it.
class StartValues {
public:
    /// `description` and `log` must outlive the object.
    StartValues(const scenario::UnitDescription& description, Log& log, std::string unit)
        : description_(description), log_(log), unit_(std::move(unit)) {}

    /// Until check() has been called.
    bool is_open() const { return stage_ != Stage::over; }
    bool is_before_initialization() const { return stage_ == Stage::before; }

    /// Whoever sets values says so. What is set during initialization is no start value any more.
    void follow(const Bulk& values);
    void begin_initialization() { stage_ = Stage::initializing; }

    /// What has been set before initialization, in that order.
    void set_all(const std::function<void(const Bulk&)>& set) const;

    /// Reads all variables of the bulk; false: the instance refuses that.
    using TryGet = std::function<bool(const Bulk&)>;
    /// Initialization has ended. Warns of values that are not what was set, and of parameters that
    /// nobody has set and that are not what the description says.
    void check(const TryGet& try_get);

private:
    enum class Stage : std::uint8_t { before, initializing, over };
    using Key = std::pair<Storage, ValueRef>; ///< aliases share it
    struct Entry {
        ValueType type = ValueType::float64;
        ValueRef reference = 0;
        bool is_array = false;
        std::vector<Value> values;
    };
    struct Expected {
        const scenario::Variable* variable = nullptr;
        std::vector<Value> values;
        bool was_set = false;
    };

    std::vector<Expected> expected() const;
    void add_set(std::vector<Expected>& all) const;
    void add_described(std::vector<Expected>& all) const;
    const scenario::Variable* find_variable(const Entry& entry) const;
    void warn(const Expected& expected, const std::vector<Value>& actual);

    const scenario::UnitDescription& description_;
    Log& log_;
    std::string unit_;
    Stage stage_ = Stage::before;
    std::vector<Entry> entries_;
    std::set<Key> touched_; ///< set at any time before check()
    std::size_t warnings_ = 0;
};

} // namespace rubato::unit
