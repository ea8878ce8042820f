// SPDX-License-Identifier: Apache-2.0
#include "executor.hpp"

#include "grid.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace rubato::engine {

namespace {

constexpr int worst_good_status = 1; // of direct calls

template <class T>
std::span<const T> slice(const std::vector<T>& table, const Instruction& range) {
    return std::span(table).subspan(range.first, range.count);
}

bool all_finite(std::span<const double> values) {
    double probe = 0; // stays 0 unless a value is NaN or infinite
    for (const double value : values) probe += 0 * value;
    return probe == 0;
}

[[gnu::cold, gnu::noinline, noreturn]] void fail_not_finite(const GetCall& call, Time time) {
    const auto values = call.bulk.reals();
    const auto bad = std::ranges::find_if_not(values, [](double v) { return std::isfinite(v); });
    const ValueRef reference = call.bulk.references[static_cast<std::size_t>(bad - values.begin())];
    const auto& variables = call.unit->description().variables;
    const auto variable = std::ranges::find_if(variables, [&](const scenario::Variable& v) {
        return v.reference == reference && storage_of(v.type) == Storage::real;
    });
    throw NotFiniteError(
        format("unit \"{}\": output \"{}\" is {} at t = {} s", call.unit->name(),
               variable == variables.end() ? "?" : variable->name, shortest(*bad),
               shortest(time.seconds)),
        "the unit diverges or divides by zero: try a smaller step, or check its parameters");
}

} // namespace

void Executor::initialize(Time start) {
    now_ = end_ = start;
    by_ = {};
    unit::note_time(start.seconds);
    for (const Instruction range : plan_.first_guess) {
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

Flow Executor::advance(Time from, Duration by, Time end) {
    if (external_ && external_->move_to(from)) [[unlikely]]
        propagate(from);
    now_ = from;
    by_ = by;
    unit::note_time(from.seconds);
    end_ = end;
    outcome_.event = false;
    divergence_ = {};
    const Block& block = plan_.procedures[configuration_].block;
    const Flow flow = way_back_ ? negotiate(block, outcome_, [&] { way_back_->restore(); })
                                : agree(execute(block, outcome_), outcome_);
    restore_mode();
    summary_.unit_steps = outcome_.unit_steps;
    if (flow == Flow::stay) {
        end_ = now_;
        outcome_.event = true;
        return Flow::proceed;
    }
    if (flow == Flow::proceed) commit();
    if (flow == Flow::stop) summary_.ended_by = outcome_.interrupted->name();
    return flow;
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

void Executor::commit() {
    for (InputHistory& history : plan_.histories) history.commit();
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

Flow Executor::execute(const Block& block, BlockOutcome& outcome) {
    for (const Instruction& instruction : block) {
        Flow flow = Flow::proceed;
        switch (instruction.opcode) {
        case Opcode::get:
            for (const GetCall& call : slice(plan_.gets, instruction)) get(call);
            break;
        case Opcode::set:
            for (const SetCall& call : slice(plan_.sets, instruction)) set(call);
            break;
        case Opcode::step: flow = step(instruction, outcome); break;
        case Opcode::save:
            for (const SnapshotCall& call : slice(plan_.snapshots, instruction)) {
                call.snapshots->save(plan_.step_start);
            }
            break;
        case Opcode::restore:
            for (const SnapshotCall& call : slice(plan_.snapshots, instruction)) {
                call.snapshots->restore(plan_.step_start);
            }
            break;
        case Opcode::fixed_point:
            flow = iterate(plan_.fixed_points[instruction.first], outcome);
            break;
        case Opcode::negotiate: {
            const NegotiationLoop& loop = plan_.negotiations[instruction.first];
            flow = negotiate(loop.iterate, outcome, [&] { (void)execute(loop.retry, outcome); });
            if (flow == Flow::proceed) finalize(loop.followers);
            break;
        }
        case Opcode::section: flow = run(plan_.sections[instruction.first], outcome); break;
        default: events_->execute(instruction);
        }
        if (flow != Flow::proceed) [[unlikely]]
            return flow;
    }
    unit::note_no_call();
    return Flow::proceed;
}

inline void Executor::get(const GetCall& call) {
    if (call.direct) {
        unit::note_call(call.unit, "get");
        const int status = call.direct(call.instance, call.bulk.references.data(),
                                       call.bulk.references.size(), call.bulk.as<double>().data());
        if (status > worst_good_status) [[unlikely]]
            call.unit->raise(end_, "get", status);
    } else {
        call.unit->get(call.bulk);
    }
    if (call.checked && !all_finite(call.bulk.as<double>())) [[unlikely]]
        fail_not_finite(call, end_);
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

inline void Executor::set(const SetCall& call) {
    if (!call.direct) return set_rare(call);
    copy_sources(call, plan_.buffers.reals.data());
    unit::note_call(call.unit, "set");
    const int status = call.direct(call.instance, call.bulk.references.data(),
                                   call.bulk.references.size(), call.bulk.as<double>().data());
    if (status > worst_good_status) [[unlikely]]
        call.unit->raise(end_, "set", status);
}

void Executor::convert(const SetCall& call) {
    for (const ConvertedValue& value : call.extras->conversions) {
        const TypeChange& change = value.change;
        const void* const source = plan_.buffers.at(storage_of(change.from), value.slot);
        void* const target = element_at(storage_of(change.to), call.bulk.data, value.index);
        if (!change_type(change, source, target)) [[unlikely]]
            fail_to_change_type(change, source, system_, end_);
    }
}

void Executor::read(const GetCall& call) { get(call); }

void Executor::gather(const SetCall& call) {
    const Storage storage = storage_of(call.bulk.type);
    with_type_of(storage, [&]<class T>() { copy_sources(call, plan_.buffers.data<T>()); });
    if (call.extras && storage == Storage::real) scale<double>(call);
    if (call.extras && storage == Storage::integer) scale<std::int64_t>(call);
    if (call.extras && !call.extras->conversions.empty()) convert(call);
}

void Executor::set_rare(const SetCall& call) {
    gather(call);
    if (call.extras && !call.extras->approximations.empty()) {
        approximate(call);
    } else {
        call.unit->set(call.bulk);
    }
}

namespace {

/// The sample that is nearest to the middle, if the unit that provides it has made just this step. One
/// so near to an end that the parabola would magnify differences is no help.
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

inline Flow Executor::step(const Instruction& range, BlockOutcome& outcome) {
    outcome.unit_steps += range.count;
    for (const StepCall& call : slice(plan_.steps, range)) {
        if (call.direct) {
            unit::note_call(call.unit, "step");
            const int status = call.direct(call.instance, now_.seconds, by_.seconds, 1);
            if (!mode_.rounds_as_before() || exact_mode_checks_) [[unlikely]]
                restore_mode(*call.unit);
            if (status <= worst_good_status) [[likely]]
                continue;
            const Flow flow =
                interrupted(*call.unit, call.unit->conclude(now_, by_, status), outcome);
            if (flow != Flow::proceed) return flow;
            continue;
        }
        const unit::StepResult result = call.unit->step(now_, by_);
        restore_mode(*call.unit);
        if (result.end != unit::StepEnd::completed) [[unlikely]] {
            const Flow flow = interrupted(*call.unit, result, outcome);
            if (flow != Flow::proceed) return flow;
        }
    }
    return Flow::proceed;
}

} // namespace rubato::engine
