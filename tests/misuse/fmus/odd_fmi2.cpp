// SPDX-License-Identifier: Apache-2.0

/// The odd model for model exchange by FMI 2.0. With LACKS_OPTIONAL the library exports only what
/// cannot be done without.

#include "odd_model.hpp"

#include <rubato/fmi/fmi2.hpp>

namespace fmi2 = rubato::fmi2;
using fmi2::Status;
using rubato::test::OddModel;

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

OddModel& of(fmi2::Component component) { return *static_cast<OddModel*>(component); }

} // namespace

EXPORT fmi2::Component fmi2Instantiate(fmi2::String, fmi2::Type, fmi2::String guid, fmi2::String,
                                       const fmi2::CallbackFunctions*, fmi2::Boolean,
                                       fmi2::Boolean) {
    return new OddModel{guid};
}

EXPORT void fmi2FreeInstance(fmi2::Component component) { delete &of(component); }

EXPORT Status fmi2EnterInitializationMode(fmi2::Component) { return Status::ok; }

EXPORT Status fmi2ExitInitializationMode(fmi2::Component) { return Status::ok; }

EXPORT Status fmi2GetReal(fmi2::Component component, const fmi2::ValueReference references[],
                          std::size_t count, double values[]) {
    const double x = of(component).x;
    for (std::size_t i = 0; i < count; ++i) values[i] = references[i] == 0 ? x : -x;
    return Status::ok;
}

EXPORT Status fmi2EnterEventMode(fmi2::Component) { return Status::ok; }

EXPORT Status fmi2NewDiscreteStates(fmi2::Component component, fmi2::EventInfo* info) {
    OddModel& it = of(component);
    if (it.leaves_event_info()) return Status::ok;
    const bool changed = it.handle_event();
    *info = {};
    info->values_of_continuous_states_changed =
        changed && it.tells_changed_states() ? fmi2::yes : fmi2::no;
    info->next_event_time_defined = it.expects_event() ? fmi2::yes : fmi2::no;
    info->next_event_time = it.next_event();
    return Status::ok;
}

EXPORT Status fmi2EnterContinuousTimeMode(fmi2::Component) { return Status::ok; }

EXPORT Status fmi2SetTime(fmi2::Component component, double time) {
    of(component).set_time(time);
    return Status::ok;
}

EXPORT Status fmi2SetContinuousStates(fmi2::Component component, const double x[], std::size_t) {
    return of(component).set_state(x[0]) ? Status::ok : Status::error;
}

EXPORT Status fmi2GetContinuousStates(fmi2::Component component, double x[], std::size_t) {
    x[0] = of(component).x;
    return Status::ok;
}

EXPORT Status fmi2GetDerivatives(fmi2::Component component, double dx[], std::size_t) {
    dx[0] = -of(component).x;
    return Status::ok;
}

#ifndef LACKS_OPTIONAL

EXPORT Status fmi2SetupExperiment(fmi2::Component component, fmi2::Boolean, double, double start,
                                  fmi2::Boolean, double) {
    of(component).time = start;
    return Status::ok;
}

EXPORT Status fmi2Terminate(fmi2::Component) { return Status::ok; }

EXPORT Status fmi2GetNominalsOfContinuousStates(fmi2::Component component, double nominals[],
                                                std::size_t) {
    nominals[0] = of(component).nominal();
    return Status::ok;
}

EXPORT Status fmi2CompletedIntegratorStep(fmi2::Component, fmi2::Boolean, fmi2::Boolean*,
                                          fmi2::Boolean*) {
    return Status::ok;
}

// For a model that has none but real variables.
#define REFUSE(Name, Type)                                                                         \
    EXPORT Status fmi2Get##Name(fmi2::Component, const fmi2::ValueReference[], std::size_t,        \
                                Type[]) {                                                          \
        return Status::error;                                                                      \
    }                                                                                              \
    EXPORT Status fmi2Set##Name(fmi2::Component, const fmi2::ValueReference[], std::size_t,        \
                                const Type[]) {                                                    \
        return Status::error;                                                                      \
    }

REFUSE(Integer, int)
REFUSE(Boolean, fmi2::Boolean)
REFUSE(String, fmi2::String)

EXPORT Status fmi2SetReal(fmi2::Component, const fmi2::ValueReference[], std::size_t,
                          const double[]) {
    return Status::error;
}

EXPORT Status fmi2GetEventIndicators(fmi2::Component, double[], std::size_t) {
    return Status::error;
}

#endif
