// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "execution/checkpoint.hpp"
#include "program/state_archive.hpp"

#include <rubato/core/time.hpp>
#include <rubato/engine/simulation.hpp>

#include <limits>

namespace rubato::engine {

/// A step that is to be made, or has been. `by` is what units are asked for: `end - from`, but for
/// rounding.
struct Attempt {
    Time from;
    Duration by;
    Time end;

    static Attempt between(Time from, Time end) { return {from, end - from, end}; }
};

/// What a controller says of an attempt.
class [[nodiscard]] Judgement {
public:
    enum class Kind : std::uint8_t {
        accept,
        repeat, ///< roll back to the start of the step, and make the next attempt from there
        append  ///< make the next attempt from where this one has ended
    };
    static Judgement accept() { return {Kind::accept, {}}; }
    static Judgement repeat(const Attempt& next) { return {Kind::repeat, next}; }
    static Judgement continue_with(const Attempt& next) { return {Kind::append, next}; }

    Kind kind() const { return kind_; }
    const Attempt& next() const { return next_; }

private:
    Judgement(Kind kind, const Attempt& next) : kind_(kind), next_(next) {}
    Kind kind_;
    Attempt next_;
};

/// A step that is accepted.
struct MadeStep {
    Time from;
    Duration by;  ///< as asked for, where all of it was made
    Time reached; ///< by the units
    Time end;     ///< the same, but for rounding: the point of the grid that was to be reached
    std::size_t configuration = 0;
};

/// Has a say in the steps of a run, or follows them: step size, event location, limits, the order
/// of units, estimates of errors. It sees the life of a macro step
/// (docs/architecture.md) through these functions, in this order, and nothing else. To
/// add one: derive from this class, and name it in StepDriver::make_controllers.
class StepController {
public:
    virtual ~StepController() = default;

    /// 1 Choose: when the step from `now` is to end at the latest, if it is no longer than
    /// `longest`; infinite: it does not matter.
    virtual Time latest_end(Time /*now*/, Duration /*longest*/) const {
        return {std::numeric_limits<double>::infinity()};
    }
    /// 2 Save: where a step rolls back to. Null: all attempts are accepted, or a unit cannot roll
    /// back.
    virtual Checkpoint* checkpoint() { return nullptr; }
    /// 3 Advance: the first attempt at a step that is wanted. It has been saved.
    virtual Attempt begin(const Attempt& wanted) { return wanted; }
    /// 4 Judge: an attempt has been made; the executor knows how it ended.
    virtual Judgement judge(const Attempt& /*made*/, Flow /*flow*/) { return Judgement::accept(); }
    /// Whether it does the last two.
    virtual bool judges() const { return false; }
    /// 5 Commit: the step is accepted by all.
    virtual void commit(const MadeStep& /*step*/) {}

    /// After initialization, and after events that steps have ended at: what was before says
    /// nothing of what comes.
    virtual void restart(Time /*now*/) {}
    /// Units have handled events: of values that have jumped, what was before says nothing.
    virtual void jump(Time /*now*/) {}
    /// The run has ended.
    virtual void conclude(Summary& /*summary*/) const {}
    virtual void visit_state(StateArchive& /*archive*/) {}
};

} // namespace rubato::engine
