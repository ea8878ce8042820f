// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/algorithm/algorithm.hpp>
#include <rubato/scenario/system.hpp>

#include <string>
#include <string_view>
#include <vector>

/// From contracts to algorithms.
namespace rubato::synthesis {

enum class LoopKind : std::uint8_t {
    feedthrough,  ///< outputs that depend on each other at one instant: no roll-back needed
    reactivity,   ///< units that expect each other to have advanced
    step_finding, ///< units that must agree on a step
    nested,       ///< a step to agree on around a loop of values
};
std::string_view to_string(LoopKind kind);

/// A loop that was found, for people.
struct Loop {
    LoopKind kind = LoopKind::feedthrough;
    std::vector<UnitId> units;   ///< that are stepped in it
    std::vector<PortId> ports;   ///< outputs whose values circulate
    std::vector<PortId> guessed; ///< inputs
    /// False: they were to be the fewest, and it is not proven that they are.
    bool guesses_fewest = true;
};

/// "reactivity loop of A, B over A.x, B.f, guessing A.f"
std::string describe(const Loop& loop, const scenario::System& system);

struct SynthesisOptions {
    scenario::Reduction reduction = scenario::Reduction::minimum;
    std::vector<UnitId> order;     ///< of all units: guess what comes from later ones; or empty
    std::vector<PortId> hints;     ///< inputs to guess in any case
    algorithm::Convergence until;  ///< of loops in initialization
    std::optional<int> iterations; ///< of loops in steps: just so many
    bool sections = false;         ///< let units step at the same time where nothing orders them
};

struct Synthesis {
    algorithm::Algorithm algorithm;
    std::vector<Loop> initial_loops;
    std::vector<std::vector<Loop>> step_loops; ///< by procedure
};

/// An algorithm that keeps the contracts of the system, with a step procedure for each of its
/// configurations, and event procedures. Works for every system; whether its units can roll back
/// where they must is for the caller to check (roll_back.hpp).
Synthesis synthesize(const scenario::System& system, const SynthesisOptions& options);

/// What is done at events: a procedure for each set of connections, named by the first
/// configuration that has it. Loops end as `until` says, with as few guesses as possible. None
/// where nothing happens (scenario::has_events), unless `always`.
std::vector<algorithm::Procedure> synthesize_events(const scenario::System& system,
                                                    const algorithm::Convergence& until,
                                                    bool always = false);

} // namespace rubato::synthesis
