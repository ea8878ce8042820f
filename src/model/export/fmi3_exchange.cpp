// SPDX-License-Identifier: Apache-2.0
#include "component.hpp"
#include "fmi3_guarded.hpp"

#include <rubato/fmi/fmi3_exports.hpp>

#include <algorithm>
#include <cmath>

// The functions of FMI 3.0 for model exchange.

namespace fmi3 = rubato::fmi3;
using fmi3::Status;
using rubato::model::Call;
using rubato::model::Component;
using rubato::model::require;
using rubato::model::require_states;
using rubato::model::fmi3_functions::guarded;

fmi3::Instance fmi3InstantiateModelExchange(fmi3::String name, fmi3::String token, fmi3::String,
                                            fmi3::Boolean, fmi3::Boolean logging_on,
                                            fmi3::InstanceEnvironment environment,
                                            fmi3::LogMessage* log) {
    rubato::model::Logger logger(name == nullptr ? "" : name, log, environment, logging_on);
    try {
        return rubato::model::instantiate(name, token, rubato::model::Interface::model_exchange,
                                          std::move(logger))
            .release();
    } catch (const std::exception& fault) {
        logger.error(std::string("fmi3InstantiateModelExchange: ") + fault.what());
    }
    return nullptr;
}

Status fmi3EnterEventMode(fmi3::Instance c) {
    return guarded(c, Call::enter_event_mode, "fmi3EnterEventMode", [&](Component& component) {
        require(component.instance.is_model_exchange() || component.instance.is_hybrid(),
                "the instance was made without event mode");
        component.instance.enter_event_mode();
    });
}

Status fmi3UpdateDiscreteStates(fmi3::Instance c, fmi3::Boolean* again, fmi3::Boolean* terminate,
                                fmi3::Boolean* nominals_changed, fmi3::Boolean* states_changed,
                                fmi3::Boolean* next_event_defined, fmi3::Float64* next_event) {
    return guarded(c, Call::update_discrete_states, "fmi3UpdateDiscreteStates",
                   [&](Component& component) {
                       require(again != nullptr && terminate != nullptr &&
                                   nominals_changed != nullptr && states_changed != nullptr &&
                                   next_event_defined != nullptr && next_event != nullptr,
                               "there is no place for the results of the event");
                       const auto update = component.instance.update_discrete();
                       *again = *terminate = *nominals_changed = false;
                       *states_changed = update.states_changed;
                       *next_event_defined = std::isfinite(update.next_event);
                       *next_event = *next_event_defined ? update.next_event : 0;
                   });
}

Status fmi3EnterContinuousTimeMode(fmi3::Instance c) {
    return guarded(c, Call::enter_continuous_time, "fmi3EnterContinuousTimeMode",
                   [&](Component& component) {
                       require(component.instance.is_model_exchange(),
                               "the instance is one for co-simulation");
                       component.instance.enter_continuous_time();
                   });
}

Status fmi3CompletedIntegratorStep(fmi3::Instance c, fmi3::Boolean, fmi3::Boolean* event,
                                   fmi3::Boolean* terminate) {
    return guarded(c, Call::completed_step, "fmi3CompletedIntegratorStep", [&](Component&) {
        require(event != nullptr && terminate != nullptr,
                "there is no place for what the model wants");
        *event = *terminate = false;
    });
}

Status fmi3SetTime(fmi3::Instance c, fmi3::Float64 time) {
    return guarded(c, Call::set_time, "fmi3SetTime",
                   [&](Component& component) { component.instance.set_time(time); });
}

Status fmi3SetContinuousStates(fmi3::Instance c, const fmi3::Float64* states, std::size_t count) {
    return guarded(c, Call::set_states, "fmi3SetContinuousStates", [&](Component& component) {
        require_states(component, states, count);
        component.instance.set_states(states);
    });
}

Status fmi3GetContinuousStateDerivatives(fmi3::Instance c, fmi3::Float64* derivatives,
                                         std::size_t count) {
    return guarded(c, Call::get_continuous, "fmi3GetContinuousStateDerivatives",
                   [&](Component& component) {
                       require_states(component, derivatives, count);
                       component.instance.get_derivatives(derivatives);
                   });
}

Status fmi3GetEventIndicators(fmi3::Instance c, fmi3::Float64* indicators, std::size_t count) {
    return guarded(c, Call::get_continuous, "fmi3GetEventIndicators", [&](Component& component) {
        const std::size_t crossings = component.instance.type().crossing_count;
        require(count == crossings, "the model has another number of event indicators");
        require(count == 0 || indicators != nullptr, "the vector is missing");
        component.instance.get_crossings(indicators);
    });
}

Status fmi3GetContinuousStates(fmi3::Instance c, fmi3::Float64* states, std::size_t count) {
    return guarded(c, Call::get_continuous, "fmi3GetContinuousStates", [&](Component& component) {
        require_states(component, states, count);
        component.instance.get_states(states);
    });
}

Status fmi3GetNominalsOfContinuousStates(fmi3::Instance c, fmi3::Float64* nominals,
                                         std::size_t count) {
    return guarded(c, Call::get_continuous, "fmi3GetNominalsOfContinuousStates",
                   [&](Component& component) {
                       require_states(component, nominals, count);
                       std::fill_n(nominals, count, 1.0);
                   });
}

Status fmi3GetNumberOfEventIndicators(fmi3::Instance c, std::size_t* count) {
    return guarded(c, Call::count, "fmi3GetNumberOfEventIndicators", [&](Component& component) {
        require(count != nullptr, "there is no place for the number");
        *count = component.instance.type().crossing_count;
    });
}

Status fmi3GetNumberOfContinuousStates(fmi3::Instance c, std::size_t* count) {
    return guarded(c, Call::count, "fmi3GetNumberOfContinuousStates", [&](Component& component) {
        require(count != nullptr, "there is no place for the number");
        *count = component.instance.type().layout.states.size();
    });
}
