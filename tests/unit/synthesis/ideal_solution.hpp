// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "symbolic_units.hpp"

#include <rubato/scenario/system.hpp>

#include <map>
#include <utility>
#include <vector>

namespace rubato::test {

/// Where the contracts take the units of a system, found without an algorithm: in each step all
/// units go together, again and again until all values at its end agree. A delayed input has its
/// source's value at the start of the step, a reactive one that at its end.
class IdealSolution {
public:
    /// All units at one instant.
    struct Instant {
        std::vector<Symbol> states; ///< by unit
        std::vector<Symbol> values; ///< by port: of outputs
    };
    struct Step {
        std::size_t configuration = 0;
        int by = 1;
        friend auto operator<=>(const Step&, const Step&) = default;
    };

    /// `system` must outlive it.
    explicit IdealSolution(const scenario::System& system) : system_(system) {}

    const Instant& after(const std::vector<Step>& steps);

private:
    const scenario::System& system_;
    std::map<std::vector<Step>, Instant> known_;
};

} // namespace rubato::test
