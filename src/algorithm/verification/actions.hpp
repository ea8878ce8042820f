// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "breach.hpp"
#include "state.hpp"
#include "wiring.hpp"

#include <optional>

/// The state model: for each action its precondition (`check_…`: nothing if it holds) and its
/// effect
/// (`apply_…`). Preconditions are not checked in the first iterations of a loop; effects then
/// happen all the same.
namespace rubato::algorithm::verification {

// During initialization.
std::optional<Breach> check_initial_set(const Wiring& wiring, const State& state, const Set& set);
std::optional<Breach> check_initial_get(const Wiring& wiring, const State& state, const Get& get);
std::optional<Breach> check_initialized(const Wiring& wiring, const State& state,
                                        const scenario::System& system);

// During steps.
std::optional<Breach> check_set(const Wiring& wiring, const State& state, const Set& set);
std::optional<Breach> check_get(const Wiring& wiring, const State& state, const Get& get);
std::optional<Breach> check_step(const Wiring& wiring, const State& state, UnitId unit,
                                 Ticks requested);
std::optional<Breach> check_same_as(const State& state, const Step& step);
std::optional<Breach> check_restore(const State& state, UnitId unit);

/// All units have come from `begin` equally far, and further, but no further than `step`.
std::optional<Breach> check_advance(const State& state, Ticks begin, Ticks step);

void apply_set(const Wiring& wiring, State& state, const Set& set);
void apply_get(const Wiring& wiring, State& state, const Get& get);
void apply_step(State& state, UnitId unit, Ticks taken);
void apply_save(const scenario::System& system, State& state, UnitId unit);
/// Slots, and what the unit has accepted, stay as they are.
void apply_restore(const scenario::System& system, State& state, UnitId unit);

} // namespace rubato::algorithm::verification
