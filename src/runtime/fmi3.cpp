// SPDX-License-Identifier: Apache-2.0
#include "access.hpp"
#include "resources.hpp"

#include <rubato/fmi/fmi3_exports.hpp>

#include <utility>

// The functions of FMI 3.0 for co-simulation, values apart.

namespace fmi3 = rubato::fmi3;
using fmi3::Status;
using rubato::runtime::Instance;
using rubato::runtime::require;
using rubato::runtime::SavedState;
using rubato::runtime::span_of;
using rubato::unit::StepEnd;

namespace {

template <class Body>
Status guarded(void* c, const char* function, Body&& body) {
    return rubato::runtime::guarded<Status>(c, function, std::forward<Body>(body));
}

/// Calls the importer within a step. Requests to return early are not granted: it is a point within
/// that the importer asks for, not one of its own.
std::function<void(rubato::Time)> updates_of(fmi3::InstanceEnvironment environment,
                                             fmi3::IntermediateUpdate* update) {
    if (update == nullptr) return {};
    return [environment, update](rubato::Time now) {
        fmi3::Boolean early_return_requested = false;
        fmi3::Float64 early_return_time = 0;
        update(environment, now.seconds, false, true, true, false, &early_return_requested,
               &early_return_time);
    };
}

SavedState*& state_at(fmi3::FmuState* state) {
    require(state != nullptr, "there is no place for the state");
    return reinterpret_cast<SavedState*&>(*state);
}

} // namespace

const char* fmi3GetVersion() { return fmi3::version; }

Status fmi3SetDebugLogging(fmi3::Instance c, fmi3::Boolean on, std::size_t count,
                           const fmi3::String* categories) {
    return guarded(c, "fmi3SetDebugLogging", [&](Instance& instance) {
        require(count == 0 || categories != nullptr, "the categories are missing");
        instance.log().turn(on, {categories, count});
    });
}

fmi3::Instance fmi3InstantiateCoSimulation(
    fmi3::String name, fmi3::String token, fmi3::String resources, fmi3::Boolean,
    fmi3::Boolean logging_on, fmi3::Boolean event_mode_used, fmi3::Boolean early_return_allowed,
    const fmi3::ValueReference*, std::size_t, fmi3::InstanceEnvironment environment,
    fmi3::LogMessage* logger, fmi3::IntermediateUpdate* intermediate_update) {
    const auto log = [logger, environment](int status, const char* category, const char* message) {
        if (logger != nullptr) logger(environment, Status{status}, category, message);
    };
    return rubato::runtime::instantiate(
        {name == nullptr ? "" : name,
         token == nullptr ? "" : token,
         rubato::runtime::resources_from_path(resources),
         {.ends_steps_at_events = early_return_allowed,
          .has_event_mode = event_mode_used,
          .at_point = updates_of(environment, intermediate_update)}},
        log, logging_on, "fmi3InstantiateCoSimulation");
}

void fmi3FreeInstance(fmi3::Instance c) { delete static_cast<Instance*>(c); }

Status fmi3EnterInitializationMode(fmi3::Instance c, fmi3::Boolean tolerance_defined,
                                   fmi3::Float64 tolerance, fmi3::Float64 start,
                                   fmi3::Boolean stop_defined, fmi3::Float64 stop) {
    return guarded(c, "fmi3EnterInitializationMode", [&](Instance& instance) {
        instance.horizon = {.start = {start}};
        if (stop_defined) instance.horizon.stop = rubato::Time{stop};
        if (tolerance_defined) instance.horizon.tolerance = tolerance;
        instance.enter_initialization();
    });
}

Status fmi3ExitInitializationMode(fmi3::Instance c) {
    return guarded(c, "fmi3ExitInitializationMode",
                   [](Instance& instance) { instance.unit().exit_initialization(); });
}

Status fmi3Terminate(fmi3::Instance c) {
    return guarded(c, "fmi3Terminate", [](Instance& instance) { instance.unit().terminate(); });
}

Status fmi3Reset(fmi3::Instance c) {
    return guarded(c, "fmi3Reset", [](Instance& instance) { instance.reset(); });
}

Status fmi3DoStep(fmi3::Instance c, fmi3::Float64 from, fmi3::Float64 by, fmi3::Boolean,
                  fmi3::Boolean* event_handling_needed, fmi3::Boolean* terminate_simulation,
                  fmi3::Boolean* early_return, fmi3::Float64* last_successful_time) {
    return guarded(c, "fmi3DoStep", [&](Instance& instance) {
        require(event_handling_needed != nullptr && terminate_simulation != nullptr &&
                    early_return != nullptr && last_successful_time != nullptr,
                "there is no place for the results of the step");
        *event_handling_needed = *terminate_simulation = *early_return = false;
        *last_successful_time = from;
        const auto [reached, end] = instance.step({from}, {by});
        *last_successful_time = reached.seconds;
        *event_handling_needed = end == StepEnd::event && instance.unit().event_mode() != nullptr;
        *terminate_simulation = end == StepEnd::terminated;
        *early_return = end != StepEnd::completed && reached.seconds < from + by;
    });
}

Status fmi3EnterEventMode(fmi3::Instance c) {
    return guarded(c, "fmi3EnterEventMode",
                   [](Instance& instance) { instance.event_mode().enter(); });
}

Status fmi3UpdateDiscreteStates(fmi3::Instance c, fmi3::Boolean* needs_update,
                                fmi3::Boolean* terminate_simulation,
                                fmi3::Boolean* nominals_changed, fmi3::Boolean* values_changed,
                                fmi3::Boolean* next_event_time_defined,
                                fmi3::Float64* next_event_time) {
    return guarded(c, "fmi3UpdateDiscreteStates", [&](Instance& instance) {
        require(needs_update != nullptr && terminate_simulation != nullptr &&
                    nominals_changed != nullptr && values_changed != nullptr &&
                    next_event_time_defined != nullptr && next_event_time != nullptr,
                "there is no place for the results of the update");
        const rubato::unit::EventUpdate update = instance.event_mode().update();
        *needs_update = update.again;
        *terminate_simulation = update.terminate;
        *nominals_changed = *values_changed = false; // it has no states that an importer sees
        *next_event_time_defined = update.next_event.has_value();
        *next_event_time = update.next_event ? update.next_event->seconds : 0;
    });
}

Status fmi3EnterStepMode(fmi3::Instance c) {
    return guarded(c, "fmi3EnterStepMode",
                   [](Instance& instance) { instance.event_mode().leave(); });
}

Status fmi3GetFMUState(fmi3::Instance c, fmi3::FmuState* state) {
    return guarded(c, "fmi3GetFMUState",
                   [&](Instance& instance) { instance.save(state_at(state)); });
}

Status fmi3SetFMUState(fmi3::Instance c, fmi3::FmuState state) {
    return guarded(c, "fmi3SetFMUState", [&](Instance& instance) {
        require(state != nullptr, "there is no state to set");
        instance.restore(*static_cast<const SavedState*>(state));
    });
}

Status fmi3FreeFMUState(fmi3::Instance c, fmi3::FmuState* state) {
    return guarded(c, "fmi3FreeFMUState",
                   [&](Instance& instance) { instance.release(state_at(state)); });
}

Status fmi3SerializedFMUStateSize(fmi3::Instance c, fmi3::FmuState state, std::size_t* size) {
    return guarded(c, "fmi3SerializedFMUStateSize",
                   [&](Instance& instance) { serialized_size(instance, state, size); });
}

Status fmi3SerializeFMUState(fmi3::Instance c, fmi3::FmuState state, fmi3::Byte* bytes,
                             std::size_t size) {
    return guarded(c, "fmi3SerializeFMUState",
                   [&](Instance& instance) { serialize(instance, state, bytes, size); });
}

Status fmi3DeserializeFMUState(fmi3::Instance c, const fmi3::Byte* bytes, std::size_t size,
                               fmi3::FmuState* state) {
    return guarded(c, "fmi3DeserializeFMUState", [&](Instance& instance) {
        deserialize(instance, bytes, size, state_at(state));
    });
}

Status fmi3GetDirectionalDerivative(fmi3::Instance c, const fmi3::ValueReference* unknowns,
                                    std::size_t n_unknowns, const fmi3::ValueReference* knowns,
                                    std::size_t n_knowns, const fmi3::Float64* seed,
                                    std::size_t n_seed, fmi3::Float64* sensitivity,
                                    std::size_t n_sensitivity) {
    return guarded(c, "fmi3GetDirectionalDerivative", [&](Instance& instance) {
        instance.get_directional_derivative(span_of(unknowns, n_unknowns, sensitivity),
                                            span_of(knowns, n_knowns, seed), {seed, n_seed},
                                            {sensitivity, n_sensitivity});
    });
}
