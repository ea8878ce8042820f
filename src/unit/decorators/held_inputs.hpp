// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/unit/kept_value.hpp>
#include <rubato/unit/unit.hpp>

#include <cstddef>
#include <vector>

namespace rubato::unit {

/// Inputs that were set while the unit could not take them yet, by variable: the last value counts.
/// Allocates when a variable is held for the first time.
class HeldInputs {
public:
    /// The variable of the bulk whose values begin at `first`.
    void hold(const Bulk& values, ValueRef reference, std::size_t first, std::size_t count);
    /// The unit has taken newer values.
    void forget(const Bulk& values);
    /// Where a bulk reads inputs that are held, it gets what they were set to.
    void read(const Bulk& values) const;
    /// Sets all that are held. Nothing is held after.
    void set_all(Unit& inner);
    bool any() const { return held_ > 0; }

    void write(ByteWriter& writer) const;
    void read(ByteReader& reader);

private:
    struct Entry {
        KeptValue value;
        bool is_held = false;
    };
    Entry* find(ValueType type, ValueRef reference) const;

    mutable std::vector<Entry> entries_;
    mutable std::size_t next_ = 0; ///< where the next one is expected: calls come in the same order
    std::size_t held_ = 0;
};

} // namespace rubato::unit
