// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/time.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rubato::engine {

/// How far an input was from what it should have been, as far as its source shows: in terms of the
/// source.
struct CouplingError {
    std::string from, to; ///< "msd1.x1", "msd2.x1"
    std::string unit;     ///< of measure
    /// From the smallest to the largest value of the source; 0: it does not move by more than
    /// rounding, or the tolerance of a loop, explains.
    double range = 0;
    double largest = 0;     ///< in any step in which the source does not jump
    Time when;              ///< the end of that step
    double accumulated = 0; ///< integral of the largest one of each step over time
    /// Steps in which the source changed by far more than in both neighbours: each jump reaches the
    /// input late, by up to a step, whatever the approximation.
    std::uint64_t jumps = 0;
    double largest_jump = 0;
    Time first_jump, last_jump; ///< the ends of these steps

    double relative() const { return range > 0 ? largest / range : 0; }
};

/// What went through a power bond [J, if the units of measure are known].
struct BondBalance {
    std::string name;
    bool is_measured = false;
    double transferred = 0; ///< from the unit that gives the effort
    double exchanged = 0;   ///< both ways
    double created = 0;     ///< by the coupling; negative: lost
    double power = 0;       ///< at the end of the last step
    double residual = 0;    ///< created in the last step

    double relative() const { return exchanged > 0 ? created / exchanged : 0; }
};

/// Values that grow, or decay, throughout a part of the run up to its end.
struct CouplingTrend {
    std::string from, to; ///< the connection that shows it most
    double factor = 1;    ///< by which the range of the values has changed
    Time since;
    /// The factor that late or early inputs alone would cause; 1: none. In a loop an input that is
    /// late adds energy to an oscillation, one that is early takes it away.
    double of_coupling = 1;
    /// Whether the steps show what the values do: not if they turn every third step, or grow by a
    /// third in each.
    bool is_resolved = true;
    bool is_driven = false; ///< by something outside the loop that grows, too

    /// The part that the coupling has in it, 0 to 1.
    double share() const;
};

/// What the coupling does in the course of the run to an oscillation that nothing damps.
struct Undamped {
    double growth = 1; ///< factor, by inputs that are late
    double drift = 0;  ///< of its phase, by inputs that are too large or too small [rad]
};

/// How far a result can be believed, from what crossed the interfaces.
struct Trust {
    std::vector<CouplingError> couplings;
    std::vector<BondBalance> bonds;
    std::optional<CouplingTrend> growth, decay; ///< in loops of units
    Undamped undamped;
};

} // namespace rubato::engine
