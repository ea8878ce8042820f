// SPDX-License-Identifier: Apache-2.0
#include "fmi2_model_exchange.hpp"

#include <algorithm>
#include <utility>

namespace rubato::unit {

using fmi2::Status;

Fmi2ModelExchange::Fmi2ModelExchange(const std::string& name, const Fmi2Binary& binary,
                                     const scenario::UnitDescription& description,
                                     const ContinuousStructure& structure, InstanceContext context,
                                     FaultSink& sink)
    : instance_(name, fmi2::Type::model_exchange, binary, description, std::move(context), sink),
      structure_(structure) {}

Evaluation Fmi2ModelExchange::judge(Status status, const char* call) {
    if (status == Status::discard) return Evaluation::refused;
    instance_.check(status, call);
    return Evaluation::done;
}

void Fmi2ModelExchange::enter_initialization(const Horizon& horizon) {
    instance_.enter_initialization(horizon);
}

void Fmi2ModelExchange::enter_event_mode() {
    instance_.check(functions().enter_event_mode(component()), "fmi2EnterEventMode");
}

EventRound Fmi2ModelExchange::update_discrete_states() {
    fmi2::EventInfo info; // FMUs are known that leave what does not apply as it was
    instance_.check(functions().new_discrete_states(component(), &info), "fmi2NewDiscreteStates");
    EventRound round;
    round.again = info.new_discrete_states_needed != fmi2::no;
    round.terminate = info.terminate_simulation != fmi2::no;
    round.nominals_changed = info.nominals_of_continuous_states_changed != fmi2::no;
    round.states_changed = info.values_of_continuous_states_changed != fmi2::no;
    if (info.next_event_time_defined != fmi2::no)
        round.next_event =
            instance_.rules().next_event(info.next_event_time, "fmi2NewDiscreteStates");
    return round;
}

void Fmi2ModelExchange::enter_continuous_time_mode() {
    instance_.check(functions().enter_continuous_time_mode(component()),
                    "fmi2EnterContinuousTimeMode");
}

Evaluation Fmi2ModelExchange::try_inputs(std::span<const ValueRef> inputs,
                                         std::span<const double> values) {
    return judge(functions().set_real(component(), inputs.data(), inputs.size(), values.data()),
                 "fmi2SetReal");
}

Evaluation Fmi2ModelExchange::try_point(double time, std::span<const double> states) {
    const Evaluation moved = judge(functions().set_time(component(), time), "fmi2SetTime");
    if (moved == Evaluation::refused || states.empty()) return moved;
    return judge(functions().set_continuous_states(component(), states.data(), states.size()),
                 "fmi2SetContinuousStates");
}

Evaluation Fmi2ModelExchange::get_derivatives(std::span<double> derivatives) {
    if (derivatives.empty()) return Evaluation::done;
    return judge(functions().get_derivatives(component(), derivatives.data(), derivatives.size()),
                 "fmi2GetDerivatives");
}

Evaluation Fmi2ModelExchange::get_indicators(std::span<double> indicators) {
    if (indicators.empty()) return Evaluation::done;
    return judge(
        functions().get_event_indicators(component(), indicators.data(), indicators.size()),
        "fmi2GetEventIndicators");
}

void Fmi2ModelExchange::get_states(std::span<double> states) {
    if (states.empty()) return;
    instance_.check(functions().get_continuous_states(component(), states.data(), states.size()),
                    "fmi2GetContinuousStates");
}

void Fmi2ModelExchange::get_nominals(std::span<double> nominals) {
    std::ranges::fill(nominals, 1.0);
    if (nominals.empty() || is_missing(functions().get_nominals)) return;
    instance_.check(functions().get_nominals(component(), nominals.data(), nominals.size()),
                    "fmi2GetNominalsOfContinuousStates");
}

CompletedStep Fmi2ModelExchange::complete_step(bool final) {
    if (!structure_.needs_completed_step || is_missing(functions().completed_integrator_step))
        return {};
    fmi2::Boolean event = fmi2::no, terminate = fmi2::no;
    instance_.check(functions().completed_integrator_step(component(), final ? fmi2::yes : fmi2::no,
                                                          &event, &terminate),
                    "fmi2CompletedIntegratorStep");
    return {event != fmi2::no, terminate != fmi2::no};
}

Evaluation Fmi2ModelExchange::directional_derivative(std::span<const ValueRef> unknowns,
                                                     std::span<const ValueRef> knowns,
                                                     std::span<const double> seed,
                                                     std::span<double> sensitivity) {
    return judge(functions().get_directional_derivative(
                     component(), unknowns.data(), unknowns.size(), knowns.data(), knowns.size(),
                     seed.data(), sensitivity.data()),
                 "fmi2GetDirectionalDerivative");
}

} // namespace rubato::unit
