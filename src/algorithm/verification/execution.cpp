// SPDX-License-Identifier: Apache-2.0
#include "execution.hpp"

#include "actions.hpp"
#include "walk.hpp"

#include <algorithm>
#include <utility>

namespace rubato::algorithm::verification {

std::optional<Breach> Execution::run(const Body& body) {
    const Flow flow = execute(body);
    return flow == Flow::stop ? breach_ : std::nullopt;
}

Execution::Flow Execution::stop(const Op& op, Breach breach) {
    breach.op = &op;
    breach_ = breach;
    return Flow::stop;
}

Execution::Flow Execution::done(const Op& op) {
    if (observer_) observer_->on_operation(op, state_);
    return Flow::proceed;
}

Execution::Flow Execution::execute(const Body& body) {
    for (const Op& op : body) {
        const Flow flow = std::visit([&](const auto& kind) { return execute(op, kind); }, op);
        if (flow == Flow::stop) return Flow::stop;
    }
    return Flow::proceed;
}

// -- actions
// -----------------------------------------------------------------------------------------

Execution::Flow Execution::execute(const Op& op, const Get& get) {
    if (!wiring_.connects(get.port)) return Flow::proceed;
    ++operations_;
    if (is_checked()) {
        const auto check = phase_ == Phase::step ? check_get : check_initial_get;
        if (const auto breach = check(wiring_, state_, get)) return stop(op, *breach);
    }
    apply_get(wiring_, state_, get);
    return done(op);
}

Execution::Flow Execution::execute(const Op& op, const Set& set) {
    if (!wiring_.connects(set.port)) return Flow::proceed;
    ++operations_;
    if (is_checked()) {
        const auto check = phase_ == Phase::step ? check_set : check_initial_set;
        if (const auto breach = check(wiring_, state_, set)) return stop(op, *breach);
    }
    apply_set(wiring_, state_, set);
    return done(op);
}

/// A step by the largest step there is is one by the common step.
Ticks Execution::requested(const Step& step) const {
    if (step.same_as) return state_.accepted[step.same_as->value];
    return step.by && *step.by != system_.largest_step ? *step.by : state_.step;
}

Execution::Flow Execution::execute(const Op& op, const Step& step) {
    ++operations_;
    if (step.same_as) {
        // Even where nothing else is checked: there is no step to speak of.
        if (const auto breach = check_same_as(state_, step)) return stop(op, *breach);
    }
    const Ticks request = requested(step);
    if (is_checked()) {
        if (const auto breach = check_step(wiring_, state_, step.unit, request))
            return stop(op, *breach);
    }
    // What a unit accepts shows when it is first asked; beyond the request it makes no difference.
    Ticks& longest = state_.accepted[step.unit.value];
    if (longest == 0) longest = choices_.draw(request);
    apply_step(state_, step.unit, std::min(request, longest));
    return done(op);
}

Execution::Flow Execution::execute(const Op& op, const Save& save) {
    ++operations_;
    apply_save(system_, state_, save.unit);
    return done(op);
}

Execution::Flow Execution::execute(const Op& op, const Restore& restore) {
    ++operations_;
    if (const auto breach = check_restore(state_, restore.unit)) return stop(op, *breach);
    apply_restore(system_, state_, restore.unit);
    return done(op);
}

/// The bodies are independent (see races.hpp): every interleaving ends as this order does.
Execution::Flow Execution::execute(const Op&, const Parallel& section) {
    for (const Body& body : section.bodies) {
        if (execute(body) == Flow::stop) return Flow::stop;
    }
    return Flow::proceed;
}

// -- loops
// -------------------------------------------------------------------------------------------

Execution::Flow Execution::iterate(const Op& loop, const Body& body, int iteration) {
    if (observer_) observer_->on_iteration(loop, iteration, is_checked());
    return execute(body);
}

template <class Iterate, class IsFound, class Prepare>
Execution::Flow Execution::repeat(const Op& op, const Body& retry, int limit, Iterate iterate_once,
                                  IsFound is_found, Prepare prepare, Breach not_found) {
    constexpr int usual = 8; // more iterations than it takes a loop to end, if it does
    std::optional<State> before;
    bool is_extra = false;
    ++unchecked_loops_;
    for (int iteration = 1;; ++iteration) {
        if (iterate_once(iteration, is_extra) == Flow::stop) return Flow::stop;
        const bool found = is_found();
        if (found && is_extra) return Flow::proceed;
        if (iteration >= limit || before == state_) {
            not_found.wanted = iteration;
            if (const auto* loop = std::get_if<FixedPoint>(&op))
                not_found.port = still_changing(*loop);
            return stop(op, not_found);
        }
        // From the same state it goes on in the same way, for ever.
        if (iteration >= usual) before = state_;
        if (found) {
            is_extra = true;
            --unchecked_loops_;
        }
        if (execute(retry) == Flow::stop) return Flow::stop;
        prepare();
    }
}

Execution::Flow Execution::execute(const Op& op, const FixedPoint& loop) {
    const int limit = static_cast<int>(system_.units.size()) + 1;
    return repeat(
        op, loop.retry, limit,
        [&](int iteration, bool is_extra) {
            if (is_extra && iterate_without_guesses(loop) == Flow::stop) return Flow::stop;
            return iterate(op, loop.iterate, iteration);
        },
        [&] { return has_converged(loop); }, [&] { carry_over(loop); },
        {.rule = Rule::fixed_point_needs_end});
}

/// Convergence compares an iteration with the one before it, so that the last may use what that one
/// found, but nothing older: for that, the guesses of the one before it are taken away.
Execution::Flow Execution::iterate_without_guesses(const FixedPoint& loop) {
    Observer* const observer = std::exchange(observer_, nullptr);
    ++unchecked_loops_;
    outdate_guesses(loop);
    Flow flow = execute(loop.iterate);
    if (flow == Flow::proceed) flow = execute(loop.retry);
    carry_over(loop);
    --unchecked_loops_;
    observer_ = observer;
    return flow;
}

/// Outputs that are compared, but not got in the loop, are no guesses.
void Execution::outdate_guesses(const FixedPoint& loop) {
    std::vector<PortId> compared = loop.ports;
    std::ranges::sort(compared);
    for_each_of<Get>(loop.iterate, [&](const Get& get) {
        if (!std::ranges::binary_search(compared, get.port)) return;
        state_.final_slot[get.port.value] = state_.tentative_slot[get.port.value] = outdated;
    });
}

Execution::Flow Execution::execute(const Op& op, const Negotiate& loop) {
    const int limit = system_.largest_step + 1;
    const auto agree = [&] {
        find_least_step();
        return all_accept();
    };
    return repeat(
        op, loop.retry, limit,
        [&](int iteration, bool is_extra) {
            return is_extra ? iterate(op, loop.iterate, iteration)
                            : ask_for_step(op, loop, iteration);
        },
        agree, [] {}, {.rule = Rule::negotiation_needs_end});
}

/// A negotiation ends with the iteration in which all units accept the step that was asked for. It
/// is done again from where it began, checked: it may lack what the extra one has from it.
Execution::Flow Execution::ask_for_step(const Op& op, const Negotiate& loop, int iteration) {
    const State start = state_;
    if (iterate(op, loop.iterate, iteration) == Flow::stop) return Flow::stop;
    find_least_step();
    const bool ends_here = all_accept() && state_.step == start.step;
    const bool is_unchecked_around = unchecked_loops_ > 1;
    if (!ends_here || is_unchecked_around) return Flow::proceed;

    const std::vector<Ticks> accepted = std::move(state_.accepted);
    state_ = start;
    state_.accepted = accepted;
    --unchecked_loops_;
    const Flow flow = iterate(op, loop.iterate, iteration);
    ++unchecked_loops_;
    return flow;
}

bool Execution::has_converged(const FixedPoint& loop) const {
    return std::ranges::all_of(loop.ports, [&](PortId port) {
        return !wiring_.connects(port) ||
               state_.final_slot[port.value] == state_.tentative_slot[port.value];
    });
}

PortId Execution::still_changing(const FixedPoint& loop) const {
    for (const PortId port : loop.ports) {
        if (wiring_.connects(port) &&
            state_.final_slot[port.value] != state_.tentative_slot[port.value])
            return port;
    }
    return loop.ports.empty() ? PortId{} : loop.ports.front();
}

/// With roll-back, what was tentative is the guess of the next iteration. Without (feed-through),
/// values that are got as final ones are kept as tentative ones, to be compared with.
void Execution::carry_over(const FixedPoint& loop) {
    if (!loop.retry.empty()) {
        for (const PortId port : loop.ports)
            state_.final_slot[port.value] = state_.tentative_slot[port.value];
        return;
    }
    std::vector<PortId> tentative;
    for_each_of<Get>(loop.iterate, [&](const Get& get) {
        if (get.tentative) tentative.push_back(get.port);
    });
    std::ranges::sort(tentative);
    for (const PortId port : loop.ports) {
        Stamp& final_slot = state_.final_slot[port.value];
        Stamp& tentative_slot = state_.tentative_slot[port.value];
        if (std::ranges::binary_search(tentative, port)) {
            final_slot = tentative_slot;
        } else {
            tentative_slot = final_slot;
        }
    }
}

void Execution::find_least_step() {
    Ticks least = 0;
    for (const Ticks accepted : state_.accepted) {
        if (accepted > 0 && (least == 0 || accepted < least)) least = accepted;
    }
    if (least > 0) state_.step = least;
}

bool Execution::all_accept() const {
    for (std::size_t u = 0; u < system_.units.size(); ++u) {
        if (system_.units[u].can_reject_step && state_.accepted[u] != state_.step) return false;
    }
    return true;
}

} // namespace rubato::algorithm::verification
