// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "loop_ports.hpp"
#include "state.hpp"
#include "wiring.hpp"

namespace rubato::algorithm::verification {

/// What a fixed-point loop starts from. Its first iteration may be its last: it starts from here
/// rather than from where units are restored to.
class LoopEntry {
public:
    LoopEntry(const scenario::System& system, const LoopPorts& ports, const State& state);

    /// From where the loop has ended to where it began, if what it guessed there was right. Inputs
    /// that held what was guessed hold what was found; those of units that it steps are as they
    /// were.
    void go_back(const Wiring& wiring, const LoopPorts& ports, State& state) const;

    /// Back to what the state was.
    void come_again(State& state) const;

private:
    std::vector<UnitId> units_;   ///< that it steps
    std::vector<PortId> inputs_;  ///< that it sets, and those of the units
    std::vector<PortId> outputs_; ///< that it gets
    std::vector<Ticks> times_;
    std::vector<Stamp> input_, final_slot_, tentative_slot_;
};

} // namespace rubato::algorithm::verification
