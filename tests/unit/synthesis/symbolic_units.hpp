// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/system.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace rubato::test {

/// A state or a value, as a hash of all that has influenced it, in levels: level k of a unit's
/// state and outputs depends on its inputs only up to a level below k. So whatever differs shows,
/// and yet every loop of values has one fixed point, which iteration reaches from anywhere: each
/// time round settles a level more.
struct Symbol {
    std::array<std::uint64_t, 10> levels{};
    friend bool operator==(const Symbol&, const Symbol&) = default;
};

/// What the units of a system compute, for symbols. `inputs` are by port.
class SymbolicUnits {
public:
    explicit SymbolicUnits(const scenario::System& system) : system_(system) {}

    Symbol initial_state(UnitId unit) const;
    Symbol step(UnitId unit, const Symbol& state, int by, std::span<const Symbol> inputs) const;
    Symbol initial_output(PortId output, const Symbol& state, std::span<const Symbol> inputs) const;
    Symbol output(PortId output, const Symbol& state, std::span<const Symbol> inputs) const;

private:
    const scenario::System& system_;
};

} // namespace rubato::test
