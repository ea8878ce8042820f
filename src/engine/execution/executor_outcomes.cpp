// SPDX-License-Identifier: Apache-2.0
#include "executor.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>

// How calls and blocks have ended: modes that units have changed, values that are not finite, steps
// that units cut short, sections that run at the same time.

namespace rubato::engine {

void Executor::restore_unexplained_mode() {
    mode_.restore();
    if (sum_.exchange(0) != 0)
        log_.write(
            LogLevel::warning, "",
            "a unit has changed how this process computes in the step to t = " +
                shortest(end_.seconds) +
                " s (it flushes tiny numbers to zero, or traps floating-point exceptions): that is "
                "undone from now on");
}

void Executor::restore_changed_mode(const unit::Unit& unit) {
    mode_.restore();
    const std::lock_guard lock(mode_mutex_);
    if (changed_mode_.insert(&unit).second)
        log_.write(LogLevel::warning, unit.name(),
                   "changes how this process computes (rounding mode, flushing tiny numbers to "
                   "zero): that is undone after its steps");
}

void Executor::fail_not_finite(const GetCall& call) const {
    const auto values = call.bulk.reals();
    const auto bad = std::ranges::find_if_not(values, [](double v) { return std::isfinite(v); });
    const ValueRef reference = call.bulk.references[static_cast<std::size_t>(bad - values.begin())];
    const auto& variables = call.unit->description().variables;
    const auto variable = std::ranges::find_if(variables, [&](const scenario::Variable& v) {
        return v.reference == reference && storage_of(v.type) == Storage::real;
    });
    throw NotFiniteError(
        format("unit \"{}\": output \"{}\" is {} at t = {} s", call.unit->name(),
               variable == variables.end() ? "?" : variable->name, shortest(*bad),
               shortest(end_.seconds)),
        "the unit diverges or divides by zero: try a smaller step, or check its parameters");
}

Flow Executor::interrupted(const unit::Unit& unit, unit::StepResult result, BlockOutcome& outcome) {
    outcome.interrupted = &unit;
    outcome.accepted = result.reached;
    outcome.stopped_by_event = result.end == unit::StepEnd::event;
    if (result.end == unit::StepEnd::terminated) return Flow::stop;
    const bool is_alone = system_.units.size() == 1 && outcome.stopped_by_event;
    if (is_alone && negotiating_ == 0) end_ = std::min(end_, result.reached); // nobody is ahead
    if (result.reached >= end_) {
        outcome.event = outcome.event || outcome.stopped_by_event;
        return Flow::proceed;
    }
    if (negotiating_ == 0) {
        throw StepRejected(
            unit.name(),
            format("unit \"{}\" accepted the step from t = {} s only up to t = {} s, not to {} s",
                   unit.name(), shortest(now_.seconds), shortest(result.reached.seconds),
                   shortest(end_.seconds)),
            "use a smaller step, or declare can-reject-step: true for the unit (simulate: "
            "--negotiate) so that the step is negotiated");
    }
    return Flow::shrink;
}

Flow Executor::agree_with_others(Flow flow, BlockOutcome& outcome) {
    std::optional<Interruption> own;
    if (flow == Flow::shrink || flow == Flow::stop) {
        const auto at = std::ranges::find(plan_.steps, outcome.interrupted, &StepCall::unit);
        own = {static_cast<std::size_t>(at - plan_.steps.begin()), outcome.accepted,
               outcome.stopped_by_event, static_cast<double>(flow)};
    }
    const std::optional<Interruption> first = decisions_.first(own, outcome.event);
    if (!first) return flow;
    outcome.interrupted = plan_.steps[first->position].unit;
    outcome.accepted = first->accepted;
    outcome.stopped_by_event = first->by_event;
    return static_cast<Flow>(first->kind);
}

/// Branches are many and of unequal weight: whoever is free takes the next. What comes of them is
/// looked at in their order, as if they had run in it; but a failed unit cannot go on.
Flow Executor::run(Section& section, BlockOutcome& outcome) {
    const auto execute_branch = [&](const Block& block, BlockOutcome& own) {
        try {
            unit::note_time(now_.seconds); // on this thread
            const Flow flow = execute(block, own);
            restore_mode();
            return flow;
        } catch (...) {
            unit::rethrow_as_error();
        }
    };
    const auto run_branch = [&](std::uint32_t i) {
        Section::Branch& branch = section.branches[i];
        BlockOutcome own;
        try {
            branch.flow = execute_branch(branch.block, own);
        } catch (...) {
            branch.error = std::current_exception();
        }
        branch.outcome = own;
    };
    thread_pool_->run(static_cast<std::uint32_t>(section.branches.size()), run_branch);

    for (const Section::Branch& branch : section.branches) {
        if (branch.error) std::rethrow_exception(branch.error);
        outcome.unit_steps += branch.outcome.unit_steps;
        if (!branch.outcome.event) continue;
        outcome.event = true;
        outcome.interrupted = branch.outcome.interrupted;
    }
    for (const Section::Branch& branch : section.branches) {
        if (branch.flow == Flow::proceed) continue;
        outcome.interrupted = branch.outcome.interrupted;
        outcome.accepted = branch.outcome.accepted;
        outcome.stopped_by_event = branch.outcome.stopped_by_event;
        return branch.flow;
    }
    return Flow::proceed;
}
} // namespace rubato::engine
