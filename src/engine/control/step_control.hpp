// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "accuracy/couplings.hpp"
#include "estimators.hpp"
#include "events/event_search.hpp"
#include "execution/checkpoint.hpp"
#include "execution/executor.hpp"
#include "execution/grid.hpp"
#include "step_choice.hpp"
#include "step_controller.hpp"
#include "step_size.hpp"

namespace rubato::engine {

/// Makes steps as long as the tolerance allows. Those that miss it are taken back and repeated
/// shorter, where all units can go back; else they are accepted and counted.
class StepControl final : public StepController {
public:
    /// What is passed must outlive it. `search` is null where events are not looked for.
    StepControl(const scenario::StepControlSettings& settings,
                const scenario::Experiment& experiment, const scenario::System& system, Plan& plan,
                std::span<const std::unique_ptr<unit::Unit>> units, Couplings& couplings,
                Executor& executor, EventSearch* search, Summary& summary);

    /// How long the next step is to be, if nothing else limits it.
    Duration next() const { return executor_.fraction() * size_.next(); }

    bool judges() const override { return true; }
    Checkpoint* checkpoint() override { return checkpoint_ ? &*checkpoint_ : nullptr; }
    /// The step that is wanted may be shorter.
    Attempt begin(const Attempt& wanted) override;
    /// An accepted step has been sampled by the couplings.
    Judgement judge(const Attempt& made, Flow flow) override;
    void conclude(Summary& summary) const override { summary.missed_most = worst_missed(); }
    /// Whether inputs have jumped in the step made last: what was before says nothing of what
    /// comes.
    bool has_jumped() const { return has_jumped_; }
    void visit_state(StateArchive& archive) override {
        archive(size_, worst_, suspect_, last_, has_jumped_);
    }

private:
    /// Which attempt is under way.
    enum class Stage : std::uint8_t {
        whole,
        first_half, ///< of two, after the whole
        second_half,
        before_event, ///< to where nothing has happened yet
        to_event,     ///< and again to where something has
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
    Attempt try_whole();
    Attempt try_first_half();
    Judgement repeat_shorter(Duration made, double error, unsigned order);
    /// Of an attempt that was not made in full; true: another one completes it.
    Judgement judge_error(Flow flow);
    Judgement conclude_step();
    Estimate estimate();
    /// What missed the tolerance most in a step that was accepted; empty: nothing did.
    std::string worst_missed() const;
    bool is_shortest() const;
    bool is_mere_jump(Time now, Duration made, double error);
    void note_missed(Time now, const Estimate& estimate);
    /// Whether the executor has come as far as it was to, without an event.
    bool arrived_at(Time end) const;
    [[gnu::cold, noreturn]] void fail_at_minimum(Time now, Duration by, const Estimate& estimate);

    const scenario::StepControlSettings& settings_;
    Couplings& couplings_;
    Executor& executor_;
    EventSearch* search_;
    Summary& summary_;
    StepSize size_;
    std::unique_ptr<Estimator> estimator_;
    std::optional<Checkpoint> checkpoint_; ///< none: a unit cannot go back
    // The step under way.
    Time from_, limit_;
    Stage stage_ = Stage::whole;
    StepChoice choice_;
    Attempt whole_;            ///< as it was made
    Time event_;               ///< that it has ended at
    Estimate estimate_;        ///< of its error
    bool is_complete_ = false; ///< it was made as it was to be

    Missed worst_; ///< of the steps that were accepted all the same
    Suspect suspect_;
    Duration last_; ///< length of the step accepted last; 0: there is none
    bool has_jumped_ = false;
};

} // namespace rubato::engine
