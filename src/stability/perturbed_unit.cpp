// SPDX-License-Identifier: Apache-2.0
#include "perturbed_unit.hpp"

#include <algorithm>
#include <type_traits>

namespace rubato::stability {

/// Errors of the inner unit, which has the same name, are this one's.
template <class Action>
std::invoke_result_t<Action> PerturbedUnit::passing_on(Action&& action) {
    try {
        return action();
    } catch (...) {
        note_fault();
        throw;
    }
}

/// The phase of the unit around belongs to what is saved.
class PerturbedUnit::States final : public unit::Snapshots {
public:
    explicit States(PerturbedUnit& unit) : unit_(unit) {}
    void save(std::uint32_t slot) override {
        unit_.require(Call::save);
        unit_.inner_->snapshots()->save(slot);
        unit_.note_saved(slot);
    }
    void restore(std::uint32_t slot) override {
        unit_.require(Call::restore);
        unit_.inner_->snapshots()->restore(slot);
        unit_.note_restored(slot);
    }
    void release(std::uint32_t slot) override { unit_.inner_->snapshots()->release(slot); }

private:
    PerturbedUnit& unit_;
};

class PerturbedUnit::Events final : public unit::EventMode {
public:
    explicit Events(PerturbedUnit& unit) : unit_(unit) {}
    void enter() override {
        unit_.passing_on([&] { inner().enter(); });
        unit_.note_event_mode(true);
    }
    unit::EventUpdate update() override {
        return unit_.passing_on([&] { return inner().update(); });
    }
    void get_intervals(std::span<const ValueRef> clocks,
                       std::span<unit::ClockInterval> intervals) override {
        unit_.passing_on([&] { inner().get_intervals(clocks, intervals); });
    }
    void get_shifts(std::span<const ValueRef> clocks, std::span<Duration> shifts) override {
        unit_.passing_on([&] { inner().get_shifts(clocks, shifts); });
    }
    void leave() override {
        unit_.passing_on([&] { inner().leave(); });
        unit_.note_event_mode(false);
    }

private:
    unit::EventMode& inner() { return *unit_.inner_->event_mode(); }
    PerturbedUnit& unit_;
};

PerturbedUnit::PerturbedUnit(std::unique_ptr<unit::Unit> inner)
    : Unit(inner->name(), inner->description()), inner_(std::move(inner)),
      states_(std::make_unique<States>(*this)), events_(std::make_unique<Events>(*this)) {}

PerturbedUnit::~PerturbedUnit() = default;

unit::Abilities PerturbedUnit::abilities() noexcept {
    const unit::Abilities inner = inner_->abilities();
    return {
        .snapshots = inner.snapshots ? states_.get() : nullptr,
        .serialized_states = nullptr, // nobody continues a perturbed run elsewhere
        .input_derivatives = inner.input_derivatives,
        .event_mode = inner.event_mode ? events_.get() : nullptr,
        .intermediate_outputs = inner.intermediate_outputs,
        .directional_derivatives = inner.directional_derivatives,
        .solver_statistics = inner.solver_statistics,
        .direct_calls = nullptr, // they would pass by what is added
    };
}

void PerturbedUnit::do_enter_initialization(const unit::Horizon& horizon) {
    passing_on([&] { inner_->enter_initialization(horizon); });
}
void PerturbedUnit::do_exit_initialization() {
    passing_on([&] { inner_->exit_initialization(); });
}
void PerturbedUnit::do_terminate() {
    passing_on([&] { inner_->terminate(); });
}
/// Calls `use` with the place of each perturbed value and what is added to it.
template <class Use>
void PerturbedUnit::for_each_perturbed(const Bulk& values, Use&& use) const {
    values.for_each_variable([&](ValueRef reference, std::size_t first, std::size_t count) {
        for (const auto& [element, by] : by_)
            if (element.reference == reference && element.index < count)
                use(first + element.index, by);
    });
}

/// Elements of an array are set by reading and writing the whole of it: what was added is taken
/// off, so that it is not added twice.
void PerturbedUnit::do_get(const Bulk& values) {
    passing_on([&] { inner_->get(values); });
    if (by_.empty() || storage_of(values.type) != Storage::real) return;
    for_each_perturbed(values, [&](std::size_t at, double by) { values.reals()[at] -= by; });
}
unit::StepResult PerturbedUnit::do_step(Time from, Duration by) {
    return passing_on([&] { return inner_->step(from, by); });
}

void PerturbedUnit::note_inputs(const Bulk& values) {
    const std::span<const double> given = values.reals();
    values.for_each_variable([&](ValueRef reference, std::size_t first, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            const Element element{reference, static_cast<std::uint32_t>(i)};
            auto known = std::ranges::find(inputs_, element, &Input::element);
            if (known == inputs_.end()) known = inputs_.insert(known, {element, 0});
            known->value = given[first + i];
        }
    });
}

void PerturbedUnit::do_set(const Bulk& values) {
    const bool is_real = storage_of(values.type) == Storage::real;
    if (is_real && is_watching_) note_inputs(values);
    if (!is_real || by_.empty()) {
        passing_on([&] { inner_->set(values); });
        return;
    }
    changed_.assign(values.reals().begin(), values.reals().end());
    for_each_perturbed(values, [&](std::size_t at, double by) { changed_[at] += by; });
    Bulk perturbed = values;
    perturbed.data = changed_.data();
    passing_on([&] { inner_->set(perturbed); });
}

} // namespace rubato::stability
