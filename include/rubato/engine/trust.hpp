// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/time.hpp>

#include <string>
#include <vector>

namespace rubato::engine {

/// How far an input was from what it should have been, as far as its source tells: in terms of the
/// source.
struct CouplingError {
    std::string from, to;   ///< "msd1.x1", "msd2.x1"
    std::string unit;       ///< of measure
    double range = 0;       ///< from the smallest to the largest value of the source
    double largest = 0;     ///< in any step
    Time when;              ///< the end of that step
    double accumulated = 0; ///< integral of the largest one of each step over time

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

/// How far a result can be believed, from what crossed the interfaces.
struct Trust {
    std::vector<CouplingError> couplings;
    std::vector<BondBalance> bonds;
};

} // namespace rubato::engine
