// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace rubato::bench {

/// Seconds it takes to synthesize an algorithm for a system of so many units with five times as
/// many connections, and to verify it. Delayed and reactive inputs, feed-through, and cycles among
/// them.
struct SynthesisCost {
    int units = 0;
    double synthesis = 0, verification = 0;
};
SynthesisCost measure_synthesis(int units);

} // namespace rubato::bench
