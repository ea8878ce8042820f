// SPDX-License-Identifier: Apache-2.0
#include "execution.hpp"

#include "actions.hpp"

#include <rubato/algorithm/traversal.hpp>

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
    if (!wiring_.connects_ever(get.port)) return Flow::proceed;
    ++operations_;
    apply_get(wiring_, state_, get);
    if (is_checked() || is_attempt()) {
        const auto check = phase_ == Phase::step ? check_get : check_initial_get;
        const auto breach = check(wiring_, state_, get);
        // What only other configurations connect may be got at any time, but then not used there.
        const bool is_demanded = is_checked() && wiring_.connects(get.port);
        if (breach && is_demanded) return stop(op, *breach);
        const UnitId unit = wiring_.owner[get.port.value];
        if (breach || state_.is_unreliable[unit.value]) mark(get, unreliable);
    }
    if (uncompared_[get.port.value] > 0) mark(get, uncompared);
    return done(op);
}

void Execution::mark(const Get& get, Stamp stamp) {
    (get.tentative ? state_.tentative_slot : state_.final_slot)[get.port.value] = stamp;
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
    const Ticks taken = std::min(request, longest);
    if (is_attempt() && check_step(wiring_, state_, step.unit, taken))
        state_.is_unreliable[step.unit.value] = 1;
    apply_step(state_, step.unit, taken);
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
Execution::Flow Execution::repeat(const Op& op, const Body& retry, Ticks limit,
                                  Iterate iterate_once, IsFound is_found, Prepare prepare,
                                  Breach not_found) {
    constexpr int usual = 8; // more iterations than it takes a loop to end, if it does
    std::optional<State> before;
    const unsigned fixed_points = std::holds_alternative<FixedPoint>(op) ? 1 : 0;
    bool is_extra = false;
    ++unchecked_loops_;
    unchecked_fixed_points_ += fixed_points;
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
        // From the same state it continues in the same way, for ever.
        if (iteration >= usual) before = state_;
        if (found) {
            is_extra = true;
            --unchecked_loops_;
            unchecked_fixed_points_ -= fixed_points;
        }
        if (execute(retry) == Flow::stop) return Flow::stop;
        prepare();
    }
}

Execution::Flow Execution::execute(const Op& op, const FixedPoint& loop) {
    // A unit that feeds itself: one iteration to find the values, one to see it, an extra one.
    const auto limit = std::max<Ticks>(static_cast<Ticks>(system_.units.size()), 2) + 1;
    const LoopPorts ports(loop);
    const LoopEntry entry(system_, ports, state_);
    for (const PortId port : ports.listed) ++compared_around_[port.value];
    const Flow flow = repeat(
        op, loop.retry, limit,
        [&](int iteration, bool is_extra) {
            if (is_extra && iterate_without_guesses(loop, ports) == Flow::stop) return Flow::stop;
            return iterate(op, loop.iterate, iteration);
        },
        [&] { return has_converged(loop); }, [&] { carry_over(loop); },
        {.rule = Rule::fixed_point_needs_end});
    for (const PortId port : ports.listed) --compared_around_[port.value];
    adopt_tentative(loop.iterate);
    if (flow == Flow::stop || !is_checked() || loop.until.iterations) return flow;
    return check_first_iteration(op, loop, ports, entry);
}

/// If the guesses are right, the first iteration is the last, and no unit is rolled back.
Execution::Flow Execution::check_first_iteration(const Op& op, const FixedPoint& loop,
                                                 const LoopPorts& ports, const LoopEntry& entry) {
    const LoopEntry end(system_, ports, state_);
    entry.go_back(wiring_, ports, state_);
    if (iterate(op, loop.iterate, 1) == Flow::stop) return Flow::stop;
    end.come_again(state_);
    return Flow::proceed;
}

/// What was got tentatively is final when the loop ends, unless a loop around compares it yet.
void Execution::adopt_tentative(const Body& iterate) {
    for (const PortId port : tentative_gets_of(iterate)) {
        if (compared_around_[port.value] == 0)
            state_.final_slot[port.value] = state_.tentative_slot[port.value];
    }
}

/// Convergence compares an iteration with the one before it, so that the last may use what that one
/// found and the loop compares, but nothing older and nothing else: for that, the guesses of the
/// one before it are taken away, and what it gives but the loop does not compare is marked.
Execution::Flow Execution::iterate_without_guesses(const FixedPoint& loop, const LoopPorts& ports) {
    Observer* const observer = std::exchange(observer_, nullptr);
    ++unchecked_loops_;
    ++unchecked_fixed_points_;
    for (const PortId port : ports.uncompared) ++uncompared_[port.value];
    outdate_guesses(ports);
    Flow flow = execute(loop.iterate);
    if (flow == Flow::proceed) flow = execute(loop.retry);
    carry_over(loop);
    for (const PortId port : ports.uncompared) --uncompared_[port.value];
    --unchecked_fixed_points_;
    --unchecked_loops_;
    observer_ = observer;
    return flow;
}

/// Outputs that are compared, but not got in the loop, are no guesses. Nor are final values of what
/// is got tentatively and not compared: those are from before the loop.
void Execution::outdate_guesses(const LoopPorts& ports) {
    for (const LoopGet& get : ports.got) {
        const bool is_listed = std::ranges::binary_search(ports.listed, get.port);
        if (get.tentative || is_listed) state_.tentative_slot[get.port.value] = outdated;
        if (!get.tentative || is_listed) state_.final_slot[get.port.value] = outdated;
    }
}

Execution::Flow Execution::execute(const Op& op, const Negotiate& loop) {
    const Ticks limit = Ticks{system_.largest_step} + 1;
    const auto agree = [&] {
        find_least_step();
        return all_accept();
    };
    std::optional<State> ended;
    const Flow flow = repeat(
        op, loop.retry, limit,
        [&](int iteration, bool is_extra) {
            return is_extra ? iterate(op, loop.iterate, iteration)
                            : ask_for_step(op, loop, iteration, ended);
        },
        agree, [] {}, {.rule = Rule::negotiation_needs_end});
    if (flow == Flow::proceed && ended) state_ = std::move(*ended);
    adopt_tentative(loop.iterate);
    return flow;
}

/// A negotiation ends with the iteration in which all units accept the step that was asked for. It
/// is done again from where it began, checked: it may lack what the extra one has from it. What it
/// leaves behind is kept in `ended`.
Execution::Flow Execution::ask_for_step(const Op& op, const Negotiate& loop, int iteration,
                                        std::optional<State>& ended) {
    const State start = state_;
    if (iterate(op, loop.iterate, iteration) == Flow::stop) return Flow::stop;
    find_least_step();
    const bool ends_here = all_accept() && state_.step == start.step;
    const bool is_unchecked_around = unchecked_loops_ > 1;
    if (!ends_here) return Flow::proceed;
    if (!is_unchecked_around) {
        const std::vector<Ticks> accepted = std::move(state_.accepted);
        state_ = start;
        state_.accepted = accepted;
        --unchecked_loops_;
        const Flow flow = iterate(op, loop.iterate, iteration);
        ++unchecked_loops_;
        if (flow == Flow::stop) return Flow::stop;
    }
    ended = state_;
    return Flow::proceed;
}

/// What comes out of an attempt at a step as it should not is of that time all the same.
bool Execution::has_settled(PortId port) const {
    const Stamp& final_value = state_.final_slot[port.value];
    const Stamp& tentative_value = state_.tentative_slot[port.value];
    return !wiring_.connects(port) || final_value == tentative_value || final_value == unreliable ||
           tentative_value == unreliable;
}

bool Execution::has_converged(const FixedPoint& loop) const {
    return std::ranges::all_of(loop.ports, [&](PortId port) { return has_settled(port); });
}

PortId Execution::still_changing(const FixedPoint& loop) const {
    for (const PortId port : loop.ports) {
        if (!has_settled(port)) return port;
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
