// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "choices.hpp"
#include "state.hpp"
#include "wiring.hpp"

namespace rubato::algorithm::verification {

/// Where there are too many runs, a few of them find whatever any of them would.
///
/// Let all units that may reject be stepped in one negotiation, by the common step or by what a
/// unit before them in the iteration accepted, and let everything that is stepped in it be saved
/// before and rolled back between iterations. Of the step h that is asked for let m be the least
/// that a unit accepts. If m = h, all units accept h at once. If not, unit u takes some s_u in the
/// first iteration, m ≤ s_u ≤ h and one of them m; in the second all take m and agree.
///
/// Where units stand and what times values are from are then sums of h, m, s_u and the numbers that
/// steps are given. An operation checks such sums against each other, either for equality or for
/// one being greater. So it is right in all runs if it is right where h and m are extreme (1 and
/// the largest step, or next to them, or next to a given number) and
///
///  - all units accept m: no value is older than then, so no other run breaks "greater";
///  - just one unit accepts m, for each of them in turn: with the run above these make a sum
///    that should not depend on the s_u but does differ.
///
/// The s_u are seen only by a second iteration that uses values of the first. Where none is used,
/// one unit that accepts less than the others stands for all.
class Representatives {
public:
    Representatives(const scenario::System& system, const std::vector<Mode>& modes);

    /// Whether the algorithm is of that form.
    bool are_sound() const { return are_sound_; }

    /// The steps h to ask for, from the largest.
    const std::vector<Ticks>& steps() const { return steps_; }

    /// Settles what all units accept in this step.
    void draw(State& state, Choices& choices) const;

private:
    std::vector<UnitId> rejecting_;
    std::vector<Ticks> steps_;
    bool are_sound_ = false;
    bool are_iterations_independent_ = false;
};

} // namespace rubato::algorithm::verification
