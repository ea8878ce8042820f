// SPDX-License-Identifier: Apache-2.0
#include "representatives.hpp"

#include "walk.hpp"

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
        if (const auto* save = std::get_if<Save>(&op)) saved.insert(save->unit);
        if (const auto* search = std::get_if<Negotiate>(&op)) {
            stepped_inside = stepped_in(search->iterate);
            sound = sound && rolls_back(search->iterate, search->retry) &&
                    inner_loops_roll_back(search->iterate) &&
                    steps_follow(system, search->iterate) &&
                    std::ranges::includes(saved, stepped_inside);
        } else {
            stepped_outside.merge(stepped_in({op}));
        }
    }
    for (std::size_t u = 0; u < system.units.size(); ++u) {
        const UnitId unit = nth<UnitId>(u);
        if (!system.units[u].can_reject_step) continue;
        if (stepped_outside.contains(unit) || !stepped_inside.contains(unit)) sound = false;
    }
    return sound;
}

} // namespace

bool representatives_are_sound(const System& system, const std::vector<Mode>& modes) {
    return std::ranges::all_of(
        modes, [&](const Mode& mode) { return is_sound(system, mode.procedure->body); });
}

void draw_representative(const System& system, State& state, Choices& choices) {
    const Ticks least = choices.draw(state.step);
    const bool accept_alike = least == state.step || choices.draw(2) == 2;
    Ticks next = least;
    for (std::size_t u = 0; u < system.units.size(); ++u) {
        if (!system.units[u].can_reject_step) continue;
        state.accepted[u] = next;
        if (!accept_alike) next = state.step;
    }
}

} // namespace rubato::algorithm::verification
