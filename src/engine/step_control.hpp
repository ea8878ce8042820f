// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "checkpoint.hpp"
#include "couplings.hpp"
#include "estimators.hpp"
#include "event_search.hpp"
#include "executor.hpp"
#include "grid.hpp"
#include "loop_record.hpp"
#include "step_limits.hpp"
#include "step_size.hpp"

namespace rubato::engine {

/// Makes steps as long as the tolerance allows. Those that miss it are taken back and repeated
/// shorter, where all units can go back; else they are accepted and counted.
class StepControl {
public:
    /// What is passed must outlive it. `search` is null where events are not looked for, `limits`
    /// where nothing else limits steps.
    StepControl(const scenario::StepControl& settings, const scenario::Experiment& experiment,
                const scenario::System& system, Plan& plan,
                std::span<const std::unique_ptr<unit::Unit>> units, Couplings& couplings,
                Executor& executor, EventSearch* search, StepLimits* limits, Summary& summary);

    /// How long the next step is to be, if nothing else limits it.
    Duration next() const { return executor_.fraction() * size_.next(); }
    /// One step, from `now` to `limit` at most. Where it ends, the executor tells; the couplings
    /// have sampled it.
    Flow advance(Time now, Time limit);
    /// The communication point within the step made last, if there is one.
    std::optional<Time> inner_point() const { return middle_; }
    /// Whether inputs have jumped in the step made last: what was before says nothing of what
    /// comes.
    bool has_jumped() const { return has_jumped_; }
    void visit_state(StateArchive& archive) {
        archive(size_, middle_, worst_, suspect_, last_, has_jumped_);
    }
    /// What missed the tolerance most in a step that was accepted; empty: nothing did.
    std::string worst_missed() const;

private:
    struct Attempt {
        Duration by;
        Time end;
        bool was_cut = false;
    };
    struct Missed {
        Estimate estimate;
        Time when;
        std::size_t configuration = 0;
    };
    /// A step that missed the tolerance, to compare shorter ones within it with.
    struct Suspect {
        Time end;
        Duration by;
        Duration usual; ///< length of a step that did not
        double error = 0;
    };
    Attempt choose(Time now, Time limit) const;
    bool is_mere_jump(Time now, Duration made, double error);
    void note_missed(Time now, const Estimate& estimate);
    Flow advance(Time now, Duration by, Time end);
    void take_back(const LoopRecord& before);
    Flow judge_before_event(Time now, Estimate& estimate);
    Flow make(Time now, const Attempt& attempt);
    Flow make_halves(Time now, const Attempt& attempt);
    /// Whether the executor has come as far as it was to, without an event.
    bool arrived_at(Time end) const;
    [[gnu::cold, noreturn]] void fail_at_minimum(Time now, Duration by, const Estimate& estimate);

    const scenario::StepControl& settings_;
    Couplings& couplings_;
    Executor& executor_;
    EventSearch* search_;
    StepLimits* limits_;
    Summary& summary_;
    StepSize size_;
    std::unique_ptr<Estimator> estimator_;
    std::optional<Checkpoint> checkpoint_; ///< none: a unit cannot go back
    bool is_complete_ = false;             ///< the attempt was made as it was to be
    std::optional<Time> middle_;           ///< between its halves
    Missed worst_;                         ///< of the steps that were accepted all the same
    Suspect suspect_;
    Duration last_; ///< length of the step accepted last; 0: there is none
    bool has_jumped_ = false;
};

} // namespace rubato::engine
