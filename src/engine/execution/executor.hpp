// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "checkpoint.hpp"
#include "decisions.hpp"
#include "distribution/transfers.hpp"
#include "grid.hpp"
#include "program/plan.hpp"
#include "thread_pool.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/core/log.hpp>
#include <rubato/engine/external_inputs.hpp>
#include <rubato/engine/simulation.hpp>
#include <rubato/private/floating_point.hpp>
#include <rubato/scenario/system.hpp>

#include <atomic>
#include <mutex>
#include <optional>
#include <set>
#include <span>

namespace rubato::engine {

/// An output is NaN or infinite.
class NotFiniteError : public Error {
public:
    using Error::Error;
};

/// Carries out the instructions of event procedures.
class EventInstructions {
public:
    virtual ~EventInstructions() = default;
    virtual void execute(const Instruction& instruction) = 0;
    /// Whether an event procedure is being executed.
    virtual bool is_running() const = 0;
    /// A loop of it does not converge.
    [[noreturn]] virtual void fail_to_settle(int iterations) const = 0;
};

/// Runs the blocks of a plan. Allocates nothing.
class Executor {
public:
    /// `threads` share the sections.
    Executor(Plan& plan, const scenario::System& system, Summary& summary, Log& log,
             unsigned threads, Decisions decisions = Decisions())
        : plan_(plan), system_(system), summary_(summary), log_(log), decisions_(decisions) {
        if (threads > 1) thread_pool_ = std::make_unique<ThreadPool>(threads);
    }

    /// After calls of a unit: computes as before, if it has changed that, and says so once.
    void restore_mode(const unit::Unit& unit) {
        if (!mode_.is_in_force()) [[unlikely]]
            restore_changed_mode(unit);
    }
    /// Brings all values to the start time.
    void initialize(Time start);
    /// Looks which configuration is in force. Where its connections are others than before, inputs
    /// are set from their new sources. Returns whether they are.
    bool choose_configuration(Time now);
    /// Continues in another configuration, with the same connections: inputs keep their histories.
    void switch_order(std::size_t configuration);
    /// Of the whole step, how much the procedure of the configuration makes at once.
    double fraction() const { return plan_.procedures[configuration_].fraction; }
    /// The step procedure from `from` to `end`, which is `by` later but for rounding.
    Flow advance(Time from, Duration by, Time end);
    /// Whether `advance` makes direct calls and nothing else, in this process.
    bool calls_directly() const {
        const Block& block = plan_.procedures[configuration_].block;
        return block.size() == 1 && block.front().opcode == Opcode::rows &&
               plan_.histories.empty() && !decisions_.are_shared() && !external_ && !way_back_ &&
               !measures_divergence_;
    }
    /// If so: many whole steps of a grid.
    struct WholeSteps {
        const Grid& grid;
        std::uint64_t count;           ///< at most Grid::whole_steps_from(next.number)
        Time& now;                     ///< a point of the grid
        GridPoint& next;               ///< the one after it
        const std::atomic<bool>& stop; ///< set by others, to end before the next step
        std::atomic<double>& done;     ///< for others: the time that is reached
    };
    /// Makes and counts them. A step that does not reach its end is the last one, and is not
    /// counted: the result is how it has ended.
    std::optional<Flow> advance(const WholeSteps& steps);
    /// Where the last `advance` began.
    Time began() const { return now_; }
    /// Where the last `advance` ended: its end, or earlier after a negotiation.
    Time end() const { return end_; }
    /// How far the unit that ended the run has got.
    Time accepted() const { return outcome_.accepted; }
    /// Whether a unit has reported an event there.
    bool ended_at_event() const { return outcome_.event; }
    /// The unit that did, or that ended an attempt.
    const unit::Unit* interrupted_by() const { return outcome_.interrupted; }
    std::size_t configuration() const { return configuration_; }
    /// Other processes have units, too; null: all are here.
    void exchange_by(Transfers* transfers) { transfers_ = transfers; }
    /// Other processes learn what is done next.
    void announce(RunCommand command, Time time) const {
        if (transfers_) transfers_->announce(command, time);
    }
    /// The command by which values are shared from now on.
    void share_as(RunCommand command) {
        if (transfers_) transfers_->share_as(command);
    }
    /// Of all that is decided in a run.
    const Decisions& decisions() const { return decisions_; }
    /// A step that a unit accepts only in part is made again from here, all units going back. It
    /// has been saved before each `advance`.
    void go_back_by(Checkpoint* way_back) { way_back_ = way_back; }
    /// Whether `advance` gives Flow::diverge instead of failing. Then it may be made again.
    void let_diverge(bool may) { may_diverge_ = may; }
    /// Whether `divergence` is measured.
    void measure_divergence(bool wanted) { measures_divergence_ = wanted; }
    /// What iterating has changed in the step made last, relative to nominal values: converged
    /// values against what the first iteration gave.
    struct Divergence {
        double sum_of_squares = 0;
        double largest = 0;
        PortId where;
    };
    const Divergence& divergence() const { return divergence_; }
    /// At an instant between steps: all outputs are read and all inputs set, as the configuration
    /// connects them, since values have jumped. What was before it says nothing of what comes.
    void exchange(Time now);
    /// The same, since inputs have changed from outside. What was before continues.
    void propagate(Time now);
    /// They are moved when a step begins; null: nothing comes from outside.
    void take_inputs_from(ExternalInputs* inputs) { external_ = inputs; }
    ExternalInputs* external_inputs() const { return external_; }
    /// Those that come from outside; what depends on them directly follows.
    [[gnu::noinline]] void move_inputs(Time now);
    /// At an instant between steps: a block of an event procedure.
    void run_event(const Block& block, Time now);
    void serve(EventInstructions& events) { events_ = &events; }
    void read(const GetCall& call);
    /// Brings the values of a set up to date, without setting them.
    void gather(const SetCall& call);
    /// Between steps.
    void visit_state(StateArchive& archive) {
        archive(now_, end_, by_, configuration_, divergence_);
        archive(outcome_.unit_steps, outcome_.accepted, outcome_.stopped_by_event, outcome_.event);
    }
    /// Reads what is watched.
    void watch() { (void)execute(plan_.watch, outcome_); }
    /// Reads what the recorder sees and the algorithm does not.
    void observe() {
        restore_mode();
        (void)execute(plan_.observe, outcome_);
    }

private:
    friend class LoopRun;
    class StepCount;

    /// After a procedure: the same, of a change that the quick check after direct calls has not
    /// seen. From then on every call is checked.
    void restore_mode() {
        if (!mode_.is_in_force()) [[unlikely]]
            restore_unexplained_mode();
    }
    /// Quickly: whether numbers are flushed to zero that were not. What else the mode has, which
    /// exceptions interrupt the process, changes no result and is looked at before values are
    /// recorded.
    void check_flushing() {
        if (FloatingPointMode::flushes()) [[unlikely]]
            restore_mode();
    }
    [[gnu::cold, gnu::noinline]] void restore_changed_mode(const unit::Unit& unit);
    [[gnu::cold, gnu::noinline]] void restore_unexplained_mode();
    Flow execute(const Block& block, BlockOutcome& outcome);
    [[gnu::noinline]] Flow execute_through_units(const Instruction& instruction,
                                                 BlockOutcome& outcome);
    void get(const GetCall& call);
    void set(const SetCall& call);
    void convert(const SetCall& call);
    void approximate(const SetCall& call);
    Flow step(const Instruction& range, BlockOutcome& outcome);
    // Where other processes have units, too.
    [[gnu::noinline]] Flow execute_jointly(const Instruction& instruction, BlockOutcome& outcome);
    void get_jointly(const Instruction& range);
    Flow step_jointly(const Instruction& range, BlockOutcome& outcome);
    // Rows of direct calls; `record` is that of this thread.
    Flow execute(std::span<const DirectRow> rows, unit::CallUnderWay& record,
                 BlockOutcome& outcome);
    void get(const GetRow& row, unit::CallUnderWay& record);
    void set(const SetRow& row, unit::CallUnderWay& record);
    Flow step(const StepRow& row, unit::CallUnderWay& record, BlockOutcome& outcome);
    /// After a step that has not simply succeeded, or after which the mode is another.
    [[gnu::cold, gnu::noinline]] Flow conclude(unit::Unit& unit, int status, BlockOutcome& outcome);
    [[gnu::cold, gnu::noinline, noreturn]] void fail_to_get(const GetRow& row, const Callee& callee,
                                                            int status) const;
    /// If one of the first gets of a row has given a value that is not finite, fails.
    void check_finite(const GetRow& row, std::size_t count) const;
    [[gnu::cold, gnu::noinline, noreturn]] void fail_not_finite(const GetCall& call) const;
    [[gnu::cold]] Flow interrupted(const unit::Unit& unit, unit::StepResult result,
                                   BlockOutcome& outcome);
    [[gnu::noinline]] Flow iterate(FixedPointLoop& loop, BlockOutcome& outcome);
    template <class GoBack>
    [[gnu::noinline]] Flow negotiate(const Block& attempt, BlockOutcome& outcome,
                                     const GoBack& go_back);
    [[gnu::noinline]] Flow advance_or_go_back(const Block& block);
    /// How a block has ended in all processes.
    Flow agree(Flow flow, BlockOutcome& outcome) {
        if (!decisions_.are_shared()) [[likely]]
            return flow;
        return agree_with_others(flow, outcome);
    }
    [[gnu::cold, gnu::noinline]] Flow agree_with_others(Flow flow, BlockOutcome& outcome);
    /// To what the unit that stopped short has accepted of the step.
    void shrink(const BlockOutcome& outcome);
    [[gnu::noinline]] Flow run(Section& section, BlockOutcome& outcome);

    /// In tolerances; a discrete value that changes is more than any.
    double largest_change(const FixedPointLoop& loop) const;
    /// Notes what the first iteration starts from, where gets will overwrite it.
    void keep_starting_values(const FixedPointLoop& loop);
    /// Makes what the iteration gave the start of the next.
    void adopt(const FixedPointLoop& loop);
    void adopt_discrete(const FixedPointLoop& loop);
    /// Makes tentative values final.
    void finalize(const std::array<std::vector<LoopValue>, 4>& followers);
    /// To what the iteration started from.
    void go_back_to_discrete(const FixedPointLoop& loop);
    void keep_first(FixedPointLoop& loop) const;
    /// What the first iteration starts from.
    void keep_first_discrete(FixedPointLoop& loop) const;
    void restore_first_discrete(const FixedPointLoop& loop);
    void add_divergence(const FixedPointLoop& loop);
    /// Whether the step may go on.
    bool give_up(const FixedPointLoop& loop, int iterations);
    void commit() {
        if (!plan_.histories.empty()) commit_histories();
    }
    [[gnu::noinline]] void commit_histories();
    [[gnu::cold, gnu::noinline]] Flow end_unusually(Flow flow);
    void release_saved();
    bool is_in_force(const Procedure& procedure, Time now) const;

    Plan& plan_;
    const scenario::System& system_;
    Summary& summary_;
    Log& log_;
    const Decisions decisions_;
    std::unique_ptr<ThreadPool> thread_pool_; ///< null: one thread

    const FloatingPointMode mode_; ///< of all threads
    /// What FloatingPointMode::sum() is to be after direct steps; 0: the mode is read after each.
    std::atomic<std::uint64_t> sum_{FloatingPointMode::sum()};
    std::mutex mode_mutex_; ///< guards the next
    std::set<const unit::Unit*> changed_mode_;

    Time now_;
    Time end_;
    Duration by_;
    std::size_t configuration_ = 0;
    int negotiating_ = 0;            ///< depth
    Checkpoint* way_back_ = nullptr; ///< null: a unit that stops short has failed, or negotiates
    bool may_diverge_ = false;
    bool measures_divergence_ = false;
    Divergence divergence_;
    BlockOutcome outcome_;                ///< of the caller's thread
    EventInstructions* events_ = nullptr; ///< null: there are none
    ExternalInputs* external_ = nullptr;
    Transfers* transfers_ = nullptr; ///< null: all units are in this process
};

inline Flow Executor::advance(Time from, Duration by, Time end) {
    if (external_) [[unlikely]]
        move_inputs(from);
    now_ = from;
    by_ = by;
    unit::note_time(from.seconds);
    end_ = end;
    outcome_.event = false;
    if (measures_divergence_) divergence_ = {};
    const Block& block = plan_.procedures[configuration_].block;
    const Flow flow =
        way_back_ ? advance_or_go_back(block) : agree(execute(block, outcome_), outcome_);
    check_flushing();
    summary_.unit_steps = outcome_.unit_steps;
    if (flow != Flow::proceed) [[unlikely]]
        return end_unusually(flow);
    commit();
    return flow;
}

} // namespace rubato::engine
