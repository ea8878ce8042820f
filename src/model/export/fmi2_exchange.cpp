// SPDX-License-Identifier: Apache-2.0
#include "component.hpp"
#include "fmi2_guarded.hpp"

#include <rubato/fmi/fmi2_exports.hpp>

#include <algorithm>
#include <cmath>

// The functions of FMI 2.0 for model exchange.

namespace fmi2 = rubato::fmi2;
using fmi2::Status;
using rubato::model::Call;
using rubato::model::Component;
using rubato::model::require;
using rubato::model::require_states;
using rubato::model::fmi2_functions::guarded;

namespace {

fmi2::Boolean to_fmi2(bool value) { return value ? fmi2::yes : fmi2::no; }

} // namespace

Status fmi2EnterEventMode(fmi2::Component c) {
    return guarded(c, Call::enter_event_mode, "fmi2EnterEventMode", [&](Component& component) {
        require(component.instance.is_model_exchange(), "the instance is one for co-simulation");
        component.instance.enter_event_mode();
    });
}

Status fmi2NewDiscreteStates(fmi2::Component c, fmi2::EventInfo* info) {
    return guarded(c, Call::update_discrete_states, "fmi2NewDiscreteStates",
                   [&](Component& component) {
                       require(info != nullptr, "there is no place for the results of the event");
                       const auto update = component.instance.update_discrete();
                       *info = {};
                       info->values_of_continuous_states_changed = to_fmi2(update.states_changed);
                       info->next_event_time_defined = to_fmi2(std::isfinite(update.next_event));
                       if (info->next_event_time_defined != fmi2::no)
                           info->next_event_time = update.next_event;
                   });
}

Status fmi2EnterContinuousTimeMode(fmi2::Component c) {
    return guarded(c, Call::enter_continuous_time, "fmi2EnterContinuousTimeMode",
                   [&](Component& component) { component.instance.enter_continuous_time(); });
}

Status fmi2CompletedIntegratorStep(fmi2::Component c, fmi2::Boolean, fmi2::Boolean* event,
                                   fmi2::Boolean* terminate) {
    return guarded(c, Call::completed_step, "fmi2CompletedIntegratorStep", [&](Component&) {
        require(event != nullptr && terminate != nullptr,
                "there is no place for what the model wants");
        *event = *terminate = fmi2::no;
    });
}

Status fmi2SetTime(fmi2::Component c, fmi2::Real time) {
    return guarded(c, Call::set_time, "fmi2SetTime",
                   [&](Component& component) { component.instance.set_time(time); });
}

Status fmi2SetContinuousStates(fmi2::Component c, const fmi2::Real* states, std::size_t count) {
    return guarded(c, Call::set_states, "fmi2SetContinuousStates", [&](Component& component) {
        require_states(component, states, count);
        component.instance.set_states(states);
    });
}

Status fmi2GetDerivatives(fmi2::Component c, fmi2::Real* derivatives, std::size_t count) {
    return guarded(c, Call::get_continuous, "fmi2GetDerivatives", [&](Component& component) {
        require_states(component, derivatives, count);
        component.instance.get_derivatives(derivatives);
    });
}

Status fmi2GetEventIndicators(fmi2::Component c, fmi2::Real* indicators, std::size_t count) {
    return guarded(c, Call::get_continuous, "fmi2GetEventIndicators", [&](Component& component) {
        const std::size_t crossings = component.instance.type().crossing_count;
        require(count == crossings, "the model has another number of event indicators");
        require(count == 0 || indicators != nullptr, "the vector is missing");
        component.instance.get_crossings(indicators);
    });
}

Status fmi2GetContinuousStates(fmi2::Component c, fmi2::Real* states, std::size_t count) {
    return guarded(c, Call::get_continuous, "fmi2GetContinuousStates", [&](Component& component) {
        require_states(component, states, count);
        component.instance.get_states(states);
    });
}

Status fmi2GetNominalsOfContinuousStates(fmi2::Component c, fmi2::Real* nominals,
                                         std::size_t count) {
    return guarded(c, Call::get_continuous, "fmi2GetNominalsOfContinuousStates",
                   [&](Component& component) {
                       require_states(component, nominals, count);
                       std::fill_n(nominals, count, 1.0);
                   });
}
