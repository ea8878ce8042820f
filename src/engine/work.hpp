// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan.hpp"

#include <rubato/engine/simulation.hpp>

#include <memory>
#include <span>

namespace rubato::engine {

/// What loops and solvers of ours have done.
inline void tell_work(Summary& summary, const Plan& plan,
                      std::span<const std::unique_ptr<unit::Unit>> units) {
    summary.loops.clear();
    for (const FixedPointLoop& loop : plan.fixed_points)
        if (loop.work.iterations > 0) summary.loops.push_back(loop.work);
    summary.solvers.clear();
    for (const auto& each : units) {
        if (const unit::SolverStatistics* statistics = each->solver_statistics())
            summary.solvers.push_back({each->name(), *statistics});
    }
}

} // namespace rubato::engine
