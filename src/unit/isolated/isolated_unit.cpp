// SPDX-License-Identifier: Apache-2.0
#include "isolated_unit.hpp"

#include "values.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace rubato::unit {

namespace {

/// More gets than these after one step are made one by one.
constexpr std::size_t most_prefetched = 32;
/// What was not asked for after so many steps is not read any more until it is.
constexpr unsigned most_idle_steps = 2;
/// No more than so many bytes wait for a call to go with.
constexpr std::size_t most_waiting = std::size_t{1} << 20;

std::optional<std::chrono::nanoseconds> limit_of(const scenario::IsolationSettings& settings) {
    if (settings.time_limit == 0) return std::nullopt;
    constexpr double longest = 1e9; // seconds, which a clock can count
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::duration<double>(std::min(settings.time_limit, longest)));
}

} // namespace

bool IsolatedUnit::PrefetchedGet::is_for(const Bulk& bulk) const {
    return type == bulk.type && count == bulk.count &&
           std::ranges::equal(references, bulk.references);
}

IsolatedUnit::IsolatedUnit(const IsolatedOrigin& origin,
                           const scenario::UnitDescription& description,
                           const scenario::IsolationSettings& settings, Log& log)
    : Unit(origin.name, description), session_(origin.name, limit_of(settings), log) {
    calling([&] {
        put(add(RemoteCall::instantiate), origin);
        abilities_ = exchange(1).take<RemoteAbilities>();
    });
}

Abilities IsolatedUnit::abilities() noexcept {
    return {
        .snapshots = abilities_.snapshots ? this : nullptr,
        .serialized_states = nullptr, // nobody needs those of other processes
        .input_derivatives = abilities_.input_derivatives ? this : nullptr,
        .event_mode = abilities_.event_mode ? &events_ : nullptr,
        .intermediate_outputs = abilities_.intermediate_outputs ? this : nullptr,
        .directional_derivatives = abilities_.directional_derivatives ? this : nullptr,
        .solver_statistics = abilities_.solver_statistics ? &statistics_ : nullptr,
        .direct_calls = nullptr, // its functions are in another process
    };
}

Writer& IsolatedUnit::add(RemoteCall call) {
    if (has_failed_since_ && call != RemoteCall::restore) raise_fault();
    for (PrefetchedGet& get : prefetched_) get.answered = false;
    return session_.add(call);
}

/// For a call that gives nothing back. A unit that has failed is to say at once whether it is
/// healed.
void IsolatedUnit::send_now_or_later() {
    if (phase() == Phase::stepping && session_.size() < most_waiting) return;
    exchange(session_.calls());
}

/// Of the calls in the batch, the first `needed` must not fail.
Reader IsolatedUnit::exchange(std::uint32_t needed) {
    const std::uint32_t calls = session_.calls();
    session_.exchange();
    statistics_ = session_.statistics();
    if (session_.completed() < needed) raise_fault();
    has_failed_since_ = session_.completed() < calls && session_.fault() != RemoteFault::none;
    return session_.results();
}

void IsolatedUnit::raise_fault() {
    has_failed_since_ = false;
    const std::string text = session_.fault_text();
    switch (session_.fault()) {
    case RemoteFault::input_error: throw InputError(text);
    case RemoteFault::error: fail_saying(text);
    case RemoteFault::bug: throw std::logic_error(text);
    case RemoteFault::exception:
        fail(to_string(session_.under_way()), format("it threw an exception: {}", text));
    case RemoteFault::none: break;
    }
    throw ProcessFault("it has corrupted the memory that it shares with Rubato");
}

void IsolatedUnit::do_enter_initialization(const Horizon& horizon) {
    calling([&] {
        add(RemoteCall::enter_initialization).put(horizon);
        exchange(session_.calls());
    });
}

void IsolatedUnit::do_exit_initialization() {
    calling([&] {
        add(RemoteCall::exit_initialization);
        exchange(session_.calls());
    });
}

void IsolatedUnit::do_terminate() {
    calling([&] {
        add(RemoteCall::terminate);
        exchange(session_.calls());
    });
}

void IsolatedUnit::do_set(const Bulk& values) {
    calling([&] {
        Writer& message = add(RemoteCall::set);
        put_variables(message, values);
        put_values(message, values);
        send_now_or_later();
    });
}

void IsolatedUnit::set(std::span<const ValueRef> inputs, unsigned order,
                       std::span<const double> values) {
    require(Call::set);
    calling([&] {
        Writer& message = add(RemoteCall::set_input_derivatives);
        message.put(order);
        message.put(inputs.size());
        message.put_span(inputs);
        message.put_span(values);
        send_now_or_later();
    });
}

Evaluation IsolatedUnit::directional_derivative(std::span<const ValueRef> unknowns,
                                                std::span<const ValueRef> knowns,
                                                std::span<const double> seed,
                                                std::span<double> sensitivity) {
    require(Call::get);
    auto evaluation = Evaluation::refused;
    calling([&] {
        Writer& message = add(RemoteCall::directional_derivative);
        message.put(unknowns.size());
        message.put_span(unknowns);
        message.put(knowns.size());
        message.put_span(knowns);
        message.put_span(seed);
        Reader results = exchange(session_.calls());
        evaluation = results.take<Evaluation>();
        std::ranges::copy(results.take_span<double>(sensitivity.size()), sensitivity.begin());
    });
    return evaluation;
}

void IsolatedUnit::save(std::uint32_t slot) {
    require(Call::save);
    calling([&] {
        add(RemoteCall::save).put(slot);
        send_now_or_later();
    });
    note_saved(slot);
}

void IsolatedUnit::restore(std::uint32_t slot) {
    require(Call::restore);
    has_failed_since_ = false;
    calling([&] {
        add(RemoteCall::restore).put(slot);
        send_now_or_later();
    });
    note_restored(slot);
}

void IsolatedUnit::release(std::uint32_t slot) {
    calling([&] {
        add(RemoteCall::release).put(slot);
        send_now_or_later();
    });
}

StepResult IsolatedUnit::do_step(Time from, Duration by) {
    StepResult result;
    samples_.begin(from, by);
    calling([&] {
        Writer& message = add(RemoteCall::step);
        message.put(from);
        message.put(by);
        const std::uint32_t needed = session_.calls();
        prefetch_gets();
        try {
            Reader results = exchange(needed);
            result = results.take<StepResult>();
            if (samples_.is_sampling()) take_samples(results);
            take_prefetched(results, session_.completed() - needed);
        } catch (const ProcessFault&) {
            if (session_.under_way() == RemoteCall::get) stand_at(from + by);
            throw;
        }
    });
    return result;
}

void IsolatedUnit::sample(std::span<const ValueRef> outputs, std::size_t most) {
    require(Call::get);
    calling([&] {
        Writer& message = add(RemoteCall::sample);
        message.put(most);
        message.put(outputs.size());
        message.put_span(outputs);
        exchange(session_.calls());
    });
    samples_.sample(outputs, most);
}

void IsolatedUnit::sample_events(std::span<const SampledOutput> others, std::size_t events) {
    require(Call::get);
    calling([&] {
        Writer& message = add(RemoteCall::sample_events);
        message.put(events);
        message.put(others.size());
        message.put_span(others);
        exchange(session_.calls());
    });
    samples_.sample_events(others, events);
}

/// The unit has chosen them: they are all taken.
void IsolatedUnit::take_samples(Reader& results) {
    const auto count = results.take<std::size_t>();
    for (std::size_t i = 0; i < count; ++i) {
        const auto time = results.take<Time>();
        const auto values = results.take_span<double>(samples_.outputs().size());
        const auto others = results.take_span<std::uint64_t>(samples_.others().size());
        constexpr bool whatever_is_due = true;
        if (!samples_.begin_sample(time, whatever_is_due)) continue;
        std::ranges::copy(values, samples_.room().begin());
        std::ranges::copy(others, samples_.other_room().begin());
    }
}

/// Adds what is likely to be read after the step.
void IsolatedUnit::prefetch_gets() {
    for (PrefetchedGet& get : prefetched_) {
        if (++get.idle_steps > most_idle_steps) continue;
        put_variables(session_.add(RemoteCall::get), get.bulk());
    }
}

void IsolatedUnit::take_prefetched(Reader results, std::uint32_t answered) {
    for (PrefetchedGet& get : prefetched_) {
        if (get.idle_steps > most_idle_steps || answered == 0) continue;
        --answered;
        get.answered = true;
        get.answer = results;
        skip_values(results, get.bulk());
    }
}

IsolatedUnit::PrefetchedGet* IsolatedUnit::find_prefetched(const Bulk& bulk) {
    const auto found = std::ranges::find_if(
        prefetched_, [&](const PrefetchedGet& get) { return get.is_for(bulk); });
    return found == prefetched_.end() ? nullptr : &*found;
}

/// A clock is not read before it is asked for: reading one has an effect (FMI 3.0, 2.2.6).
void IsolatedUnit::learn(const Bulk& bulk) {
    if (phase() != Phase::stepping || prefetched_.size() == most_prefetched) return;
    if (bulk.type == ValueType::clock) return;
    prefetched_.push_back({.type = bulk.type,
                           .references = {bulk.references.begin(), bulk.references.end()},
                           .count = bulk.count,
                           .parts = {bulk.parts.begin(), bulk.parts.end()},
                           .answer = {}});
}

void IsolatedUnit::do_get(const Bulk& values) {
    calling([&] {
        PrefetchedGet* const prefetched = find_prefetched(values);
        if (prefetched != nullptr) prefetched->idle_steps = 0;
        if (prefetched != nullptr && prefetched->answered) {
            Reader answer = prefetched->answer;
            return take_values(answer, values);
        }
        put_variables(add(RemoteCall::get), values);
        Reader results = exchange(session_.calls());
        take_values(results, values);
        if (prefetched == nullptr) learn(values);
    });
}

} // namespace rubato::unit
