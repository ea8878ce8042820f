// SPDX-License-Identifier: Apache-2.0
#include "explorer.hpp"

#include "actions.hpp"
#include "representatives.hpp"

#include <rubato/algorithm/traversal.hpp>

#include <algorithm>
#include <tuple>
#include <unordered_set>

namespace rubato::algorithm::verification {

namespace {

using scenario::System;

/// What a part of a run has come to.
struct Outcome {
    std::optional<Breach> breach;
    std::uint64_t operations = 0;
};

Outcome initialize(const System& system, const Algorithm& algorithm, const Mode& mode, State& state,
                   Observer* observer) {
    Choices none;
    Execution execution(system, mode.wiring, Phase::initialization, state, none, observer);
    std::optional<Breach> breach = execution.run(algorithm.initialization);
    if (!breach) breach = check_initialized(mode.wiring, state, system);
    return {breach, execution.operations()};
}

void begin_step(const System& system, State& state, Ticks step) {
    state.step = step;
    std::ranges::fill(state.has_stepped, std::uint8_t{0});
    for (std::size_t u = 0; u < system.units.size(); ++u)
        state.accepted[u] = system.units[u].can_reject_step ? 0 : step;
}

/// What was saved is of no use any more: no unit may go back behind a step that all have taken.
void end_step(State& state) {
    state.step = 0;
    std::ranges::fill(state.has_stepped, std::uint8_t{0});
    std::ranges::fill(state.accepted, 0);
    std::ranges::fill(state.is_saved, std::uint8_t{0});
}

/// `representatives` may be null: then units draw what they accept when they are first asked.
Outcome take_step(const System& system, const Mode& mode, Ticks step,
                  const Representatives* representatives, State& state, Choices& choices,
                  Observer* observer) {
    const Ticks begin = state.time.empty() ? 0 : state.time.front();
    begin_step(system, state, step);
    if (representatives) representatives->draw(state, choices);
    Execution execution(system, mode.wiring, Phase::step, state, choices, observer);
    std::optional<Breach> breach = execution.run(mode.procedure->body);
    if (!breach) breach = check_advance(state, begin, step);
    end_step(state);
    return {breach, execution.operations()};
}

std::uint64_t operations_in(const Algorithm& algorithm) {
    std::uint64_t count = 0;
    const auto add_one = [&](const Op&) { ++count; };
    for_each_op(algorithm.initialization, add_one);
    for (const Procedure& procedure : algorithm.steps) for_each_op(procedure.body, add_one);
    return count;
}

/// A state between two steps, and how it came about.
struct Reached {
    State state;
    std::vector<ChosenStep> steps;
    std::uint64_t operations = 0;

    friend bool operator==(const Reached& a, const Reached& b) {
        return go_on_alike(a.state, b.state);
    }
};

struct HashReached {
    std::size_t operator()(const Reached& reached) const { return hash_of(reached.state); }
};
using ReachedSet = std::unordered_set<Reached, HashReached>;

class Explorer {
public:
    Explorer(const System& system, const Algorithm& algorithm, const std::vector<Mode>& modes,
             const Effort& effort)
        : system_(system), algorithm_(algorithm), modes_(modes), effort_(effort.operations),
          budget_(effort.operations), representatives_(system, modes) {}

    Exploration explore() {
        const bool too_many = least_runs() > static_cast<double>(effort_);
        if (too_many && representatives_.are_sound()) return explore_representatives();
        if (!initialize() || explore_steps(Draws::every)) return result(Coverage::every_run);
        if (!findings_.empty() || !representatives_.are_sound())
            return result(Coverage::incomplete);
        return explore_representatives();
    }

    Exploration explore_representatives() {
        // Few runs, however long the algorithm is.
        budget_ = std::max(budget_, 500 * operations_in(algorithm_));
        const bool complete = !initialize() || explore_steps(Draws::representatives);
        return result(complete ? Coverage::representatives : Coverage::incomplete);
    }

private:
    /// False: it does not get that far.
    bool initialize() {
        start_ = State(system_.units.size(), system_.ports.size());
        const Outcome outcome =
            verification::initialize(system_, algorithm_, modes_.front(), start_, nullptr);
        runs_ = 1;
        initial_operations_ = outcome.operations;
        if (outcome.breach)
            findings_.push_back({*outcome.breach, Draws::every, {}, outcome.operations});
        return !outcome.breach;
    }

    /// Of every step, and of one unit that may reject.
    double least_runs() const {
        const auto steps = static_cast<double>(system_.largest_step);
        const bool may_reject =
            std::ranges::any_of(system_.units, &scenario::SystemUnit::can_reject_step);
        return may_reject ? steps * steps / 2 : steps;
    }

    /// The first step is the largest and in the first configuration; those after it are any. What
    /// the procedure of one configuration leaves undone shows when another follows: there are as
    /// many steps after the first as configurations, unless they lead nowhere new. False: it was
    /// more than the effort allows.
    bool explore_steps(Draws draws) {
        draws_ = draws;
        operations_ = runs_ = 0;
        ReachedSet seen;
        ReachedSet reached{{start_, {}, initial_operations_}};
        for (std::size_t step = 0; step <= modes_.size(); ++step) {
            ReachedSet next;
            for (const Reached& from : reached) {
                const bool complete = step == 0 ? explore_runs(from, 0, system_.largest_step, next)
                                                : explore_every_step(from, next);
                if (!complete) return false;
            }
            std::erase_if(next, [&](const Reached& state) { return seen.contains(state); });
            seen.insert(next.begin(), next.end());
            reached = std::move(next);
        }
        return true;
    }

    bool explore_every_step(const Reached& from, ReachedSet& next) {
        for (std::size_t mode = 0; mode < modes_.size(); ++mode) {
            if (!explore_every_step(from, mode, next)) return false;
        }
        return true;
    }

    bool explore_every_step(const Reached& from, std::size_t mode, ReachedSet& next) {
        if (draws_ == Draws::representatives) {
            return std::ranges::all_of(representatives_.steps(), [&](Ticks step) {
                return explore_runs(from, mode, step, next);
            });
        }
        for (Ticks step = system_.largest_step; step >= 1; --step) {
            if (!explore_runs(from, mode, step, next)) return false;
        }
        return true;
    }

    const Representatives* drawn() const {
        return draws_ == Draws::representatives ? &representatives_ : nullptr;
    }

    /// Every way through one step. False: it was more than the effort allows.
    bool explore_runs(const Reached& from, std::size_t mode, Ticks step, ReachedSet& next) {
        Choices choices;
        do {
            if (operations_ > budget_) return false;
            Reached after = from;
            const Outcome outcome =
                take_step(system_, modes_[mode], step, drawn(), after.state, choices, nullptr);
            ++runs_;
            operations_ += outcome.operations + 1;
            after.operations += outcome.operations;
            after.steps.push_back({mode, step, choices.taken()});
            if (outcome.breach) {
                add({*outcome.breach, draws_, std::move(after.steps), after.operations});
            } else {
                next.insert(std::move(after));
            }
        } while (choices.advance());
        return true;
    }

    /// Keeps the shortest of those at the same operation and port.
    void add(Finding finding) {
        const auto where = [](const Finding& f) {
            return std::tuple(f.breach.op, f.breach.unit, f.breach.port);
        };
        const auto same = std::ranges::find(findings_, where(finding), where);
        if (same == findings_.end()) {
            findings_.push_back(std::move(finding));
        } else if (finding.operations < same->operations) {
            *same = std::move(finding);
        }
    }

    Exploration result(Coverage coverage) {
        std::ranges::stable_sort(findings_, {}, &Finding::operations);
        return {std::move(findings_), runs_, coverage};
    }

    const System& system_;
    const Algorithm& algorithm_;
    const std::vector<Mode>& modes_;
    const std::uint64_t effort_;
    std::uint64_t budget_;
    Representatives representatives_;
    State start_{0, 0}; ///< after the initialization
    Draws draws_ = Draws::every;
    std::uint64_t initial_operations_ = 0;
    std::uint64_t operations_ = 0;
    std::uint64_t runs_ = 0;
    std::vector<Finding> findings_;
};

} // namespace

Exploration explore(const System& system, const Algorithm& algorithm,
                    const std::vector<Mode>& modes, const Effort& effort) {
    return Explorer(system, algorithm, modes, effort).explore();
}

Exploration explore_representatives(const System& system, const Algorithm& algorithm,
                                    const std::vector<Mode>& modes, const Effort& effort) {
    return Explorer(system, algorithm, modes, effort).explore_representatives();
}

void replay(const System& system, const Algorithm& algorithm, const std::vector<Mode>& modes,
            const Finding& finding, StepObserver& observer) {
    const Representatives representatives(system, modes);
    const Representatives* const drawn =
        finding.draws == Draws::representatives ? &representatives : nullptr;
    State state(system.units.size(), system.ports.size());
    (void)initialize(system, algorithm, modes.front(), state, &observer);
    for (std::size_t n = 0; n < finding.steps.size(); ++n) {
        const ChosenStep& step = finding.steps[n];
        observer.on_step(n + 1, step);
        Choices choices(step.draws);
        (void)take_step(system, modes[step.mode], step.step, drawn, state, choices, &observer);
    }
}

} // namespace rubato::algorithm::verification
