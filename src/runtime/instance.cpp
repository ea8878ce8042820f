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
    pipeline::UnitSurroundings around = request_.around;
    if (around.at_point) around.at_point = [this](Time now) { pass(now); };
    unit_ = pipeline::make_unit(scenario_, library_, log_, around);
    require(!around.has_event_mode || unit_->event_mode() != nullptr,
            "it has no event mode: eventModeUsed must be false");
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
    const unit::StepResult result = step_on_grid(from, by);
    last_step_ = result;
    const bool is_whole = std::abs((result.reached - (from + by)).seconds) <= rounding(from, by);
    if (result.end == unit::StepEnd::completed || is_whole) last_step_.reached = from + by;
    return last_step_;
}

unit::EventMode& Instance::event_mode() {
    unit::EventMode* const mode = unit_->event_mode();
    require(mode != nullptr, "it has no event mode, or eventModeUsed was false");
    return *mode;
}

/// An inner step has ended within that of the importer.
void Instance::pass(Time now) {
    last_step_.reached = now;
    request_.around.at_point(now);
}

/// What times of a step may differ by and be meant to be the same.
double Instance::rounding(Time from, Duration by) const {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    const double step = std::min(scenario_->assembly.scenario.experiment.step, by.seconds);
    return std::max(1e-9 * step,
                    4 * epsilon * std::max(std::abs(from.seconds), std::abs((from + by).seconds)));
}

/// Importers compute the ends and lengths of their steps in different ways, with different rounding.
/// Where they mean points start + n·step of the scenario, its units get those, as in a run of its
/// own: so the results are the same, to the last bit.
unit::StepResult Instance::step_on_grid(Time from, Duration by) {
    const scenario::Scenario& scenario = scenario_->assembly.scenario;
    const Duration step{scenario.experiment.step};
    const Time end = from + by;
    const auto number_of = [&](Time time) {
        return std::round((time - horizon.start).seconds / step.seconds);
    };
    const auto point = [&](double n) { return horizon.start + n * step; };
    const double near = rounding(from, step);
    const auto is_point = [&](Time time) {
        return std::abs((time - point(number_of(time))).seconds) <= near;
    };
    const bool has_other_points =
        scenario.step_control.controller != scenario::StepController::fixed || inputs_move_;
    if (has_other_points || !(by.seconds > near) || !is_point(from) || !is_point(end))
        return unit_->step(from, by);
    unit::StepResult result{from};
    for (double n = number_of(from); n < number_of(end); ++n) {
        if (request_.around.at_point && n > number_of(from)) pass(point(n));
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
