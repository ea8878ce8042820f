// SPDX-License-Identifier: Apache-2.0
#include "component.hpp"
#include "fmi1_guarded.hpp"

#include <rubato/model/fmi1_export.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

// The functions of FMI 1.0 for model exchange. It has no modes: between calls an initialized model
// is in continuous time.

namespace rubato::model::fmi1_functions {

using fmi1::Status;

namespace {

fmi1::Boolean to_fmi1(bool value) { return value ? fmi1::yes : fmi1::no; }

/// For an instance in event mode, which it leaves.
void handle_event(Instance& instance, fmi1::EventInfo& info) {
    const EventUpdate update = instance.update_discrete();
    instance.enter_continuous_time();
    info = {};
    info.state_values_changed = to_fmi1(update.states_changed);
    info.upcoming_time_event = to_fmi1(std::isfinite(update.next_event));
    if (info.upcoming_time_event != fmi1::no) info.next_event_time = update.next_event;
}

void require_place(const fmi1::EventInfo* info) {
    require(info != nullptr, "there is no place for the results of the event");
}

bool is_instantiated(void* c) {
    return c != nullptr && static_cast<Component*>(c)->instance.phase() == Phase::instantiated;
}

} // namespace

fmi1::Component instantiate_model(fmi1::String name, fmi1::String guid,
                                  fmi1::ModelCallbacks callbacks, fmi1::Boolean logging_on) {
    return instantiate_fmi1(name, guid, Interface::model_exchange, callbacks.logger,
                            logging_on != fmi1::no);
}

/// Before initialization it passes the start time.
Status set_time(fmi1::Component c, fmi1::Real time) {
    if (is_instantiated(c))
        return guarded(c, Call::setup_experiment, "fmiSetTime",
                       [&](Component& component) { component.start_time = time; });
    return guarded(c, Call::set_time, "fmiSetTime",
                   [&](Component& component) { component.instance.set_time(time); });
}

Status initialize(fmi1::Component c, fmi1::Boolean, fmi1::Real, fmi1::EventInfo* info) {
    return guarded(c, Call::enter_initialization, "fmiInitialize", [&](Component& component) {
        require_place(info);
        component.instance.enter_initialization(component.start_time);
        component.instance.exit_initialization();
        handle_event(component.instance, *info);
    });
}

Status event_update(fmi1::Component c, fmi1::Boolean, fmi1::EventInfo* info) {
    return guarded(c, Call::enter_event_mode, "fmiEventUpdate", [&](Component& component) {
        require_place(info);
        component.instance.enter_event_mode();
        handle_event(component.instance, *info);
    });
}

Status terminate(fmi1::Component c) {
    return guarded(c, Call::terminate, "fmiTerminate",
                   [&](Component& component) { component.instance.terminate(); });
}

Status completed_integrator_step(fmi1::Component c, fmi1::Boolean* event) {
    return guarded(c, Call::completed_step, "fmiCompletedIntegratorStep", [&](Component&) {
        require(event != nullptr, "there is no place for what the model wants");
        *event = fmi1::no;
    });
}

Status set_continuous_states(fmi1::Component c, const fmi1::Real* states, std::size_t count) {
    return guarded(c, Call::set_states, "fmiSetContinuousStates", [&](Component& component) {
        require_states(component, states, count);
        component.instance.set_states(states);
    });
}

Status get_continuous_states(fmi1::Component c, fmi1::Real* states, std::size_t count) {
    return guarded(c, Call::get_continuous, "fmiGetContinuousStates", [&](Component& component) {
        require_states(component, states, count);
        component.instance.get_states(states);
    });
}

Status get_nominal_continuous_states(fmi1::Component c, fmi1::Real* nominals, std::size_t count) {
    return guarded(c, Call::get_continuous, "fmiGetNominalContinuousStates",
                   [&](Component& component) {
                       require_states(component, nominals, count);
                       std::fill_n(nominals, count, 1.0);
                   });
}

Status get_state_value_references(fmi1::Component c, fmi1::ValueReference* references,
                                  std::size_t count) {
    return guarded(c, Call::get_continuous, "fmiGetStateValueReferences",
                   [&](Component& component) {
                       require_states(component, references, count);
                       const auto& variables = component.instance.type().variables;
                       for (ValueRef i = 0; i < variables.size(); ++i)
                           if (variables[i].role == Role::state) *references++ = i;
                   });
}

Status get_derivatives(fmi1::Component c, fmi1::Real* derivatives, std::size_t count) {
    return guarded(c, Call::get_continuous, "fmiGetDerivatives", [&](Component& component) {
        require_states(component, derivatives, count);
        component.instance.get_derivatives(derivatives);
    });
}

Status get_event_indicators(fmi1::Component c, fmi1::Real* indicators, std::size_t count) {
    return guarded(c, Call::get_continuous, "fmiGetEventIndicators", [&](Component& component) {
        const std::size_t crossings = component.instance.type().crossing_count;
        require(count == crossings, "the model has another number of event indicators");
        require(count == 0 || indicators != nullptr, "the vector is missing");
        component.instance.get_crossings(indicators);
    });
}

} // namespace rubato::model::fmi1_functions
