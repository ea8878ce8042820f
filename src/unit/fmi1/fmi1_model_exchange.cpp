// SPDX-License-Identifier: Apache-2.0
#include "fmi1_model_exchange.hpp"

#include <algorithm>
#include <utility>

namespace rubato::unit {

using fmi1::Status;

Fmi1ModelExchange::Fmi1ModelExchange(const std::string& name, const Fmi1Binary& binary,
                                     const scenario::UnitDescription& description,
                                     const ContinuousStructure& structure, InstanceContext context,
                                     FaultSink& sink)
    : instance_(name, scenario::Interface::model_exchange, binary, description, std::move(context),
                sink),
      structure_(structure) {}

Evaluation Fmi1ModelExchange::judge(Status status, const char* call) {
    if (status == Status::discard) return Evaluation::refused;
    instance_.check(status, call);
    return Evaluation::done;
}

void Fmi1ModelExchange::enter_initialization(const Horizon& horizon) {
    instance_.begin_initialization();
    instance_.check(functions().set_time(component(), horizon.start.seconds), "fmiSetTime");
    horizon_ = horizon;
}

void Fmi1ModelExchange::initialize() {
    if (!horizon_) return;
    const Horizon horizon = *std::exchange(horizon_, std::nullopt);
    constexpr fmi1::Boolean unfilled = 2; // neither yes nor no
    fmi1::EventInfo& info = initial_events_.emplace();
    info.upcoming_time_event = unfilled;
    instance_.check(functions().initialize(component(), horizon.tolerance ? fmi1::yes : fmi1::no,
                                           horizon.tolerance.value_or(0), &info),
                    "fmiInitialize");
    if (info.upcoming_time_event == unfilled) {
        initial_events_.reset();
        instance_.rules().broken(Rule::event_info_unfilled, "fmiInitialize",
                                 "it does not give the time of the next event");
    }
    instance_.starts();
}

void Fmi1ModelExchange::set(const Bulk& values) {
    initial_events_.reset();
    instance_.set(values);
}

void Fmi1ModelExchange::get(const Bulk& values) {
    initialize();
    instance_.get(values);
}

EventRound Fmi1ModelExchange::update_discrete_states() {
    fmi1::EventInfo info; // FMUs are known that leave what does not apply as it was
    if (initial_events_) {
        info = *std::exchange(initial_events_, std::nullopt);
    } else {
        instance_.check(functions().event_update(component(), fmi1::no, &info), "fmiEventUpdate");
    }
    EventRound round;
    round.again = info.iteration_converged == fmi1::no;
    round.terminate = info.terminate_simulation != fmi1::no;
    round.nominals_changed = info.state_value_references_changed != fmi1::no;
    round.states_changed = info.state_values_changed != fmi1::no;
    if (info.upcoming_time_event != fmi1::no)
        round.next_event = instance_.rules().next_event(info.next_event_time, "fmiEventUpdate");
    return round;
}

Evaluation Fmi1ModelExchange::try_inputs(std::span<const ValueRef> inputs,
                                         std::span<const double> values) {
    return judge(instance_.set_reals(inputs, values), "fmiSetReal");
}

Evaluation Fmi1ModelExchange::try_point(double time, std::span<const double> states) {
    const Evaluation moved = judge(functions().set_time(component(), time), "fmiSetTime");
    if (moved == Evaluation::refused || states.empty()) return moved;
    return judge(functions().set_continuous_states(component(), states.data(), states.size()),
                 "fmiSetContinuousStates");
}

Evaluation Fmi1ModelExchange::get_derivatives(std::span<double> derivatives) {
    if (derivatives.empty()) return Evaluation::done;
    return judge(functions().get_derivatives(component(), derivatives.data(), derivatives.size()),
                 "fmiGetDerivatives");
}

Evaluation Fmi1ModelExchange::get_indicators(std::span<double> indicators) {
    if (indicators.empty()) return Evaluation::done;
    return judge(
        functions().get_event_indicators(component(), indicators.data(), indicators.size()),
        "fmiGetEventIndicators");
}

void Fmi1ModelExchange::get_states(std::span<double> states) {
    if (states.empty()) return;
    instance_.check(functions().get_continuous_states(component(), states.data(), states.size()),
                    "fmiGetContinuousStates");
}

void Fmi1ModelExchange::get_nominals(std::span<double> nominals) {
    std::ranges::fill(nominals, 1.0);
    if (nominals.empty() || is_missing(functions().get_nominals)) return;
    instance_.check(functions().get_nominals(component(), nominals.data(), nominals.size()),
                    "fmiGetNominalContinuousStates");
}

CompletedStep Fmi1ModelExchange::complete_step(bool /*final*/) {
    if (is_missing(functions().completed_integrator_step)) return {};
    fmi1::Boolean event = fmi1::no;
    instance_.check(functions().completed_integrator_step(component(), &event),
                    "fmiCompletedIntegratorStep");
    return {event != fmi1::no, false};
}

} // namespace rubato::unit
