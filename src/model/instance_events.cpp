// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/instance.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>

/// Steps of a model that has events. Between them the solver steps as ever; a crossing within one
/// of its steps is found by making shorter and shorter ones from the same start.
namespace rubato::model {

namespace {

/// Times nearer than this are the same.
double rounding_at(double time) {
    return 4 * std::numeric_limits<double>::epsilon() * std::abs(time);
}

} // namespace

double Instance::next_event(double now) const {
    double next = type_.next_event == nullptr ? std::numeric_limits<double>::infinity()
                                              : type_.next_event(object_, now);
    if (ticks_itself_)
        for (const Ticker& ticker : tickers()) next = std::min(next, ticker.next);
    return next;
}

void Instance::handle_event() {
    if (ticks_itself_) set_due_clocks();
    type_.event(object_, header().time);
    if (ticks_itself_) advance_tickers();
    header().equations_version = ++last_version_;
    header().stale = Slot::needs_all;
}

void Instance::solve_through_events(double from, double by) {
    constexpr int most_events = 100'000;
    const double end = from + by;
    if (moves()) hold_inputs(from);
    double now = from;
    for (int events = 0; events < most_events; ++events) {
        const bool crossed = run_to_crossing(from, now, std::min(end, next_event(now)));
        header().time = now;
        if (!crossed && next_event(now) > now) return;
        handle_event();
        tell_reached(from, now);
    }
    throw std::runtime_error("more than " + std::to_string(most_events) +
                             " events in one step; the model may switch back and forth for ever");
}

/// Stops at the first event, at header().time.
void Instance::step_to_event(double from, double by) {
    if (moves()) hold_inputs(from);
    const double end = from + by;
    double now = from;
    double limit = next_event(now);
    if (limit > end - rounding_at(end)) limit = end;
    const bool crossed = run_to_crossing(from, now, limit);
    header().time = now;
    header().at_event = crossed || next_event(now) <= now;
}

/// Moves `now` to the limit, or to the first crossing before it; returns whether there was one.
/// Inputs were held at `from`.
bool Instance::run_to_crossing(double from, double& now, double limit) {
    if (!(limit > now)) return false;
    if (static_cast<Solver>(header().solver) == Solver::exact) prepare_solver();
    const double start = now;
    const unsigned count = inner_steps(limit - start);
    for (unsigned i = 1; i <= count; ++i) {
        const double next = i == count ? limit : start + i * ((limit - start) / count);
        std::memcpy(objects_.get(), object_, type_.size);
        if (type_.crossing_count > 0) type_.crossings(object_, now, crossings_.get());
        if (crosses(from, now, next - now)) {
            now += locate_crossing(from, now, next - now);
            tell_reached(from, now);
            return true;
        }
        now = next;
        tell_reached(from, now);
    }
    return false;
}

/// Steps from where the object was kept. Returns whether a crossing has changed its sign; one that
/// leaves zero, where an event may have put it, has not.
bool Instance::crosses(double from, double now, double by) {
    std::memcpy(object_, objects_.get(), type_.size);
    inner_step(now, by, now - from);
    if (moves()) move_inputs(now + by - from);
    if (type_.crossing_count == 0) return false;
    const double* const before = crossings_.get();
    double* const after = crossings_.get() + type_.crossing_count;
    type_.crossings(object_, now + by, after);
    bool any = false;
    for (std::uint32_t i = 0; i < type_.crossing_count; ++i)
        any = any || (before[i] > 0 ? after[i] <= 0 : before[i] < 0 && after[i] >= 0);
    return any;
}

/// How long it takes until just after the crossing, which is within `by`.
double Instance::locate_crossing(double from, double now, double by) {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    double low = 0, high = by;
    while (high - low > std::max(rounding_at(now + high), epsilon / 2 * by)) {
        const double middle = low + (high - low) / 2;
        (crosses(from, now, middle) ? high : low) = middle;
    }
    if (by - high <= 2 * rounding_at(now + by)) high = by; // a step to a crossing ends there
    crosses(from, now, high);
    return high;
}

} // namespace rubato::model
