// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "program/state_archive.hpp"

#include <rubato/core/time.hpp>
#include <rubato/scenario/step_control.hpp>

#include <algorithm>

namespace rubato::engine {

/// The length of the next step from the errors of the last ones: a PI controller (Gustafsson 1991,
/// with the coefficients of Söderlind 2002). Errors are in tolerances and grow as step^order; it
/// aims at the part `safety` of the step that would be just good enough.
///
///     next = step · excess^(-0.7/order) · previous_excess^(0.4/order)
///     excess = error / safety^order
///
/// within the limits of growth and shrinking. After a rejected step only the last error counts, and
/// the step after it does not grow. By divergence, steps become longer or shorter by a given part,
/// as the error is below 1 or not (Awais, Palensky, Gawlik and De-Cillia 2015).
class StepSize {
public:
    StepSize(const scenario::StepControlSettings& settings, Duration first, Duration span);

    Duration next() const { return memory_.next; }
    void visit_state(StateArchive& archive) {
        archive(memory_.next, memory_.previous_excess, memory_.has_rejected);
    }
    Duration minimum() const { return minimum_; }
    /// What changes from step to step.
    struct Memory {
        Duration next;
        double previous_excess = 1;
        bool has_rejected = false; ///< the attempt before
    };
    const Memory& memory() const { return memory_; }
    void recall(const Memory& memory) { memory_ = memory; }
    /// `was_cut`: the step was shorter than `next` had been, for what lay ahead.
    void accept(Duration made, double error, unsigned order, bool was_cut);
    void reject(Duration made, double error, unsigned order);
    /// As if steps of this length had been good enough.
    void resume(Duration by) { memory_ = {std::clamp(by, minimum_, maximum_), 1, false}; }
    /// Nothing is known of what comes: from the shortest step on.
    void restart() { memory_.next = minimum_; }

private:
    /// How many times the error is what is aimed at.
    double normalized_error(double error, unsigned order) const;
    Duration limited(Duration made, double factor, double growth) const;

    const scenario::StepControlSettings settings_;
    Duration minimum_, maximum_;
    Memory memory_;
};

} // namespace rubato::engine
