// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/value.hpp>
#include <rubato/scenario/system.hpp>
#include <rubato/unit/unit.hpp>

#include <span>
#include <vector>

/// Values of units one by one: for set-up and probing, not for steps.
namespace rubato::probe {

/// The value must be of the port's storage, and the port a single value.
void set_value(unit::Unit& unit, const scenario::Port& port, Value value);

/// Some ports of one unit, each a single value, read with one bulk call per type.
class PortReader {
public:
    PortReader(const scenario::System& system, std::span<const PortId> ports);

    /// In the order of the ports.
    std::vector<Value> read(unit::Unit& unit) const;

private:
    struct Group {
        ValueType type = ValueType::float64;
        std::vector<ValueRef> references;
        std::vector<Part> parts;
        std::vector<std::size_t> places; ///< of the ports
    };
    std::vector<Group> groups_;
    std::size_t count_;
};

} // namespace rubato::probe
