// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/engine/simulation.hpp>

namespace rubato::engine {

/// What the summary says about loops: only of steps that are in the result.
class LoopRecord {
public:
    explicit LoopRecord(const Summary& summary)
        : most_iterations_(summary.most_iterations), not_converged_(summary.not_converged),
          contraction_(summary.contraction) {}

    void restore(Summary& summary) const {
        summary.most_iterations = most_iterations_;
        summary.not_converged = not_converged_;
        summary.contraction = contraction_;
    }

private:
    int most_iterations_;
    std::uint64_t not_converged_;
    double contraction_;
};

} // namespace rubato::engine
