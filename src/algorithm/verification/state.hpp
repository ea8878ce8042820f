// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/id.hpp>

#include <cstdint>
#include <vector>

namespace rubato::algorithm::verification {

/// Time in ticks since the start.
using Ticks = std::int64_t;

/// What is known of a value: from what time it is, if there is one.
struct Stamp {
    Ticks time = 0;
    bool defined = false;
    friend bool operator==(const Stamp&, const Stamp&) = default;
};

/// A value from an iteration before the last: it may not have settled when the loop ends.
inline constexpr Stamp outdated{.time = -1, .defined = false};
/// A value from the last iteration but one that the loop does not compare: nor may this one have.
inline constexpr Stamp uncompared{.time = -2, .defined = false};
/// A value that does not follow from inputs and a step that kept their contracts.
inline constexpr Stamp unreliable{.time = -3, .defined = false};

/// One of those above: whoever is given it has it, too.
constexpr bool is_tainted(const Stamp& stamp) { return !stamp.defined && stamp.time < 0; }

/// Everything that decides how an algorithm continues, except values. Units and ports are the
/// indices.
struct State {
    State(std::size_t units, std::size_t ports)
        : time(units), accepted(units), has_stepped(units), is_unreliable(units), is_saved(units),
          saved_time(units), input(ports), final_slot(ports), tentative_slot(ports),
          saved_input(ports) {}

    // By unit.
    std::vector<Ticks> time;     ///< where it stands
    std::vector<Ticks> accepted; ///< its longest step in this co-simulation step; 0: not asked yet
    std::vector<std::uint8_t> has_stepped;   ///< in this co-simulation step
    std::vector<std::uint8_t> is_unreliable; ///< it has stepped against the contract of an input
    std::vector<std::uint8_t> is_saved;      ///< in this co-simulation step
    std::vector<Ticks> saved_time;

    // By port.
    std::vector<Stamp> input;
    std::vector<Stamp> final_slot, tentative_slot; ///< of outputs
    std::vector<Stamp> saved_input;

    Ticks step = 0; ///< the common step, h

    friend bool operator==(const State&, const State&) = default;
};

/// Between two steps, when all units stand at the same time and nothing is saved: whether all goes
/// on alike from there, only earlier or later.
bool go_on_alike(const State& a, const State& b);
/// The same for states that go on alike.
std::size_t hash_of(const State& state);

} // namespace rubato::algorithm::verification
