// SPDX-License-Identifier: Apache-2.0
#include "executor.hpp"

#include "finite.hpp"
#include "grid.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace rubato::engine {

void Executor::initialize(Time start) {
    now_ = end_ = start;
    by_ = {};
    unit::note_time(start.seconds);
    for (const Instruction range : plan_.first_guess) {
        if (transfers_)
            transfers_->read(range, start);
        else
            for (const GetCall& call : slice(plan_.gets, range)) call.unit->get(call.bulk);
    }
    for (const Guess& guess : plan_.guesses)
        plan_.buffers.assign(guess.storage, guess.slot, guess.value);
    (void)execute(plan_.initialization, outcome_);
    commit();
}

template <class GoBack>
Flow Executor::negotiate(const Block& attempt, BlockOutcome& outcome, const GoBack& go_back) {
    ++negotiating_;
    const bool event_before = outcome.event;
    const Divergence divergence_before = divergence_;
    Flow flow = agree(execute(attempt, outcome), outcome);
    while (flow == Flow::shrink) {
        const bool stays = outcome.stopped_by_event && outcome.accepted == now_;
        if (!stays) shrink(outcome);
        go_back();
        outcome.event = event_before;
        divergence_ = divergence_before;
        flow = stays ? Flow::stay : agree(execute(attempt, outcome), outcome);
    }
    --negotiating_;
    return flow;
}

void Executor::move_inputs(Time now) {
    if (external_->move_to(now)) propagate(now);
}

Flow Executor::advance_or_go_back(const Block& block) {
    return negotiate(block, outcome_, [&] {
        way_back_->restore();
        announce(RunCommand::abort_iteration, now_);
    });
}

void Executor::commit_histories() {
    for (InputHistory& history : plan_.histories) history.commit();
}

Flow Executor::end_unusually(Flow flow) {
    if (flow == Flow::stop) summary_.ended_by = outcome_.interrupted->name();
    if (flow != Flow::stay) return flow;
    end_ = now_;
    outcome_.event = true;
    return Flow::proceed;
}

void Executor::exchange(Time now) {
    for (InputHistory& history : plan_.histories) history.forget();
    run_event(plan_.procedures[plan_.procedures[configuration_].connections].exchange, now);
    commit();
}

void Executor::propagate(Time now) {
    for (InputHistory& history : plan_.histories) history.reopen(now);
    run_event(plan_.procedures[plan_.procedures[configuration_].connections].exchange, now);
    commit();
}

void Executor::run_event(const Block& block, Time now) {
    now_ = end_ = now;
    unit::note_time(now.seconds);
    const bool may_diverge = std::exchange(may_diverge_, false);
    (void)execute(block, outcome_);
    may_diverge_ = may_diverge;
}

bool Executor::choose_configuration(Time now) {
    if (plan_.procedures.size() == 1) return false;
    (void)execute(plan_.conditions, outcome_);
    std::size_t chosen = plan_.procedures.size() - 1;
    while (chosen > 0 && !is_in_force(plan_.procedures[chosen], now)) --chosen;
    chosen = decisions_.last(chosen);
    const bool reconnects =
        plan_.procedures[chosen].connections != plan_.procedures[configuration_].connections;
    if (!reconnects) {
        switch_order(chosen);
        return false;
    }
    configuration_ = chosen;
    ++summary_.switches;
    release_saved();
    exchange(now);
    return true;
}

void Executor::switch_order(std::size_t configuration) {
    if (configuration == configuration_) return;
    configuration_ = configuration;
    ++summary_.switches;
    release_saved();
    (void)execute(plan_.procedures[configuration].take_over, outcome_);
}

/// The procedure that saved them is not executed any more, and another one may save others.
void Executor::release_saved() {
    for (const SnapshotCall& call : plan_.snapshots) call.snapshots->release(plan_.step_start);
}

bool Executor::is_in_force(const Procedure& procedure, Time now) const {
    if (now < procedure.from) return false;
    if (!procedure.when) return true;
    const auto& [storage, slot, relation, value] = *procedure.when;
    return holds(relation, plan_.buffers.number_at(storage, slot), value);
}

Flow Executor::execute_through_units(const Instruction& instruction, BlockOutcome& outcome) {
    if (transfers_ && instruction.opcode <= Opcode::step)
        return execute_jointly(instruction, outcome);
    switch (instruction.opcode) {
    case Opcode::get:
        for (const GetCall& call : slice(plan_.gets, instruction)) get(call);
        break;
    case Opcode::set:
        for (const SetCall& call : slice(plan_.sets, instruction)) set(call);
        break;
    case Opcode::step: return step(instruction, outcome);
    case Opcode::save:
        for (const SnapshotCall& call : slice(plan_.snapshots, instruction))
            call.snapshots->save(plan_.step_start);
        break;
    case Opcode::restore:
        announce(RunCommand::rewind, now_);
        for (const SnapshotCall& call : slice(plan_.snapshots, instruction))
            call.snapshots->restore(plan_.step_start);
        break;
    case Opcode::fixed_point: return iterate(plan_.fixed_points[instruction.first], outcome);
    case Opcode::negotiate: {
        const NegotiationLoop& loop = plan_.negotiations[instruction.first];
        const Flow flow =
            negotiate(loop.iterate, outcome, [&] { (void)execute(loop.retry, outcome); });
        if (flow == Flow::proceed) finalize(loop.followers);
        return flow;
    }
    case Opcode::section: return run(plan_.sections[instruction.first], outcome);
    default: events_->execute(instruction);
    }
    return Flow::proceed;
}

void Executor::get(const GetCall& call) {
    call.unit->get(call.bulk);
    if (call.checked && !all_finite(call.bulk.as<double>())) [[unlikely]]
        fail_not_finite(call);
}

namespace {

template <class T>
void copy_sources(const SetCall& call, const T* slots) {
    T* const to = static_cast<T*>(call.bulk.data);
    for (std::size_t i = 0; i < call.bulk.count; ++i) to[i] = slots[call.sources[i]];
}

template <class T>
void scale(const SetCall& call) {
    T* const values = static_cast<T*>(call.bulk.data);
    for (const Scaling& scaling : call.extras->scalings) {
        T& value = values[scaling.index];
        value = scaled(value, scaling.factor, scaling.offset);
    }
}

} // namespace

void Executor::convert(const SetCall& call) {
    for (const ConvertedValue& value : call.extras->conversions) {
        const TypeChange& change = value.change;
        const void* const source = plan_.buffers.at(storage_of(change.from), value.slot);
        void* const target = element_at(storage_of(change.to), call.bulk.data, value.index);
        if (!change_type(change, source, target)) [[unlikely]]
            fail_to_change_type(change, source, system_, end_);
    }
}

void Executor::read(const GetCall& call) {
    call.unit->stand_at(end_); // direct calls pass by the unit
    get(call);
}

void Executor::gather(const SetCall& call) {
    const Storage storage = storage_of(call.bulk.type);
    with_type_of(storage, [&]<class T>() { copy_sources(call, plan_.buffers.data<T>()); });
    if (call.extras && storage == Storage::real) scale<double>(call);
    if (call.extras && storage == Storage::integer) scale<std::int64_t>(call);
    if (call.extras && !call.extras->conversions.empty()) convert(call);
}

void Executor::set(const SetCall& call) {
    gather(call);
    if (call.extras && !call.extras->approximations.empty()) {
        approximate(call);
    } else {
        call.unit->set(call.bulk);
    }
}

namespace {

/// The sample that is nearest to the middle, if the unit that provides it has made just this step.
/// One so near to an end that the parabola would magnify differences is no help.
void look_within(InputHistory& history, const InnerValue& inner, Time now, Time end) {
    constexpr double farthest = 0.3; // from the middle, of the step
    if (!inner.samples || inner.samples->from() != now ||
        std::abs((inner.samples->to() - end).seconds) > sliver * (end - now).seconds)
        return;
    const double middle = 0.5 * (now.seconds + end.seconds);
    std::optional<std::size_t> nearest;
    double least = farthest * (end - now).seconds;
    for (std::size_t i = 0; i < inner.samples->count(); ++i) {
        const double distance = std::abs(inner.samples->time(i).seconds - middle);
        if (!(distance < least)) continue;
        least = distance;
        nearest = i;
    }
    if (!nearest) return;
    const double value = inner.samples->values(*nearest)[inner.column];
    history.sample_within(inner.samples->time(*nearest), inner.factor * value + inner.offset);
}

Taylor moved(InputHistory& history, const ApproximatedInputs& inputs, std::size_t i, Time now,
             Time end, double value) {
    using Mode = ApproximatedInputs::Mode;
    if (inputs.mode == Mode::go_on) return history.go_on();
    history.sample(inputs.at_end ? end : now, value);
    if (!inputs.within.empty()) look_within(history, inputs.within[i], now, end);
    return inputs.mode == Mode::interpolate ? history.interpolated() : history.extrapolated();
}

} // namespace

void Executor::approximate(const SetCall& call) {
    const auto values = call.bulk.reals();
    for (ApproximatedInputs& inputs : call.extras->approximations) {
        for (std::size_t i = 0; i < inputs.histories.size(); ++i) {
            double& value = values[inputs.first + i];
            InputHistory& history = plan_.histories[inputs.histories[i]];
            const Taylor taylor = moved(history, inputs, i, now_, end_, value);
            value = taylor.value;
            inputs.first_derivatives[i] = taylor.first;
            inputs.second_derivatives[i] = taylor.second;
        }
    }
    call.unit->set(call.bulk);
    unit::InputDerivatives& derivatives = *call.unit->input_derivatives();
    for (const ApproximatedInputs& inputs : call.extras->approximations) {
        derivatives.set(inputs.references, 1, inputs.first_derivatives);
        if (inputs.order > 1) derivatives.set(inputs.references, 2, inputs.second_derivatives);
    }
}

Flow Executor::execute_jointly(const Instruction& instruction, BlockOutcome& outcome) {
    if (instruction.opcode == Opcode::step) return step_jointly(instruction, outcome);
    if (instruction.opcode == Opcode::get) {
        get_jointly(instruction);
        return Flow::proceed;
    }
    const Distribution::Silence silence = transfers_->set_silently();
    for (std::uint32_t i = instruction.first; i < instruction.first + instruction.count; ++i)
        if (transfers_->follows_set(i)) set(plan_.sets[i]);
    return Flow::proceed;
}

/// All processes look at the values that they have got: of a loop, all have them.
void Executor::get_jointly(const Instruction& range) {
    transfers_->read(range, end_);
    for (const GetCall& call : slice(plan_.gets, range))
        if (call.checked && !all_finite(call.bulk.as<double>())) [[unlikely]]
            fail_not_finite(call);
}

/// Of units that end their steps unusually, the first one in the program decides, as in one
/// process. Others may have made steps that they would not have made there: these are rolled back,
/// or the run has ended.
Flow Executor::step_jointly(const Instruction& range, BlockOutcome& outcome) {
    outcome.unit_steps += range.count;
    std::vector<UnusualEnd>& own = transfers_->own_ends();
    own.clear();
    announce(RunCommand::advance_time, end_);
    for (std::uint32_t i = range.first; i < range.first + range.count; ++i) {
        unit::Unit& unit = *plan_.steps[i].unit;
        const unit::StepResult result = unit.step(now_, by_);
        restore_mode(unit);
        if (result.end != unit::StepEnd::completed) own.push_back({i, result});
    }
    announce(RunCommand::synch, end_);
    transfers_->begin_ends(own);
    while (const auto end = transfers_->next_end()) {
        const Flow flow = interrupted(*plan_.steps[end->step].unit, end->result, outcome);
        if (flow != Flow::proceed) return flow;
    }
    return Flow::proceed;
}

Flow Executor::step(const Instruction& range, BlockOutcome& outcome) {
    outcome.unit_steps += range.count;
    for (const StepCall& call : slice(plan_.steps, range)) {
        const unit::StepResult result = call.unit->step(now_, by_);
        restore_mode(*call.unit);
        if (result.end == unit::StepEnd::completed) [[likely]]
            continue;
        const Flow flow = interrupted(*call.unit, result, outcome);
        if (flow != Flow::proceed) return flow;
    }
    return Flow::proceed;
}

} // namespace rubato::engine
