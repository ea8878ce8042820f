// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan.hpp"

#include <rubato/core/log.hpp>
#include <rubato/engine/simulation.hpp>
#include <rubato/scenario/system.hpp>

namespace rubato::engine {

/// How a block ended.
enum class Flow : std::uint8_t {
    proceed,
    shrink, ///< a unit accepted only part of the step: negotiate
    stop,   ///< a unit asks for the end of the simulation
};

/// Runs the blocks of a plan. Allocates nothing.
class Executor {
public:
    Executor(Plan& plan, const scenario::System& system, Summary& summary, Log& log)
        : plan_(plan), system_(system), summary_(summary), log_(log) {}

    /// Brings all values to the start time.
    void initialize(Time start);
    /// The step procedure from `from` to `end`, which is `by` later but for rounding.
    Flow advance(Time from, Duration by, Time end);
    /// Where the last `advance` ended: its end, or earlier after a negotiation.
    Time end() const { return end_; }
    /// Reads what the recorder sees and the algorithm does not.
    void observe() { (void)execute(plan_.observe); }

private:
    Flow execute(const Block& block);
    void get(const GetCall& call);
    void set(const SetCall& call);
    [[gnu::noinline]] void set_rare(const SetCall& call);
    void approximate(const SetCall& call);
    Flow step(const Instruction& range);
    [[gnu::cold]] Flow interrupted(const unit::Unit& unit, unit::StepResult result);
    [[gnu::noinline]] Flow iterate(FixedPointLoop& loop);
    [[gnu::noinline]] Flow negotiate(const NegotiationLoop& loop);

    bool has_converged(const FixedPointLoop& loop) const;
    /// Notes what the first iteration starts from, where gets will overwrite it.
    void keep_starting_values(const FixedPointLoop& loop);
    /// Makes what the iteration gave the start of the next.
    void adopt(const FixedPointLoop& loop);
    void give_up(const FixedPointLoop& loop, int iterations);
    void commit();

    Plan& plan_;
    const scenario::System& system_;
    Summary& summary_;
    Log& log_;

    Time now_;
    Time end_;
    Duration by_;
    int negotiating_ = 0; ///< depth
    Time accepted_;       ///< of the unit that stopped short
    const unit::Unit* short_unit_ = nullptr;
};

} // namespace rubato::engine
