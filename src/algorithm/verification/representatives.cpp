// SPDX-License-Identifier: Apache-2.0
#include "representatives.hpp"

#include <rubato/algorithm/traversal.hpp>

#include <algorithm>
#include <set>

namespace rubato::algorithm::verification {

namespace {

using scenario::System;
using Units = std::set<UnitId>;

Units restored_in(const Body& retry) {
    Units units;
    for_each_of<Restore>(retry, [&](const Restore& restore) { units.insert(restore.unit); });
    return units;
}

Units stepped_in(const Body& body) {
    Units units;
    for_each_of<Step>(body, [&](const Step& step) { units.insert(step.unit); });
    return units;
}

bool rolls_back(const Body& iterate, const Body& retry) {
    return std::ranges::includes(restored_in(retry), stepped_in(iterate));
}

bool inner_loops_roll_back(const Body& body) {
    bool all = true;
    for_each_of<FixedPoint>(body, [&](const FixedPoint& loop) {
        if (!rolls_back(loop.iterate, loop.retry)) all = false;
    });
    return all;
}

/// Each step is by the common step, or by that of a unit before it in the iteration.
bool steps_follow(const System& system, const Body& iterate) {
    bool all = true;
    Units before;
    for_each_of<Step>(iterate, [&](const Step& step) {
        if (step.by && *step.by != system.largest_step) all = false;
        if (step.same_as && !before.contains(*step.same_as)) all = false;
        before.insert(step.unit);
    });
    return all;
}

bool is_sound(const System& system, const Body& procedure) {
    Units saved, stepped_outside, stepped_inside;
    bool sound = true;
    for (const Op& op : procedure) {
        for_each_within<Save>(op, [&](const Save& save) { saved.insert(save.unit); });
        if (const auto* search = std::get_if<Negotiate>(&op)) {
            stepped_inside = stepped_in(search->iterate);
            sound = sound && rolls_back(search->iterate, search->retry) &&
                    inner_loops_roll_back(search->iterate) &&
                    steps_follow(system, search->iterate) &&
                    std::ranges::includes(saved, stepped_inside);
        } else {
            for_each_within<Step>(op, [&](const Step& step) { stepped_outside.insert(step.unit); });
        }
    }
    for (std::size_t u = 0; u < system.units.size(); ++u) {
        const UnitId unit = nth<UnitId>(u);
        if (!system.units[u].can_reject_step) continue;
        if (stepped_outside.contains(unit) || !stepped_inside.contains(unit)) sound = false;
    }
    return sound;
}

/// Whether an iteration of a negotiation may use what the one before it has left: a value that it
/// gets after it is used, or an input of a unit that is not rolled back.
class Carrying {
public:
    Carrying(const Wiring& wiring, const Negotiate& loop)
        : wiring_(wiring), rolled_back_(restored_in(loop.retry)), got_here_(wiring.owner.size()),
          set_here_(wiring.owner.size()), is_new_(wiring.owner.size()) {
        mark_all(loop.iterate, got_here_, set_here_);
        visit(loop.iterate);
    }

    bool found() const { return found_; }

private:
    using Marks = std::vector<std::uint8_t>;

    static void mark_all(const Body& body, Marks& got, Marks& set) {
        for_each_of<Get>(body, [&](const Get& get) { got[get.port.value] = 1; });
        for_each_of<Set>(body, [&](const Set& s) { set[s.port.value] = 1; });
    }

    void visit(const Body& body) {
        for (const Op& op : body) {
            if (const auto* set = std::get_if<Set>(&op)) {
                const auto& source = wiring_.source[set->port.value];
                if (source && got_here_[source->value] && !is_new_[source->value]) found_ = true;
                is_new_[set->port.value] = 1;
            } else if (const auto* get = std::get_if<Get>(&op)) {
                visit_get(get->port);
            } else if (const auto* loop = std::get_if<FixedPoint>(&op)) {
                // Its checked iteration uses what its own one before has found.
                mark_all(loop->iterate, is_new_, is_new_);
                visit(loop->iterate);
            } else {
                for_each_body(op, [&](const Body& inner) { visit(inner); });
            }
        }
    }

    void visit_get(PortId port) {
        if (!rolled_back_.contains(wiring_.owner[port.value])) {
            for (const PortId input : wiring_.feedthrough[port.value])
                if (set_here_[input.value] && !is_new_[input.value]) found_ = true;
        }
        is_new_[port.value] = 1;
    }

    const Wiring& wiring_;
    Units rolled_back_;
    Marks got_here_, set_here_; ///< by port: somewhere in the iteration
    Marks is_new_;              ///< by port: so far in the iteration
    bool found_ = false;
};

bool are_independent(const Mode& mode) {
    bool independent = true;
    for_each_of<Negotiate>(mode.procedure->body, [&](const Negotiate& loop) {
        if (Carrying(mode.wiring, loop).found()) independent = false;
    });
    return independent;
}

std::vector<Ticks> extreme_steps(const System& system, const std::vector<Mode>& modes) {
    const Ticks largest = system.largest_step;
    std::set<Ticks> steps = {1, 2, largest - 1, largest};
    for (const Mode& mode : modes) {
        for_each_of<Step>(mode.procedure->body, [&](const Step& step) {
            if (step.by) steps.insert({Ticks{*step.by} - 1, *step.by, Ticks{*step.by} + 1});
        });
    }
    std::erase_if(steps, [&](Ticks step) { return step < 1 || step > largest; });
    return {steps.rbegin(), steps.rend()};
}

} // namespace

Representatives::Representatives(const System& system, const std::vector<Mode>& modes)
    : steps_(extreme_steps(system, modes)) {
    for (std::size_t u = 0; u < system.units.size(); ++u) {
        if (system.units[u].can_reject_step) rejecting_.push_back(nth<UnitId>(u));
    }
    are_sound_ = std::ranges::all_of(
        modes, [&](const Mode& mode) { return is_sound(system, mode.procedure->body); });
    are_iterations_independent_ = std::ranges::all_of(modes, are_independent);
}

void Representatives::draw(State& state, Choices& choices) const {
    if (rejecting_.empty()) return;
    const auto possible = std::ranges::count_if(steps_, [&](Ticks s) { return s <= state.step; });
    const auto first = static_cast<Ticks>(steps_.size()) - possible;
    const Ticks least = steps_[static_cast<std::size_t>(first + possible - choices.draw(possible))];
    const auto units = static_cast<Ticks>(rejecting_.size());
    const Ticks alone = units == 1 ? 0 : are_iterations_independent_ ? 1 : units;
    const Ticks chosen = least == state.step ? 1 : choices.draw(1 + alone);
    for (Ticks n = 0; n < units; ++n) {
        const UnitId unit = rejecting_[static_cast<std::size_t>(n)];
        // The first of the ways: all accept the same.
        const bool is_least = chosen == 1 || chosen == n + 2;
        state.accepted[unit.value] = is_least ? least : state.step;
    }
}

} // namespace rubato::algorithm::verification
