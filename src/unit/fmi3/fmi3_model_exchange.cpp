// SPDX-License-Identifier: Apache-2.0
#include "fmi3_model_exchange.hpp"

#include <algorithm>
#include <utility>

namespace rubato::unit {

using fmi3::Status;

Fmi3ModelExchange::Fmi3ModelExchange(const std::string& name, const Fmi3Binary& binary,
                                     const scenario::UnitDescription& description,
                                     const ContinuousStructure& structure, InstanceContext context,
                                     FaultSink& sink)
    : instance_(name, binary, description, std::move(context), sink),
      intervals_(instance_, description), structure_(structure) {}

Evaluation Fmi3ModelExchange::judge(Status status, const char* call) {
    if (status == Status::discard) return Evaluation::refused;
    instance_.check(status, call);
    return Evaluation::done;
}

void Fmi3ModelExchange::enter_initialization(const Horizon& horizon) {
    instance_.enter_initialization(horizon);
}

std::size_t Fmi3ModelExchange::state_count() {
    if (is_missing(functions().get_number_of_continuous_states)) return structure_.states.size();
    std::size_t count = 0;
    instance_.check(functions().get_number_of_continuous_states(instance(), &count),
                    "fmi3GetNumberOfContinuousStates");
    return count;
}

std::size_t Fmi3ModelExchange::indicator_count() {
    if (is_missing(functions().get_number_of_event_indicators)) return structure_.event_indicators;
    std::size_t count = 0;
    instance_.check(functions().get_number_of_event_indicators(instance(), &count),
                    "fmi3GetNumberOfEventIndicators");
    return count;
}

void Fmi3ModelExchange::enter_event_mode() {
    instance_.check(functions().enter_event_mode(instance()), "fmi3EnterEventMode");
}

EventRound Fmi3ModelExchange::update_discrete_states() {
    EventRound round;
    bool has_next_event = false;
    double next_event = 0;
    instance_.check(functions().update_discrete_states(
                        instance(), &round.again, &round.terminate, &round.nominals_changed,
                        &round.states_changed, &has_next_event, &next_event),
                    "fmi3UpdateDiscreteStates");
    if (has_next_event)
        round.next_event = instance_.rules().next_event(next_event, "fmi3UpdateDiscreteStates");
    return round;
}

void Fmi3ModelExchange::enter_continuous_time_mode() {
    instance_.check(functions().enter_continuous_time_mode(instance()),
                    "fmi3EnterContinuousTimeMode");
}

Evaluation Fmi3ModelExchange::try_inputs(std::span<const ValueRef> inputs,
                                         std::span<const double> values) {
    return judge(functions().set_float64(instance(), inputs.data(), inputs.size(), values.data(),
                                         values.size()),
                 "fmi3SetFloat64");
}

Evaluation Fmi3ModelExchange::try_point(double time, std::span<const double> states) {
    const Evaluation moved = judge(functions().set_time(instance(), time), "fmi3SetTime");
    if (moved == Evaluation::refused || states.empty()) return moved;
    return judge(functions().set_continuous_states(instance(), states.data(), states.size()),
                 "fmi3SetContinuousStates");
}

Evaluation Fmi3ModelExchange::get_derivatives(std::span<double> derivatives) {
    if (derivatives.empty()) return Evaluation::done;
    return judge(functions().get_derivatives(instance(), derivatives.data(), derivatives.size()),
                 "fmi3GetContinuousStateDerivatives");
}

Evaluation Fmi3ModelExchange::get_indicators(std::span<double> indicators) {
    if (indicators.empty()) return Evaluation::done;
    return judge(functions().get_event_indicators(instance(), indicators.data(), indicators.size()),
                 "fmi3GetEventIndicators");
}

void Fmi3ModelExchange::get_states(std::span<double> states) {
    if (states.empty()) return;
    instance_.check(functions().get_continuous_states(instance(), states.data(), states.size()),
                    "fmi3GetContinuousStates");
}

void Fmi3ModelExchange::get_nominals(std::span<double> nominals) {
    std::ranges::fill(nominals, 1.0);
    if (nominals.empty() || is_missing(functions().get_nominals)) return;
    instance_.check(functions().get_nominals(instance(), nominals.data(), nominals.size()),
                    "fmi3GetNominalsOfContinuousStates");
}

CompletedStep Fmi3ModelExchange::complete_step(bool final) {
    CompletedStep step;
    if (!structure_.needs_completed_step || is_missing(functions().completed_integrator_step))
        return step;
    instance_.check(
        functions().completed_integrator_step(instance(), final, &step.event, &step.terminate),
        "fmi3CompletedIntegratorStep");
    return step;
}

Evaluation Fmi3ModelExchange::directional_derivative(std::span<const ValueRef> unknowns,
                                                     std::span<const ValueRef> knowns,
                                                     std::span<const double> seed,
                                                     std::span<double> sensitivity) {
    return judge(functions().get_directional_derivative(
                     instance(), unknowns.data(), unknowns.size(), knowns.data(), knowns.size(),
                     seed.data(), seed.size(), sensitivity.data(), sensitivity.size()),
                 "fmi3GetDirectionalDerivative");
}

} // namespace rubato::unit
