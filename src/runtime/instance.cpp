// SPDX-License-Identifier: Apache-2.0
#include "instance.hpp"

#include <rubato/files/output_file.hpp>
#include <rubato/pipeline/formats.hpp>
#include <rubato/pipeline/native_models.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rubato::runtime {

using scenario::Causality;

namespace {

void require_identifier(const Request& request) {
    const std::string own = files::read_file(request.resources / pipeline::exported::identifier);
    if (own == request.identifier) return;
    throw InputError(format("this is the scenario {}, not {}: model description and resources do "
                            "not belong together",
                            own, request.identifier));
}

/// It was verified when it was exported.
std::shared_ptr<const pipeline::NestedAssembly> load(const Request& request,
                                                     unit::Library& library) {
    require_identifier(request);
    Diagnostics diagnostics;
    scenario::Scenario scenario =
        pipeline::read(request.resources / pipeline::exported::scenario, diagnostics);
    diagnostics.throw_if_errors();
    auto loaded = pipeline::assemble_as_unit(std::move(scenario), request.name, library,
                                             pipeline::Verification::skip, diagnostics);
    diagnostics.throw_if_errors();
    return loaded;
}

} // namespace

Instance::Instance(Request request, ImporterLog::Sink log, bool logging_on)
    : request_(std::move(request)), log_(std::move(log), logging_on), library_(log_) {
    require(!request_.name.empty(), "an instance needs a name");
    pipeline::add_native_models(library_);
    scenario_ = load(request_, library_);
    exposed_ = pipeline::exposed_count(scenario_->interface);
    derivative_inputs_ = pipeline::derivative_inputs(scenario_->interface);
    reset();
}

Instance::~Instance() = default;

void Instance::reset() {
    unit_.reset(); // some FMUs allow one instance only
    unit_ = pipeline::make_unit(scenario_, library_, log_, request_.may_return_early);
    derivatives_.assign(derivative_inputs_.size(), 0.0);
    moving_.assign(derivative_inputs_.size(), false);
    free_slots_.clear();
    slots_ = 0;
    ++life_;
    horizon = {};
    last_step_ = {};
    inputs_move_ = false;
}

// -- steps ----------------------------------------------------------------------------------------

unit::StepResult Instance::step(Time from, Duration by) {
    require(by.seconds > 0, "a step must be longer than 0 s");
    let_inputs_move();
    last_step_ = step_on_grid(from, by);
    if (last_step_.end == unit::StepEnd::completed) last_step_.reached = from + by;
    return last_step_;
}

/// Importers compute the ends and lengths of their steps in different ways, with different
/// rounding. Where they mean points start + n·step of the scenario, its units get those, as in a
/// run of its own: so the results are the same, to the last bit.
unit::StepResult Instance::step_on_grid(Time from, Duration by) {
    const scenario::Scenario& scenario = scenario_->assembly.scenario;
    const Duration step{scenario.experiment.step};
    const Time end = from + by;
    const auto number_of = [&](Time time) {
        return std::round((time - horizon.start).seconds / step.seconds);
    };
    const auto point = [&](double n) { return horizon.start + n * step; };
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    const double rounding = std::max(
        1e-9 * step.seconds, 4 * epsilon * std::max(std::abs(from.seconds), std::abs(end.seconds)));
    const auto is_point = [&](Time time) {
        return std::abs((time - point(number_of(time))).seconds) <= rounding;
    };
    const bool has_other_points =
        scenario.step_control.controller != scenario::StepController::fixed || inputs_move_;
    if (has_other_points || !(by.seconds > rounding) || !is_point(from) || !is_point(end))
        return unit_->step(from, by);
    unit::StepResult result{from};
    for (double n = number_of(from); n < number_of(end); ++n) {
        result = unit_->step(point(n), step);
        if (result.end != unit::StepEnd::completed) break;
    }
    return result;
}

/// A value that is set lets an input stand still: derivatives that are inputs hold until they are
/// set again.
void Instance::let_inputs_move() {
    for (std::size_t i = 0; i < derivatives_.size(); ++i) {
        if (!moving_[i]) continue;
        const auto& [input, order] = derivative_inputs_[i];
        unit_->input_derivatives()->set({&input, 1}, order, {&derivatives_[i], 1});
        moving_[i] = derivatives_[i] != 0;
        inputs_move_ = true;
    }
}

void Instance::set_input_derivative(ValueRef input, unsigned order, double value) {
    unit::InputDerivatives* const derivatives = unit_->input_derivatives();
    require(derivatives != nullptr, "it takes no derivatives of inputs");
    if (input >= exposed_ || variable(input).causality != Causality::input)
        throw Error(format("there is no input {}", input));
    if (order == 0 || order > derivatives->max_order())
        throw Error(format("input \"{}\" has no derivative of order {}; the highest is {}",
                           name_of(input), order, derivatives->max_order()));
    derivatives->set({&input, 1}, order, {&value, 1});
    inputs_move_ = true;
}

void Instance::get_directional_derivative(std::span<const ValueRef> unknowns,
                                          std::span<const ValueRef> knowns,
                                          std::span<const double> seed,
                                          std::span<double> sensitivity) {
    unit::DirectionalDerivatives* const derivatives = unit_->directional_derivatives();
    require(derivatives != nullptr, "it gives no directional derivatives");
    require(seed.size() == knowns.size() && sensitivity.size() == unknowns.size(),
            "there are not as many values as variables");
    for (const ValueRef each : unknowns)
        if (each >= exposed_ || variable(each).causality != Causality::output)
            throw Error(format("there is no output {}", each));
    for (const ValueRef each : knowns)
        if (each >= exposed_ || variable(each).causality != Causality::input)
            throw Error(format("there is no input {}", each));
    if (derivatives->directional_derivative(unknowns, knowns, seed, sensitivity) !=
        unit::Evaluation::done)
        throw Error("an inner unit does not give its derivatives here");
}

// -- saved states ---------------------------------------------------------------------------------

unit::Snapshots& Instance::snapshots() {
    unit::Snapshots* const snapshots = unit_->snapshots();
    require(snapshots != nullptr, "its state cannot be saved: an inner unit cannot save its own");
    require(unit_->phase() != unit::Phase::instantiated,
            "there is no state to save or restore before initialization");
    return *snapshots;
}

void Instance::save(SavedState*& state) {
    unit::Snapshots& all = snapshots();
    const bool is_usable = state != nullptr && state->life == life_;
    std::unique_ptr<SavedState> made;
    if (!is_usable) {
        made = std::make_unique<SavedState>();
        made->life = life_;
        made->slot = free_slots_.empty() ? slots_ : free_slots_.back();
    }
    SavedState& target = is_usable ? *state : *made;
    all.save(target.slot);
    target.derivatives = derivatives_;
    target.last_step = last_step_;
    if (is_usable) return;
    if (free_slots_.empty())
        ++slots_;
    else
        free_slots_.pop_back();
    delete state;
    state = made.release();
}

void Instance::restore(const SavedState& state) {
    require(state.life == life_, "the state was saved before the instance was reset");
    snapshots().restore(state.slot);
    derivatives_ = state.derivatives;
    last_step_ = state.last_step;
    for (std::size_t i = 0; i < moving_.size(); ++i) moving_[i] = derivatives_[i] != 0;
}

void Instance::release(SavedState*& state) {
    if (state == nullptr) return;
    if (state->life == life_) {
        if (unit::Snapshots* const snapshots = unit_->snapshots()) snapshots->release(state->slot);
        free_slots_.push_back(state->slot);
    }
    delete state;
    state = nullptr;
}

Instance* instantiate(Request request, const ImporterLog::Sink& log, bool logging_on,
                      const char* function) noexcept {
    try {
        return new Instance(std::move(request), log, logging_on);
    } catch (const std::exception& fault) {
        unit::note_no_call();
        ImporterLog(log, logging_on).error(std::string(function) + ": " + fault.what());
    }
    return nullptr;
}

} // namespace rubato::runtime
