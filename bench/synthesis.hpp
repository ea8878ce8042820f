// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace rubato::bench {

/// Seconds it takes to derive an algorithm for a system and to verify it.
struct SynthesisCost {
    std::string system;
    std::size_t units = 0, connections = 0;
    double synthesis = 0, verification = 0;
};

/// Random systems of up to 10,000 units with five inputs each, delayed and reactive, feed-through
/// and cycles among them; and systems of up to 100,000 units of a kind that is easily quadratic: a
/// hub with feed-through, a grid, the derived order of sparse couplings, an order that adapts.
std::vector<SynthesisCost> measure_synthesis();

} // namespace rubato::bench
