// SPDX-License-Identifier: Apache-2.0
#include "symbolic_units.hpp"

namespace rubato::test {

namespace {

/// The finalizer of splitmix64, on a combination of both.
std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    std::uint64_t x = a * 0x9e3779b97f4a7c15U + b + 0x632be59bd9b4e019U;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
}

Symbol mixed(const Symbol& symbol, std::uint64_t with) {
    Symbol result = symbol;
    for (std::uint64_t& level : result.levels) level = mix(level, with);
    return result;
}

/// Inputs differ in how many levels they lose, as couplings differ in strength: some values of a
/// loop then settle before others.
std::size_t levels_lost(PortId input) { return 1 + input.value % 3; }

void influence(Symbol& symbol, PortId input, const Symbol& value) {
    const std::size_t lost = levels_lost(input);
    for (std::size_t k = lost; k < symbol.levels.size(); ++k) {
        symbol.levels[k] = mix(symbol.levels[k], mix(input.value, value.levels[k - lost]));
    }
}

Symbol computed(PortId output, const Symbol& state, const std::vector<PortId>& feedthrough,
                std::span<const Symbol> inputs) {
    // Some outputs are but functions of their inputs: a loop of them may seem to have settled when
    // nothing new has reached it yet.
    const bool is_static = !feedthrough.empty() && output.value % 2 == 0;
    Symbol value = mixed(is_static ? Symbol{} : state, output.value);
    for (const PortId input : feedthrough) influence(value, input, inputs[input.value]);
    return value;
}

} // namespace

Symbol SymbolicUnits::initial_state(UnitId unit) const { return mixed({}, unit.value); }

Symbol SymbolicUnits::step(UnitId unit, const Symbol& state, int by,
                           std::span<const Symbol> inputs) const {
    Symbol next = mixed(state, static_cast<std::uint64_t>(by));
    for (const PortId input : system_.unit(unit).inputs) {
        influence(next, input, inputs[input.value]);
    }
    return next;
}

Symbol SymbolicUnits::initial_output(PortId output, const Symbol& state,
                                     std::span<const Symbol> inputs) const {
    return computed(output, state, system_.port(output).feedthrough_initial, inputs);
}

Symbol SymbolicUnits::output(PortId output, const Symbol& state,
                             std::span<const Symbol> inputs) const {
    return computed(output, state, system_.port(output).feedthrough, inputs);
}

} // namespace rubato::test
