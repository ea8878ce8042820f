// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "crew.hpp"
#include "plan.hpp"

#include <rubato/core/log.hpp>
#include <rubato/engine/simulation.hpp>
#include <rubato/scenario/system.hpp>

namespace rubato::engine {

/// Runs the blocks of a plan. Allocates nothing.
class Executor {
public:
    /// `threads` share the sections.
    Executor(Plan& plan, const scenario::System& system, Summary& summary, Log& log,
             unsigned threads)
        : plan_(plan), system_(system), summary_(summary), log_(log) {
        if (threads > 1) crew_ = std::make_unique<Crew>(threads);
    }

    /// Brings all values to the start time.
    void initialize(Time start);
    /// Looks which configuration is in force.
    void choose_configuration(Time now);
    /// Goes on in another configuration, with the same connections: inputs keep their histories.
    void switch_order(std::size_t configuration);
    /// Of the whole step, how much the procedure of the configuration makes at once.
    double fraction() const { return plan_.procedures[configuration_].fraction; }
    /// The step procedure from `from` to `end`, which is `by` later but for rounding.
    Flow advance(Time from, Duration by, Time end);
    /// Where the last `advance` ended: its end, or earlier after a negotiation.
    Time end() const { return end_; }
    /// How far the unit that ended the run has got.
    Time accepted() const { return lane_.accepted; }
    /// Whether a unit has reported an event there.
    bool ended_at_event() const { return lane_.event; }
    std::size_t configuration() const { return configuration_; }
    /// Reads what the recorder sees and the algorithm does not.
    void observe() { (void)execute(plan_.observe, lane_); }

private:
    Flow execute(const Block& block, Lane& lane);
    void get(const GetCall& call);
    void set(const SetCall& call);
    [[gnu::noinline]] void set_rare(const SetCall& call);
    void approximate(const SetCall& call);
    Flow step(const Instruction& range, Lane& lane);
    [[gnu::cold]] Flow interrupted(const unit::Unit& unit, unit::StepResult result, Lane& lane);
    [[gnu::noinline]] Flow iterate(FixedPointLoop& loop, Lane& lane);
    [[gnu::noinline]] Flow negotiate(const NegotiationLoop& loop, Lane& lane);
    /// To what the unit that stopped short has accepted of the step.
    void shrink(const Lane& lane);
    [[gnu::noinline]] Flow run(Section& section, Lane& lane);

    /// In tolerances; a discrete value that changes is more than any.
    double largest_change(const FixedPointLoop& loop) const;
    /// Notes what the first iteration starts from, where gets will overwrite it.
    void keep_starting_values(const FixedPointLoop& loop);
    /// Makes what the iteration gave the start of the next.
    void adopt(const FixedPointLoop& loop);
    void give_up(const FixedPointLoop& loop, int iterations);
    void commit();
    bool is_in_force(const Procedure& procedure, Time now) const;
    double number_at(Storage storage, std::uint32_t slot) const;

    Plan& plan_;
    const scenario::System& system_;
    Summary& summary_;
    Log& log_;
    std::unique_ptr<Crew> crew_; ///< null: one thread

    Time now_;
    Time end_;
    Duration by_;
    std::size_t configuration_ = 0;
    int negotiating_ = 0; ///< depth
    Lane lane_;           ///< of the caller's thread
};

} // namespace rubato::engine
