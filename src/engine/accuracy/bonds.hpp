// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "couplings.hpp"

namespace rubato::engine {

/// Energy over a step through a bond.
struct BondStep {
    double transferred = 0; ///< [J] from the unit that gives the effort
    double exchanged = 0;   ///< [J] the same without its sign
    double created = 0;     ///< [J] that the one unit takes and the other has not given; less: lost
    /// Errors of power at the worst place, none of them cancelling another, relative to the power
    /// of efforts and flows of at least their nominal values.
    double relative_error = 0;
};

/// Where a bond's efforts and flows are found.
class BondAccount {
public:
    BondAccount(const scenario::Bond& bond, const Couplings& couplings, std::size_t configurations);

    /// Of the step sampled last. Efforts and flows that are not connected in the configuration
    /// count nothing.
    BondStep over_step(const Couplings& couplings, std::size_t configuration) const;

private:
    struct Part {
        const Coupling* effort = nullptr;
        const Coupling* flow = nullptr;
        double factor = 1;
    };
    std::vector<std::vector<Part>> parts_; ///< by configuration
};

} // namespace rubato::engine
