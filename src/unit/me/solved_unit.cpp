// SPDX-License-Identifier: Apache-2.0
#include "solved_unit.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace rubato::unit {

using scenario::Variable;

namespace {

std::vector<ValueRef> other_continuous_inputs(const std::vector<Variable>& variables) {
    std::vector<ValueRef> result;
    for (const Variable& variable : variables) {
        if (variable.causality == scenario::Causality::input &&
            variable.variability == scenario::Variability::continuous &&
            storage_of(variable.type) == Storage::real &&
            (variable.type == ValueType::float32 || variable.is_array()))
            result.push_back(variable.reference);
    }
    return result;
}

} // namespace

SolvedUnit::SolvedUnit(std::string name, const scenario::UnitDescription& description,
                       const ContinuousStructure& structure,
                       const scenario::SolverSettings& settings, Log& log, Strictness strictness,
                       const MakeModel& make_model)
    : Unit(std::move(name), description), structure_(structure), settings_(settings), log_(log),
      rules_(log, this->name(), strictness, *this), model_(make_model(*this)),
      inputs_(description.variables),
      other_continuous_(other_continuous_inputs(description.variables)) {}

void SolvedUnit::fault(std::string_view call, std::string_view reason) {
    if (solver_) stand_at(Time{solver_->last_time()});
    fail(call, reason);
}

void SolvedUnit::fail_solving(const SolverFault& fault) {
    if (solver_) stand_at(Time{solver_->now()});
    fail(format("the solver ({})", to_string(settings_.method)), fault.what(), fault.hint());
}

void SolvedUnit::do_enter_initialization(const Horizon& horizon) {
    constexpr double default_tolerance = 1e-6;
    const auto own = description().default_experiment.tolerance;
    tolerance_ = settings_.tolerance.value_or(
        horizon.tolerance.value_or(own && *own > 0 ? *own : default_tolerance));
    model_->enter_initialization(horizon);
}

void SolvedUnit::do_exit_initialization() {
    model_->exit_initialization();
    start_inputs();
    solving([&] {
        solver_ = std::make_unique<ModelSolver>(
            ModelSolver::Model{*model_, inputs_, structure_, description(), statistics_, samples_,
                               rules_},
            event_handling(), settings_, tolerance_, time().seconds);
    });
    log_.write(LogLevel::debug, name(),
               format("solved by {} with a tolerance of {}", to_string(settings_.method),
                      shortest(tolerance_)));
}

/// With what was set; else with what the model has, which some refuse to give; else with the start
/// values of the description.
void SolvedUnit::start_inputs() {
    const auto references = inputs_.references();
    if (references.empty()) return;
    std::vector<double> values;
    for (const ValueRef& reference : references) values.push_back(start_of(reference));
    inputs_.start_with(values);
    started_ = {};
}

double SolvedUnit::start_of(const ValueRef& reference) {
    if (const auto set = started_.find(reference); set != started_.end()) return set->second;
    double value = 0;
    if (model_->try_get({ValueType::float64, {&reference, 1}, &value, 1})) return value;
    const auto described =
        std::ranges::find_if(description().variables, [&](const Variable& variable) {
            return variable.reference == reference && variable.type == ValueType::float64 &&
                   variable.start;
        });
    if (described == description().variables.end()) return 0;
    return std::get<double>(*described->start);
}

StepResult SolvedUnit::do_step(Time from, Duration by) {
    require_at(from, by);
    const double end = (from + by).seconds;
    samples_.begin(from, by);
    const StepEnd stopped = solving([&] {
        const bool jumped = inputs_.begin(from.seconds) || std::exchange(has_jumped_, false);
        if (inputs_.has_carriers()) move_inputs_to(from.seconds);
        solver_->begin_step(by.seconds, jumped);
        return solver_->run_to(end);
    });
    inputs_.end(solver_->now());
    if (stopped == StepEnd::completed) return {from + by, stopped};
    samples_.end(Time{solver_->now()});
    return {Time{solver_->now()}, stopped};
}

/// Communication points are not accumulated, so that a step begins where the last one ended but for
/// rounding.
void SolvedUnit::require_at(Time from, Duration by) {
    const double rounding = 16 * std::numeric_limits<double>::epsilon() * std::abs(from.seconds);
    if (std::abs(from.seconds - solver_->now()) <= 1e-6 * by.seconds + rounding) return;
    throw std::logic_error(format("unit \"{}\" is to step from t = {} s, but stands at t = {} s",
                                  name(), shortest(from.seconds), shortest(solver_->now())));
}

bool SolvedUnit::is_continuous(ValueType type, ValueRef reference) const {
    if (type == ValueType::float64 && inputs_.find(reference)) return true;
    return storage_of(type) == Storage::real &&
           std::ranges::find(other_continuous_, reference) != other_continuous_.end();
}

void SolvedUnit::move_inputs_to(double time) {
    if (model_->try_inputs(inputs_.references(), inputs_.values_at(time)) == Evaluation::refused)
        throw SolverFault("the model refuses the values of its inputs", "");
}

/// Continuous inputs may be set in continuous time, all others in event mode only.
void SolvedUnit::do_set(const Bulk& values) {
    if (!solver_) {
        note_start(values);
        return model_->set(values);
    }
    follow(values);
    const bool is_allowed = solver_->in_event_mode() || all_continuous(values);
    if (!is_allowed && !changes_discrete(values)) return set_continuous(values);
    if (!is_allowed) solver_->enter_event_mode_for_inputs();
    model_->set(values);
}

void SolvedUnit::note_start(const Bulk& values) {
    if (values.type != ValueType::float64) return;
    values.for_each_variable([&](ValueRef reference, std::size_t first, std::size_t) {
        started_[reference] = values.reals()[first];
    });
}

bool SolvedUnit::all_continuous(const Bulk& values) const {
    return std::ranges::all_of(values.references,
                               [&](ValueRef input) { return is_continuous(values.type, input); });
}

/// The others have these values already.
void SolvedUnit::set_continuous(const Bulk& values) {
    if (storage_of(values.type) != Storage::real) return;
    std::size_t index = 0;
    values.for_each_variable([&](const ValueRef& reference, std::size_t first, std::size_t count) {
        const auto part = values.parts.empty() ? values.parts : values.parts.subspan(index, 1);
        ++index;
        if (is_continuous(values.type, reference))
            model_->set({values.type, {&reference, 1}, &values.reals()[first], count, part});
    });
}

void SolvedUnit::follow(const Bulk& values) {
    if (storage_of(values.type) != Storage::real) return;
    values.for_each_variable([&](ValueRef reference, std::size_t first, std::size_t) {
        if (const auto input = inputs_.find(reference))
            inputs_.set_value(*input, values.reals()[first]);
        else if (is_continuous(values.type, reference))
            has_jumped_ = true;
    });
}

bool SolvedUnit::changes_discrete(const Bulk& values) {
    const auto differs = [&](auto now) {
        const auto wanted = values.as<typename decltype(now)::element_type>();
        model_->get({values.type, values.references, now.data(), now.size(), values.parts});
        bool any = false;
        values.for_each_variable([&](ValueRef reference, std::size_t first, std::size_t count) {
            any = any ||
                  (!is_continuous(values.type, reference) &&
                   !std::ranges::equal(now.subspan(first, count), wanted.subspan(first, count)));
        });
        return any;
    };
    return with_type_of(storage_of(values.type), [&]<class T>() {
        if constexpr (!std::is_same_v<T, std::string>) return differs(scratch_.of<T>(values.count));
        texts_.resize(values.count);
        return differs(std::span(texts_));
    });
}

void SolvedUnit::set(std::span<const ValueRef> inputs, unsigned order,
                     std::span<const double> values) {
    require(Call::set);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (const auto input = inputs_.find(inputs[i])) {
            inputs_.set_derivative(*input, order, values[i]);
        } else {
            fail("setting input derivatives",
                 format("value reference {} is no continuous input", inputs[i]));
        }
    }
}

void SolvedUnit::save(std::uint32_t slot) {
    require(Call::save);
    if (slot >= saved_.size()) saved_.resize(slot + std::size_t{1});
    Saved& saved = saved_[slot];
    if (Snapshots* const of_model = model_->snapshots()) {
        of_model->save(slot);
    } else if (!solver_) {
        fail("saving its state", "the FMU cannot do that, and it is not initialized yet");
    } else if (!other_continuous_.empty()) {
        fail("saving its state", "the FMU cannot do that, and it has inputs of type float32 or "
                                 "arrays, which cannot be set from outside");
    }
    saved.inputs = inputs_.save();
    saved.has_jumped = has_jumped_;
    saved.is_released = false;
    note_saved(slot);
    if (!solver_) return;
    if (!saved.solver) saved.solver.emplace();
    solver_->save(*saved.solver);
}

void SolvedUnit::release(std::uint32_t slot) {
    if (slot >= saved_.size()) return;
    saved_[slot].is_released = true;
    if (solver_ && std::ranges::all_of(saved_, &Saved::is_released)) solver_->release_saved();
}

void SolvedUnit::restore(std::uint32_t slot) {
    require(Call::restore);
    const Saved& saved = saved_.at(slot);
    if (Snapshots* const of_model = model_->snapshots()) {
        of_model->restore(slot);
        inputs_.restore(saved.inputs);
        has_jumped_ = saved.has_jumped;
        if (solver_ && !saved.solver)
            fail("going back to a saved state", "it was saved before its initialization ended");
        if (solver_) solver_->restore(*saved.solver);
        note_restored(slot);
    } else {
        if (phase() == Phase::failed)
            fail("going back to a saved state", "it has failed, and the FMU cannot undo that");
        restore_without_model_state(saved);
    }
}

void SolvedUnit::restore_without_model_state(const Saved& saved) {
    const bool has_event = solver_->events() != saved.solver->events || solver_->in_event_mode() ||
                           saved.solver->in_event_mode;
    if (has_event) {
        fail("going back to a saved state",
             format("there was an event after t = {} s, and the FMU cannot save what that changed",
                    shortest(saved.solver->now)),
             "use an algorithm that does not go back, or an FMU with canGetAndSetFMUstate");
    }
    solving([&] {
        solver_->restore(*saved.solver);
        inputs_.restore(saved.inputs);
        inputs_.begin(solver_->now());
        move_inputs_to(solver_->now());
        solver_->place_model();
    });
}

} // namespace rubato::unit
