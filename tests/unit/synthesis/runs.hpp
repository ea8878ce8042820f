// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/system.hpp>

#include <string>
#include <vector>

namespace rubato::test {

/// What may happen in one co-simulation step.
struct Circumstances {
    std::size_t configuration = 0;
    int wanted = 1;             ///< the step that is asked for
    std::vector<int> tolerated; ///< by unit: the largest step that it accepts
};

using Run = std::vector<Circumstances>;

/// Runs of three steps: all there are, or `most` picked evenly among them.
std::vector<Run> runs_of(const scenario::System& system, std::size_t most);

std::string describe(const scenario::System& system, const Run& run);

} // namespace rubato::test
