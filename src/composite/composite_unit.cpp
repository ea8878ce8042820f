// SPDX-License-Identifier: Apache-2.0
#include "composite_unit.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>

namespace rubato::composite {

using scenario::Causality;
using scenario::Variability;
using unit::Phase;

CompositeUnit::CompositeUnit(std::string name, Parts parts)
    : Unit(std::move(name), parts.interface.description), interface_(parts.interface),
      units_(std::move(parts.units)), simulate_(std::move(parts.simulate)),
      variables_(interface_, units_), motions_(interface_.propagates.size()),
      pending_at_(description().variables.size()), at_point_(std::move(parts.at_point)),
      ends_steps_at_events_(parts.ends_steps_at_events),
      shares_events_(parts.shares_events &&
                     std::ranges::any_of(
                         units_, [](const auto& each) { return each->event_mode() != nullptr; })),
      can_serialize_(std::ranges::all_of(
          units_, [](const auto& each) { return each->serialized_states() != nullptr; })) {
    moving_.reserve(interface_.propagates.size());
    if (interface_.chain) reserve_changes(*interface_.chain);
    for (const scenario::Variable& variable : description().variables) {
        if (variable.causality == Causality::output &&
            variable.variability != Variability::continuous &&
            (ends_steps_at_events_ || shares_events_))
            outputs_.push_back({KeptValue(variable), KeptValue(variable)});
        if (variable.causality == Causality::input && takes_an_event(variable)) {
            pending_at_[variable.reference] = pending_.size();
            pending_.push_back({KeptValue(variable), false});
        }
    }
}

unit::Abilities CompositeUnit::abilities() noexcept {
    unit::Abilities result = unit::Abilities::none();
    const scenario::Capabilities& capabilities = description().capabilities;
    if (capabilities.snapshots) result.snapshots = this;
    if (capabilities.snapshots && can_serialize_) result.serialized_states = this;
    if (capabilities.input_derivatives > 0) result.input_derivatives = this;
    if (capabilities.directional_derivatives) result.directional_derivatives = this;
    if (capabilities.intermediate_outputs) result.intermediate_outputs = this;
    if (shares_events_) result.event_mode = this;
    return result;
}

void CompositeUnit::reserve_changes(const Chain& chain) {
    changes_.reserve(chain.ports);
    for (const Chain::Link& link : chain.links)
        seeds_.reserve(std::max(seeds_.capacity(), link.inputs.size()));
}

/// A discrete input of a unit that handles its events together with others.
bool CompositeUnit::takes_an_event(const scenario::Variable& variable) const {
    if (variable.variability == Variability::continuous) return false;
    return std::ranges::any_of(variables_.targets(variable.reference), [](const Target& target) {
        return target.unit->event_mode() != nullptr;
    });
}

// -- initialization -------------------------------------------------------------------------------

void CompositeUnit::do_enter_initialization(const unit::Horizon& horizon) {
    passing_on([&] {
        simulation_.emplace(simulate_(std::move(units_), horizon));
        simulation_->take_inputs_from(*this);
        simulation_->enter_initialization();
    });
    is_stale_ = true;
}

void CompositeUnit::do_exit_initialization() {
    passing_on([&] {
        bring_up_to_date();
        for (Pending& pending : pending_) pending.has_changed = false;
        if (shares_events_) {
            simulation_->exit_initialization();
            simulation_->begin_event();
        } else {
            simulation_->end_initialization();
            (void)concerns_others(); // from here on
        }
    });
}

void CompositeUnit::do_terminate() {
    passing_on([&] { simulation_->terminate(); });
}

// -- values ---------------------------------------------------------------------------------------

/// Of variables that it has.
void CompositeUnit::check(std::string_view call, const Bulk& values) {
    for (const ValueRef reference : values.references)
        if (reference >= description().variables.size()) [[unlikely]]
            fail(call, format("it has no variable number {}", reference));
}

void CompositeUnit::do_get(const Bulk& values) {
    check("get", values);
    passing_on([&] {
        bring_up_to_date();
        const bool any_recorded = std::ranges::any_of(
            values.references, [&](ValueRef variable) { return variables_.is_recorded(variable); });
        if (any_recorded) variables_.read_from(simulation_->observe());
        variables_.get(values);
    });
}

void CompositeUnit::do_set(const Bulk& values) {
    check("set", values);
    note(values);
    passing_on([&] {
        if (phase() == Phase::stepping && !pending_.empty())
            set_or_wait(values);
        else
            variables_.set(values);
    });
}

/// What depends on the values that are set, and how they start to move.
void CompositeUnit::note(const Bulk& values) {
    const bool is_real = storage_of(values.type) == Storage::real;
    values.for_each_variable([&](ValueRef variable, std::size_t first, std::size_t count) {
        if (variable < interface_.propagates.size() && interface_.propagates[variable])
            is_stale_ = true;
        if (pending_at_[variable]) {
            Pending& pending = pending_[*pending_at_[variable]];
            const bool differs = pending.value.take(value_at(values, first));
            if (phase() != Phase::event_mode) pending.has_changed |= differs;
            is_stale_ |= pending.has_changed;
        }
        if (is_real && count == 1 && variable < motions_.size())
            motions_[variable].start = values.reals()[first];
    });
    if (phase() == Phase::initializing) is_stale_ = true;
}

/// Inputs that take an event wait for it.
void CompositeUnit::set_or_wait(const Bulk& values) {
    std::size_t i = 0;
    values.for_each_variable([&](ValueRef variable, std::size_t first, std::size_t count) {
        const std::span<const Part> part =
            values.parts.empty() ? values.parts : values.parts.subspan(i, 1);
        ++i;
        if (!pending_at_[variable])
            variables_.set({values.type, {&variable, 1}, value_at(values, first), count, part});
    });
}

void CompositeUnit::bring_up_to_date() {
    if (!std::exchange(is_stale_, false)) return;
    if (phase() == Phase::initializing) {
        simulation_->solve_initialization();
    } else if (phase() == Phase::event_mode) {
        simulation_->exchange_at_event();
    } else if (phase() == Phase::stepping) {
        simulation_->propagate();
        if (!shares_events_) (void)concerns_others(); // they read what has changed
    }
}

// -- directional derivatives ----------------------------------------------------------------------

/// The chain rule, from unit to unit.
unit::Evaluation CompositeUnit::directional_derivative(std::span<const ValueRef> unknowns,
                                                       std::span<const ValueRef> knowns,
                                                       std::span<const double> seed,
                                                       std::span<double> sensitivity) {
    return passing_on([&] {
        bring_up_to_date();
        changes_.assign(interface_.chain->ports, 0.0);
        for (std::size_t i = 0; i < knowns.size(); ++i)
            for (const PortId input : interface_.ports.at(knowns[i]))
                changes_[input.value] = seed[i];
        for (const Chain::Link& link : interface_.chain->links)
            if (follow(link) == unit::Evaluation::refused) return unit::Evaluation::refused;
        for (std::size_t i = 0; i < unknowns.size(); ++i)
            sensitivity[i] = changes_[interface_.ports.at(unknowns[i]).front().value];
        return unit::Evaluation::done;
    });
}

unit::Evaluation CompositeUnit::follow(const Chain::Link& link) {
    seeds_.clear();
    for (const PortId input : link.inputs) seeds_.push_back(changes_[input.value]);
    double& change = changes_[link.output.value];
    const unit::Evaluation result =
        simulation_->unit(link.unit).directional_derivatives()->directional_derivative(
            {&link.unknown, 1}, link.knowns, seeds_, {&change, 1});
    for (const auto& [input, factor] : link.feeds) changes_[input.value] = factor * change;
    return result;
}

std::unique_ptr<unit::Unit> make_composite(std::string name, Parts parts) {
    return std::make_unique<CompositeUnit>(std::move(name), std::move(parts));
}

const engine::Simulation* inner_simulation(const unit::Unit& unit) {
    const auto* const composite = dynamic_cast<const CompositeUnit*>(&unit);
    return composite ? composite->simulation() : nullptr;
}

} // namespace rubato::composite
