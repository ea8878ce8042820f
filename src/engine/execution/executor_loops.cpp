// SPDX-License-Identifier: Apache-2.0
#include "executor.hpp"
#include "loops/loop_run.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>

namespace rubato::engine {

/// A unit that accepts nothing gives no hint: it is asked for half.
void Executor::shrink(const BlockOutcome& outcome) {
    const Duration asked = by_;
    const Duration granted = outcome.accepted - now_;
    by_ = granted > Duration{} ? granted : 0.5 * asked;
    end_ = granted > Duration{} ? outcome.accepted : now_ + by_;
    if (outcome.stopped_by_event) return; // wherever that is
    ++summary_.rejections;
    constexpr double but_for_rounding = 1 - 1e-9;
    if (by_ >= but_for_rounding * plan_.minimum_step) return;
    throw Error(format("unit \"{}\" cannot go on at t = {} s: it was asked for a step of {} s and "
                       "granted {} s; the shortest allowed is {} s",
                       outcome.interrupted->name(), shortest(now_.seconds), shortest(asked.seconds),
                       shortest(granted.seconds), shortest(plan_.minimum_step.seconds)),
                "if so short a step makes sense, allow it by experiment.minimum-step; else look "
                "into what the unit is fed at that time, and into its parameters");
}

Flow Executor::iterate(FixedPointLoop& loop, BlockOutcome& outcome) {
    LoopRun run(*this, loop, outcome);
    // Only a plain iteration gets rid of a guess that is no number.
    if (!run.starts_finite() && !run.iterate(run.start(), run.start())) return run.flow();
    do loop.solver->solve(run, run.start());
    while (!run.has_ended());
    return run.flow();
}

namespace {

double change(const LoopValue& value, const double* slots) {
    return std::abs(slots[value.now] - slots[value.before]);
}

double allowed_change(const LoopValue& value, const double* slots) {
    return value.absolute_tolerance + value.relative_tolerance * std::abs(slots[value.now]);
}

/// The largest one relative to what is allowed.
double largest_change(const std::vector<LoopValue>& values, const double* slots) {
    double largest = 0;
    for (const LoopValue& value : values) {
        const double now = change(value, slots);
        const double allowed = allowed_change(value, slots);
        if (!(now <= largest * allowed)) largest = now / allowed;
    }
    return largest;
}

template <class T>
bool all_equal(const std::vector<LoopValue>& values, const T* slots) {
    return std::ranges::all_of(values,
                               [&](const LoopValue& v) { return slots[v.now] == slots[v.before]; });
}

template <class T>
void adopt_values(const std::vector<LoopValue>& values, T* slots) {
    for (const LoopValue& v : values) slots[v.before] = slots[v.now];
}

template <class T>
void keep_overwritten(const std::vector<LoopValue>& values, T* slots) {
    for (const LoopValue& v : values) {
        if (v.overwrites) slots[v.before] = slots[v.now];
    }
}

template <class T>
void go_back(const std::vector<LoopValue>& values, T* slots) {
    for (const LoopValue& v : values) slots[v.now] = slots[v.before];
}

template <class T>
void keep_before(const std::vector<LoopValue>& values, const T* slots, T* kept) {
    for (const LoopValue& v : values) *kept++ = slots[v.before];
}

template <class T>
void give_back(const std::vector<LoopValue>& values, const T* kept, T* slots) {
    for (const LoopValue& v : values) slots[v.before] = *kept++;
}

template <class T>
const std::vector<LoopValue>& of(const std::array<std::vector<LoopValue>, 4>& values) {
    return values[static_cast<std::size_t>(storage_for<T>)];
}

template <class Use>
void for_each_discrete(const Use& use) {
    use.template operator()<std::int64_t>();
    use.template operator()<bool>();
    use.template operator()<std::string>();
}
template <class Use>
void for_each_type(const Use& use) {
    use.template operator()<double>();
    for_each_discrete(use);
}

} // namespace

double Executor::largest_change(const FixedPointLoop& loop) const {
    bool is_settled = true;
    for_each_discrete([&]<class T>() {
        is_settled = is_settled && all_equal(of<T>(loop.values), plan_.buffers.data<T>());
    });
    if (!is_settled) return HUGE_VAL;
    return engine::largest_change(of<double>(loop.values), plan_.buffers.reals.data());
}

void Executor::keep_starting_values(const FixedPointLoop& loop) {
    for_each_type(
        [&]<class T>() { keep_overwritten(of<T>(loop.values), plan_.buffers.data<T>()); });
}

void Executor::adopt(const FixedPointLoop& loop) { finalize(loop.values); }

void Executor::adopt_discrete(const FixedPointLoop& loop) {
    for_each_discrete(
        [&]<class T>() { adopt_values(of<T>(loop.values), plan_.buffers.data<T>()); });
}

void Executor::finalize(const std::array<std::vector<LoopValue>, 4>& followers) {
    for_each_type([&]<class T>() { adopt_values(of<T>(followers), plan_.buffers.data<T>()); });
}

void Executor::go_back_to_discrete(const FixedPointLoop& loop) {
    for_each_discrete([&]<class T>() { go_back(of<T>(loop.values), plan_.buffers.data<T>()); });
}

void Executor::keep_first_discrete(FixedPointLoop& loop) const {
    for_each_discrete([&]<class T>() {
        keep_before(of<T>(loop.values), plan_.buffers.data<T>(), loop.first_discrete.data<T>());
    });
}

void Executor::restore_first_discrete(const FixedPointLoop& loop) {
    for_each_discrete([&]<class T>() {
        give_back(of<T>(loop.values), loop.first_discrete.data<T>(), plan_.buffers.data<T>());
    });
}

void Executor::keep_first(FixedPointLoop& loop) const {
    const auto& values = of<double>(loop.values);
    for (std::size_t i = 0; i < values.size(); ++i)
        loop.first[i] = plan_.buffers.reals[values[i].now];
}

void Executor::add_divergence(const FixedPointLoop& loop) {
    const auto& values = of<double>(loop.values);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double change = std::abs(plan_.buffers.reals[values[i].now] - loop.first[i]) /
                              system_.port(values[i].port).nominal;
        divergence_.sum_of_squares += change * change;
        if (change <= divergence_.largest) continue;
        divergence_.largest = change;
        divergence_.where = values[i].port;
    }
}

bool Executor::give_up(const FixedPointLoop& loop, int iterations) {
    if (may_diverge_) return false;
    if (events_ && events_->is_running() && !loop.until.accept_at_limit)
        events_->fail_to_settle(iterations);
    std::string worst = "a discrete value still changes";
    bool is_discrete = true;
    double largest_excess = 1;
    const double* const slots = plan_.buffers.reals.data();
    for (const LoopValue& v : of<double>(loop.values)) {
        const double excess = change(v, slots) / allowed_change(v, slots);
        if (!(excess > largest_excess)) continue;
        largest_excess = excess;
        is_discrete = !system_.port(v.port).is_continuous;
        worst = format("\"{}\" still changes by {:.3g}, more than {:.3g}", system_.name_of(v.port),
                       change(v, slots), allowed_change(v, slots));
    }
    const std::string message =
        format("the iteration at t = {} s has not converged after {} iterations: {}",
               shortest(now_.seconds), iterations, worst);
    ++summary_.not_converged;
    if (!loop.until.accept_at_limit) {
        throw Error(message, is_discrete
                                 ? "where a discrete value switches back what makes it switch, no "
                                   "iteration ends: let it act one step later, by contract: "
                                   "delayed for the inputs that it feeds or by a waveform recipe; "
                                   "at-limit: accept continues with a warning"
                                 : "use a smaller step, a larger iteration-limit or wider "
                                   "tolerances; at-limit: accept continues with a warning; a value "
                                   "that switches is not iterated with variability: discrete");
    }
    constexpr std::uint64_t most_warnings = 10;
    if (summary_.not_converged <= most_warnings) log_.write(LogLevel::warning, {}, message);
    return true;
}

} // namespace rubato::engine
