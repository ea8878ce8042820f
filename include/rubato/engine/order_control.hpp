// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/id.hpp>
#include <rubato/scenario/scenario.hpp>

#include <cstdint>
#include <vector>

namespace rubato::engine {

/// What the order of units is chosen from before each step, and by what: an adaptive Gauss-Seidel
/// with all names resolved.
struct OrderControl {
    /// A connected real input. Its error E is summed up over the steps, E ← (u - û) H + E H gain,
    /// with û what extrapolation would have made of u, and counts in its unit with its weight; of
    /// an array, that of each element does.
    struct Input {
        PortId input;
        double gain = 0; ///< 1/s
        double weight = 1;
    };
    /// Indices into the unit's description.
    struct Loss {
        std::uint32_t effort = 0, displacement = 0;
    };
    struct Energy {
        std::vector<std::uint32_t> parts; ///< whose sum is the energy
        std::vector<Loss> losses;
    };

    scenario::OrderSettings settings;
    std::vector<std::vector<UnitId>> orders; ///< by configuration of the system
    std::vector<Input> inputs;
    std::vector<Energy> energies; ///< by unit; empty: the work over the system's bonds counts
};

} // namespace rubato::engine
