// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/algorithm/algorithm.hpp>
#include <rubato/scenario/system.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace rubato::algorithm {

/// Why an algorithm does not keep the contracts, for people.
struct Violation {
    std::string message; ///< which operation breaks which contract of which port, and where each side stands in time
    std::string hint;    ///< what would mend it
    std::vector<std::string> trace; ///< the shortest way there: the operations from the start, with times
};

struct Verdict {
    std::vector<Violation> violations; ///< empty: correct
    std::uint64_t runs = 0;            ///< ways through the algorithm that were explored

    bool correct() const { return violations.empty(); }
};

/// Explores every way through the algorithm that step sizes, accepted steps and configurations allow,
/// over two steps, and checks each operation against the contracts.
Verdict verify(const scenario::System& system, const Algorithm& algorithm);

} // namespace rubato::algorithm
