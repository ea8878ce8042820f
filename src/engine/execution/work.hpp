// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "program/plan.hpp"
#include "program/state_archive.hpp"

#include <rubato/engine/simulation.hpp>

#include <memory>
#include <span>

namespace rubato::engine {

inline void visit_state(NotFinite& entry, StateArchive& archive) {
    archive(entry.variable, entry.value, entry.first);
}

inline void visit_state(Summary& s, StateArchive& archive) {
    archive(s.end, s.reached, s.steps, s.events, s.found_events, s.trials, s.switches, s.unit_steps,
            s.iterations, s.most_iterations, s.not_converged, s.contraction, s.rejections,
            s.repeated, s.missed, s.shortened, s.exceeded, s.shortest_step, s.longest_step,
            s.ended_by, s.not_finite);
}

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
