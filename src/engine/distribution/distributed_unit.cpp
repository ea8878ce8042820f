// SPDX-License-Identifier: Apache-2.0
#include "distributed_unit.hpp"

#include <algorithm>
#include <utility>

namespace rubato::engine {

KnownAbilities abilities_of(unit::Unit& unit) {
    const unit::Abilities has = unit.abilities();
    return {.snapshots = has.snapshots != nullptr,
            .input_derivatives = has.input_derivatives != nullptr,
            .event_mode = has.event_mode != nullptr,
            .intermediate_outputs = has.intermediate_outputs != nullptr,
            .provides_events =
                has.intermediate_outputs != nullptr && has.intermediate_outputs->provides_events(),
            .directional_derivatives = has.directional_derivatives != nullptr,
            .solver_statistics = has.solver_statistics != nullptr,
            .max_order = has.input_derivatives != nullptr ? has.input_derivatives->max_order() : 0};
}

DistributedUnit::DistributedUnit(Distribution& distribution, Parts parts)
    : Unit(std::move(parts.named.name), *parts.named.description), distribution_(distribution),
      owner_(parts.owner), own_(std::move(parts.own)), known_(parts.abilities),
      provides_(std::move(parts.provides)) {}

unit::Abilities DistributedUnit::abilities() noexcept {
    return {
        .snapshots = known_.snapshots ? &states_ : nullptr,
        .serialized_states = nullptr, // only exported scenarios need them, in one process
        .input_derivatives = known_.input_derivatives ? this : nullptr,
        .event_mode = known_.event_mode ? &events_ : nullptr,
        .intermediate_outputs = known_.intermediate_outputs ? this : nullptr,
        .directional_derivatives = known_.directional_derivatives ? this : nullptr,
        .solver_statistics = known_.solver_statistics ? &statistics_ : nullptr,
        .direct_calls = nullptr, // they would pass by the exchange
    };
}

void DistributedUnit::share_statistics() {
    if (!known_.solver_statistics) return;
    if (own_) statistics_ = *own_->solver_statistics();
    share(statistics_);
}

// -- life -----------------------------------------------------------------------------------------

void DistributedUnit::do_enter_initialization(const unit::Horizon& horizon) {
    calling([&](Unit& unit) { unit.enter_initialization(horizon); });
}

void DistributedUnit::do_exit_initialization() {
    calling([](Unit& unit) { unit.exit_initialization(); });
}

void DistributedUnit::do_terminate() {
    calling([](Unit& unit) { unit.terminate(); });
}

void DistributedUnit::do_set(const Bulk& values) {
    calling([&](Unit& unit) { unit.set(values); });
}

void DistributedUnit::do_get(const Bulk& values) {
    calling([&](Unit& unit) { unit.get(values); });
    if (!distribution_.is_silent()) share_values(values);
}

/// Of a unit of another process, the executor learns how its step has ended.
unit::StepResult DistributedUnit::do_step(Time from, Duration by) {
    unit::StepResult result{from + by, unit::StepEnd::completed};
    calling([&](Unit& unit) { result = unit.step(from, by); });
    if (samples_.is_sampling()) share_samples(from, by);
    return result;
}

// -- what it reports ------------------------------------------------------------------------------

void DistributedUnit::share_text(std::string& text) {
    std::size_t size = text.size();
    share(size);
    text.resize(size);
    share(std::span(text));
}

void DistributedUnit::share_values(const Bulk& values) {
    with_type_of(storage_of(values.type), [&]<class T>() {
        if constexpr (std::is_same_v<T, std::string>) {
            for (std::string& text : values.as<std::string>()) share_text(text);
        } else {
            share(values.as<T>());
        }
    });
}

/// The unit has chosen them: they are all taken.
void DistributedUnit::share_samples(Time from, Duration by) {
    const unit::InnerSamples* const own = own_ ? &own_->intermediate_outputs()->samples() : nullptr;
    std::size_t count = own ? own->count() : 0;
    Time until = own ? own->to() : from + by;
    share(count);
    share(until);
    samples_.begin(from, until - from);
    sample_.resize(samples_.outputs().size());
    others_.resize(samples_.others().size());
    for (std::size_t i = 0; i < count; ++i) {
        Time time = own ? own->time(i) : Time{};
        if (own) std::ranges::copy(own->values(i), sample_.begin());
        if (own) std::ranges::copy(own->other_values(i), others_.begin());
        share(time);
        share(std::span(sample_));
        share(std::span(others_));
        constexpr bool whatever_is_due = true;
        if (!samples_.begin_sample(time, whatever_is_due)) continue;
        std::ranges::copy(sample_, samples_.room().begin());
        std::ranges::copy(others_, samples_.other_room().begin());
    }
}

// -- abilities ------------------------------------------------------------------------------------

void DistributedUnit::set(std::span<const ValueRef> inputs, unsigned order,
                          std::span<const double> values) {
    require(Call::set);
    calling([&](Unit& unit) { unit.input_derivatives()->set(inputs, order, values); });
}

bool DistributedUnit::provides(const scenario::Variable& output) const {
    const auto& variables = description().variables;
    const auto index = static_cast<std::size_t>(&output - variables.data());
    return index < provides_.size() && provides_[index];
}

void DistributedUnit::sample(std::span<const ValueRef> outputs, std::size_t most) {
    calling([&](Unit& unit) { unit.intermediate_outputs()->sample(outputs, most); });
    samples_.sample(outputs, most);
}

void DistributedUnit::sample_events(std::span<const unit::SampledOutput> others,
                                    std::size_t events) {
    calling([&](Unit& unit) { unit.intermediate_outputs()->sample_events(others, events); });
    samples_.sample_events(others, events);
}

unit::Evaluation DistributedUnit::directional_derivative(std::span<const ValueRef> unknowns,
                                                         std::span<const ValueRef> knowns,
                                                         std::span<const double> seed,
                                                         std::span<double> sensitivity) {
    require(Call::get);
    auto evaluation = unit::Evaluation::refused;
    calling([&](Unit& unit) {
        evaluation = unit.directional_derivatives()->directional_derivative(unknowns, knowns, seed,
                                                                            sensitivity);
    });
    share(evaluation);
    share(sensitivity);
    return evaluation;
}

void DistributedUnit::States::save(std::uint32_t slot) {
    unit_.require(Call::save);
    unit_.calling([&](Unit& unit) { unit.snapshots()->save(slot); });
    unit_.note_saved(slot);
}

void DistributedUnit::States::restore(std::uint32_t slot) {
    unit_.require(Call::restore);
    unit_.calling([&](Unit& unit) { unit.snapshots()->restore(slot); });
    unit_.note_restored(slot);
}

void DistributedUnit::States::release(std::uint32_t slot) {
    unit_.calling([&](Unit& unit) { unit.snapshots()->release(slot); });
}

void DistributedUnit::Events::enter() {
    unit_.require(Call::enter_event_mode);
    unit_.calling([](Unit& unit) { unit.event_mode()->enter(); });
    unit_.note_event_mode(true);
}

unit::EventUpdate DistributedUnit::Events::update() {
    unit_.require(Call::update);
    unit::EventUpdate report;
    unit_.calling([&](Unit& unit) { report = unit.event_mode()->update(); });
    unit_.share(report);
    return report;
}

void DistributedUnit::Events::get_intervals(std::span<const ValueRef> clocks,
                                            std::span<unit::ClockInterval> intervals) {
    unit_.require(Call::get_intervals);
    unit_.calling([&](Unit& unit) { unit.event_mode()->get_intervals(clocks, intervals); });
    unit_.share(intervals);
}

void DistributedUnit::Events::get_shifts(std::span<const ValueRef> clocks,
                                         std::span<Duration> shifts) {
    unit_.require(Call::get_intervals);
    unit_.calling([&](Unit& unit) { unit.event_mode()->get_shifts(clocks, shifts); });
    unit_.share(shifts);
}

void DistributedUnit::Events::leave() {
    unit_.require(Call::leave_event_mode);
    unit_.calling([](Unit& unit) { unit.event_mode()->leave(); });
    unit_.note_event_mode(false);
}

} // namespace rubato::engine
