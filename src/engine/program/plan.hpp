// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "direct_rows.hpp"
#include "event_calls.hpp"
#include "execution/approximation.hpp"
#include "loops/loop_derivatives.hpp"
#include "loops/loop_solver.hpp"
#include "snapshot_slots.hpp"
#include "state_archive.hpp"
#include "type_change.hpp"

#include <rubato/algorithm/algorithm.hpp>
#include <rubato/core/id.hpp>
#include <rubato/core/value.hpp>
#include <rubato/engine/simulation.hpp>
#include <rubato/scenario/scenario.hpp>
#include <rubato/unit/unit.hpp>

#include <array>
#include <cstdint>
#include <deque>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace rubato::engine {

/// All values that cross, one contiguous array per storage. A slot is an index into one of them.
struct Buffers {
    std::vector<double> reals;
    std::vector<std::int64_t> integers;
    std::unique_ptr<bool[]> booleans;
    std::size_t boolean_count = 0;
    std::vector<std::string> strings;

    /// By storage.
    void allocate(const std::array<std::uint32_t, 4>& counts) {
        reals.resize(counts[0]);
        integers.resize(counts[1]);
        boolean_count = counts[2];
        booleans = std::make_unique<bool[]>(boolean_count);
        strings.resize(counts[3]);
    }

    template <class T>
    T* data() {
        if constexpr (std::is_same_v<T, double>)
            return reals.data();
        else if constexpr (std::is_same_v<T, std::int64_t>)
            return integers.data();
        else if constexpr (std::is_same_v<T, bool>)
            return booleans.get();
        else
            return strings.data();
    }
    template <class T>
    const T* data() const {
        return const_cast<Buffers*>(this)->data<T>();
    }
    void* at(Storage storage, std::uint32_t slot) {
        return with_type_of(storage, [&]<class T>() -> void* { return data<T>() + slot; });
    }
    const void* at(Storage storage, std::uint32_t slot) const {
        return const_cast<Buffers*>(this)->at(storage, slot);
    }
    void assign(Storage storage, std::uint32_t slot, const Value& value) {
        with_type_of(storage, [&]<class T>() { data<T>()[slot] = std::get<T>(value); });
    }
    Value value_at(Storage storage, std::uint32_t slot) const {
        return with_type_of(storage, [&]<class T>() -> Value { return data<T>()[slot]; });
    }
    void visit_state(StateArchive& archive) {
        archive(reals, integers, strings);
        archive.elements(booleans.get(), boolean_count);
    }
    /// True is 1; strings are no numbers.
    double number_at(Storage storage, std::uint32_t slot) const {
        return with_type_of(storage, [&]<class T>() -> double {
            if constexpr (std::is_same_v<T, std::string>)
                return 0;
            else
                return static_cast<double>(data<T>()[slot]);
        });
    }
};

/// `present > value`, for example.
inline bool holds(scenario::Relation relation, double present, double value) {
    switch (relation) {
    case scenario::Relation::equals: return present == value;
    case scenario::Relation::exceeds: return present > value;
    case scenario::Relation::falls_below: break;
    }
    return present < value;
}

enum class Opcode : std::uint8_t {
    get,
    set,
    step,
    save,
    restore,
    fixed_point,
    negotiate,
    section,
    // Of event procedures.
    event_get,
    event_set,
    get_clock,
    set_clock,
    update,
    rows, ///< of direct calls
};

/// `count` entries from `first` of the plan's table for the opcode.
struct Instruction {
    Opcode opcode = Opcode::get;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};
using Block = std::vector<Instruction>;

/// The entries that were added to a table since it had `before` of them.
template <class Table>
Instruction added(Opcode opcode, const Table& table, std::size_t before) {
    return {opcode, static_cast<std::uint32_t>(before),
            static_cast<std::uint32_t>(table.size() - before)};
}

template <class T>
std::span<const T> slice(const std::vector<T>& table, const Instruction& range) {
    return std::span(table).subspan(range.first, range.count);
}

/// One bulk read.
struct GetCall {
    unit::Unit* unit = nullptr;
    Bulk bulk;
    bool checked = false; ///< its values must be finite
};

/// `value := factor · value + offset`, on the n-th value of a set
struct Scaling {
    std::uint32_t index = 0;
    double factor = 1;
    double offset = 0;
};

/// The n-th value of a set comes from another storage, or from another integer type.
struct ConvertedValue {
    std::uint32_t index = 0;
    std::uint32_t slot = 0; ///< of the source, in its storage
    TypeChange change;
};

/// What the source of an input was within a step.
struct InnerValue {
    const unit::InnerSamples* samples = nullptr; ///< null: not provided
    std::uint32_t column = 0;
    double factor = 1, offset = 0; ///< of the connection
};

/// Inputs of one set call that move within a step.
struct ApproximatedInputs {
    std::uint32_t first = 0; ///< of the call's values; they are neighbours
    std::vector<std::uint32_t> histories;
    unsigned order = 1;
    enum class Mode : std::uint8_t {
        extrapolate,
        interpolate, ///< the sample is of the end of the step and the unit at its start
        go_on,       ///< there is no new sample: from the last accepted one, whatever came before
    };
    Mode mode = Mode::extrapolate;
    bool at_end = false;            ///< the sample is of the end of the step
    std::vector<InnerValue> within; ///< by history, of order 2 that interpolates; else empty
    std::vector<double> first_derivatives, second_derivatives;
    std::span<const ValueRef> references;
};

/// What few set calls need.
struct SetExtras {
    std::vector<Scaling> scalings;
    std::vector<ConvertedValue> conversions; ///< of values that are not scaled besides
    std::vector<ApproximatedInputs> approximations;

    bool empty() const { return scalings.empty() && conversions.empty() && approximations.empty(); }
};

/// Gathers values from their sources and writes them with one bulk call.
struct SetCall {
    unit::Unit* unit = nullptr;
    Bulk bulk;
    const std::uint32_t* sources = nullptr; ///< slots, one per value
    SetExtras* extras = nullptr;            ///< null: none
};

struct StepCall {
    unit::Unit* unit = nullptr;
};

struct SnapshotCall {
    unit::Snapshots* snapshots = nullptr;
};

/// The two values of an output in a loop: what this iteration gives and what it started from. A
/// tentative get gives to the tentative slot and starts from the final one; a plain get overwrites
/// the final slot, and the tentative one keeps what was there before.
struct LoopValue {
    std::uint32_t now = 0;
    std::uint32_t before = 0;
    bool overwrites = false;
    double absolute_tolerance = 0, relative_tolerance = 0; ///< of reals
    double nominal = 1;
    PortId port;
};

struct FixedPointLoop {
    Block iterate, retry;
    std::array<std::vector<LoopValue>, 4> values; ///< by storage
    algorithm::Convergence until;
    std::size_t guessed = 0; ///< so many reals come first: what an iteration starts from
    std::unique_ptr<LoopSolver> solver;
    std::unique_ptr<LoopDerivatives> derivatives;  ///< null: units do not give them
    std::vector<double> start, weights;            ///< see LoopProblem
    std::vector<const unit::InnerSamples*> within; ///< values from within steps that inputs use
    std::vector<double> last;                      ///< the guesses that these belong to
    LoopWork work;
    std::vector<double> first; ///< reals, as the first iteration gave them
    Buffers first_discrete;    ///< values that the first iteration starts from
    /// Tentative values that are not compared. They become final when the loop ends.
    std::array<std::vector<LoopValue>, 4> followers; ///< by storage

    /// Between steps.
    void visit_state(StateArchive& archive) {
        archive(start, weights, last, work.method, work.since, work.contraction, work.iterations,
                work.jacobians);
        solver->visit_state(archive);
    }
};

struct NegotiationLoop {
    Block iterate, retry;
    std::array<std::vector<LoopValue>, 4> followers; ///< as of FixedPointLoop
};

/// How a block ended.
enum class Flow : std::uint8_t {
    proceed,
    shrink,  ///< a unit accepted only part of the step: negotiate
    stop,    ///< a unit asks for the end of the simulation
    stay,    ///< a unit has an event at the start of the step: none is made
    diverge, ///< an iteration has not converged, and the step may be made again
};

/// What one thread notes while it runs a block.
struct BlockOutcome {
    std::uint64_t unit_steps = 0;
    const unit::Unit* interrupted = nullptr; ///< the unit that ended the block
    Time accepted;                           ///< by that unit, where the step must shrink
    bool stopped_by_event = false;           ///< whether that is why
    bool event = false;                      ///< a unit has one at the end of the step
};

/// Blocks of disjoint units: they may run at the same time.
struct Section {
    struct Branch {
        Block block;
        BlockOutcome outcome;
        Flow flow = Flow::proceed;
        std::exception_ptr error;
    };
    std::vector<Branch> branches;
};

/// The step procedure of one configuration, and when it is in force. What is done at events is that
/// of the first one with the same connections.
struct Procedure {
    Block block;
    Block take_over; ///< sets what units extrapolate that have interpolated it before
    Block exchange;  ///< at one instant: reads all outputs and sets all inputs of its connections
    Block event;     ///< one instant of an event; empty: no unit has event mode
    Block event_guesses;                ///< reads what its loops start from
    std::vector<std::uint32_t> watched; ///< of its event sets, those to be looked at between events
    std::size_t connections = 0;        ///< index of the first procedure with the same connections
    double fraction = 1;                ///< of the step to be made
    Time from{-std::numeric_limits<double>::infinity()}; ///< never, if it has no condition

    /// What is compared before each step.
    struct Comparison {
        Storage storage = Storage::real;
        std::uint32_t slot = 0;
        scenario::Relation relation = scenario::Relation::equals;
        double value = 0;
    };
    std::optional<Comparison> when;
};

/// Outputs that are sampled within steps.
struct InnerSampling {
    unit::IntermediateOutputs* unit = nullptr;
    std::vector<ValueRef> outputs;
};

/// What an output is taken to be before its loop is first iterated.
struct Guess {
    Storage storage = Storage::real;
    std::uint32_t slot = 0;
    Value value;
};

/// An algorithm over units, with every name turned into an index. Moves, but never grows, once
/// built.
struct Plan {
    Buffers buffers;
    std::set<std::vector<ValueRef>> references; ///< of the bulks; equal ones are shared
    std::deque<std::vector<Part>> parts;        ///< of the bulks with arrays
    std::vector<std::uint32_t> sources;         ///< what the set calls point into
    std::deque<SetExtras> extras;
    std::vector<GetCall> gets;
    std::vector<SetCall> sets;
    std::vector<StepCall> steps;
    DirectRows direct; ///< what blocks call directly, once the units are initialized
    std::vector<Block> blocks_through_units; ///< as they were before that
    std::vector<SnapshotCall> snapshots;
    std::vector<FixedPointLoop> fixed_points;
    std::vector<NegotiationLoop> negotiations;
    std::vector<Section> sections;
    std::vector<EventClock> clocks;
    std::vector<EventGet> event_gets, clocked_columns; ///< the latter are only recorded
    std::vector<EventSet> event_sets;
    std::vector<std::uint32_t> clock_gets; ///< indices of clocks
    std::vector<ClockSet> clock_sets;
    std::vector<UpdateCall> updates;
    Block event_watch; ///< reads what may cause events of units with event mode, between events
    std::vector<InputHistory> histories;
    std::vector<InnerSampling> inner_samplings;
    std::set<const unit::Unit*> saved_units; ///< whose states are saved: not called directly
    std::shared_ptr<SnapshotSlots> slots = std::make_shared<SnapshotSlots>();
    std::uint32_t step_start = slots->take(); ///< slot of the algorithm's own `save`
    Duration minimum_step;                    ///< units that accept less cannot go on

    Block first_guess;          ///< before initialization: what loops start from
    std::vector<Guess> guesses; ///< and what the scenario says of it
    Block initialization;
    std::vector<Procedure>
        procedures;   ///< the first is in force when no other is; the last one wins
    Block conditions; ///< reads what the procedures compare
    Block watch;      ///< reads what is watched
    Block observe;    ///< recorded variables that the algorithm does not get

    /// Between steps.
    void visit_state(StateArchive& archive) { archive(buffers, histories, fixed_points); }
};

} // namespace rubato::engine
