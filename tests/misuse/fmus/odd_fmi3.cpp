// SPDX-License-Identifier: Apache-2.0

/// The odd model by FMI 3.0, for model exchange and co-simulation. With LACKS_OPTIONAL the library
/// exports only what cannot be done without.

#include "odd_model.hpp"

#include <rubato/fmi/fmi3.hpp>

namespace fmi3 = rubato::fmi3;
using fmi3::Status;
using fmi3::ValueReference;
using rubato::test::OddModel;

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

OddModel& of(fmi3::Instance instance) { return *static_cast<OddModel*>(instance); }

} // namespace

EXPORT fmi3::Instance fmi3InstantiateModelExchange(fmi3::String, fmi3::String token, fmi3::String,
                                                   bool, bool, fmi3::InstanceEnvironment,
                                                   fmi3::LogMessage*) {
    return new OddModel{token};
}

EXPORT fmi3::Instance fmi3InstantiateCoSimulation(fmi3::String, fmi3::String token, fmi3::String,
                                                  bool, bool, bool event_mode, bool,
                                                  const ValueReference[], std::size_t,
                                                  fmi3::InstanceEnvironment environment,
                                                  fmi3::LogMessage* log_message,
                                                  fmi3::IntermediateUpdate*) {
    if (event_mode) {
        log_message(environment, Status::error, "logStatusError", "there is no event mode");
        return nullptr;
    }
    return new OddModel{token};
}

EXPORT void fmi3FreeInstance(fmi3::Instance instance) { delete &of(instance); }

EXPORT Status fmi3EnterInitializationMode(fmi3::Instance instance, bool, double, double start, bool,
                                          double) {
    of(instance).time = start;
    return Status::ok;
}

EXPORT Status fmi3ExitInitializationMode(fmi3::Instance) { return Status::ok; }

EXPORT Status fmi3GetFloat64(fmi3::Instance instance, const ValueReference references[],
                             std::size_t count, double values[], std::size_t) {
    const double x = of(instance).x;
    for (std::size_t i = 0; i < count; ++i) values[i] = references[i] == 0 ? x : -x;
    return Status::ok;
}

EXPORT Status fmi3EnterEventMode(fmi3::Instance) { return Status::ok; }

EXPORT Status fmi3EnterStepMode(fmi3::Instance) { return Status::ok; }

EXPORT Status fmi3UpdateDiscreteStates(fmi3::Instance instance, bool* again, bool* terminate,
                                       bool* nominals_changed, bool* states_changed,
                                       bool* has_next_event, double* next_event) {
    OddModel& it = of(instance);
    if (it.leaves_event_info()) return Status::ok;
    *again = *terminate = *nominals_changed = false;
    *states_changed = it.handle_event() && it.tells_changed_states();
    *has_next_event = it.expects_event();
    *next_event = it.next_event();
    return Status::ok;
}

EXPORT Status fmi3DoStep(fmi3::Instance instance, double time, double step, bool, bool*, bool*,
                         bool*, double* reached) {
    OddModel& it = of(instance);
    it.x *= std::exp(-step);
    *reached = it.time = time + step;
    return Status::ok;
}

EXPORT Status fmi3EnterContinuousTimeMode(fmi3::Instance) { return Status::ok; }

EXPORT Status fmi3SetTime(fmi3::Instance instance, double time) {
    of(instance).set_time(time);
    return Status::ok;
}

EXPORT Status fmi3SetContinuousStates(fmi3::Instance instance, const double x[], std::size_t) {
    return of(instance).set_state(x[0]) ? Status::ok : Status::error;
}

EXPORT Status fmi3GetContinuousStates(fmi3::Instance instance, double x[], std::size_t) {
    x[0] = of(instance).x;
    return Status::ok;
}

EXPORT Status fmi3GetContinuousStateDerivatives(fmi3::Instance instance, double dx[], std::size_t) {
    dx[0] = -of(instance).x;
    return Status::ok;
}

#ifndef LACKS_OPTIONAL

EXPORT Status fmi3Terminate(fmi3::Instance) { return Status::ok; }

EXPORT Status fmi3GetNominalsOfContinuousStates(fmi3::Instance instance, double nominals[],
                                                std::size_t) {
    nominals[0] = of(instance).nominal();
    return Status::ok;
}

EXPORT Status fmi3CompletedIntegratorStep(fmi3::Instance, bool, bool*, bool*) { return Status::ok; }

EXPORT Status fmi3GetNumberOfContinuousStates(fmi3::Instance, std::size_t* count) {
    *count = 1;
    return Status::ok;
}

EXPORT Status fmi3GetNumberOfEventIndicators(fmi3::Instance, std::size_t* count) {
    *count = 0;
    return Status::ok;
}

EXPORT Status fmi3GetInt32(fmi3::Instance instance, const ValueReference[], std::size_t,
                           std::int32_t values[], std::size_t) {
    values[0] = of(instance).n;
    return Status::ok;
}

EXPORT Status fmi3SetInt32(fmi3::Instance instance, const ValueReference[], std::size_t,
                           const std::int32_t values[], std::size_t) {
    of(instance).n = values[0];
    return Status::ok;
}

// For a model that has no other variables.
#define REFUSE(Name, Type)                                                                         \
    EXPORT Status fmi3Get##Name(fmi3::Instance, const ValueReference[], std::size_t, Type[],       \
                                std::size_t) {                                                     \
        return Status::error;                                                                      \
    }                                                                                              \
    EXPORT Status fmi3Set##Name(fmi3::Instance, const ValueReference[], std::size_t, const Type[], \
                                std::size_t) {                                                     \
        return Status::error;                                                                      \
    }

REFUSE(Float32, float)
REFUSE(Int8, std::int8_t)
REFUSE(UInt8, std::uint8_t)
REFUSE(Int16, std::int16_t)
REFUSE(UInt16, std::uint16_t)
REFUSE(UInt32, std::uint32_t)
REFUSE(Int64, std::int64_t)
REFUSE(UInt64, std::uint64_t)
REFUSE(Boolean, bool)
REFUSE(String, fmi3::String)

EXPORT Status fmi3SetFloat64(fmi3::Instance, const ValueReference[], std::size_t, const double[],
                             std::size_t) {
    return Status::error;
}

EXPORT Status fmi3GetBinary(fmi3::Instance, const ValueReference[], std::size_t, std::size_t[],
                            fmi3::Binary[], std::size_t) {
    return Status::error;
}

EXPORT Status fmi3SetBinary(fmi3::Instance, const ValueReference[], std::size_t,
                            const std::size_t[], const fmi3::Binary[], std::size_t) {
    return Status::error;
}

EXPORT Status fmi3GetClock(fmi3::Instance, const ValueReference[], std::size_t, bool[]) {
    return Status::error;
}

EXPORT Status fmi3SetClock(fmi3::Instance, const ValueReference[], std::size_t, const bool[]) {
    return Status::error;
}

EXPORT Status fmi3GetIntervalDecimal(fmi3::Instance, const ValueReference[], std::size_t, double[],
                                     fmi3::IntervalQualifier[]) {
    return Status::error;
}

EXPORT Status fmi3GetShiftDecimal(fmi3::Instance, const ValueReference[], std::size_t, double[]) {
    return Status::error;
}

EXPORT Status fmi3GetIntervalFraction(fmi3::Instance, const ValueReference[], std::size_t,
                                      fmi3::UInt64[], fmi3::UInt64[], fmi3::IntervalQualifier[]) {
    return Status::error;
}

EXPORT Status fmi3GetShiftFraction(fmi3::Instance, const ValueReference[], std::size_t,
                                   fmi3::UInt64[], fmi3::UInt64[]) {
    return Status::error;
}

EXPORT Status fmi3GetEventIndicators(fmi3::Instance, double[], std::size_t) {
    return Status::error;
}

#endif
