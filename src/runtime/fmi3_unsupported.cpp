// SPDX-License-Identifier: Apache-2.0
#include "instance.hpp"

#include <rubato/fmi/fmi3_exports.hpp>

// Functions of FMI 3.0 that the model descriptions of exported scenarios do not promise: FMI 3.0
// wants all of them. They say so and fail.

namespace fmi3 = rubato::fmi3;
using fmi3::Status;
using rubato::runtime::Instance;

namespace {

constexpr const char* no_clocks = "it has no clocks";
constexpr const char* no_discrete_states = "outputs are up to date at any time in event mode";
constexpr const char* no_configuration = "it has no structural parameters";
constexpr const char* only_described = "dependencies are in the model description";
constexpr const char* no_derivatives = "it does not give such derivatives";
constexpr const char* only_co_simulation = "it is for co-simulation";

Status unsupported(void* c, const char* function, const char* reason) {
    return rubato::runtime::guarded<Status>(c, function,
                                            [&](Instance&) { throw rubato::Error(reason); });
}

} // namespace

fmi3::Instance fmi3InstantiateModelExchange(fmi3::String, fmi3::String, fmi3::String, fmi3::Boolean,
                                            fmi3::Boolean, fmi3::InstanceEnvironment environment,
                                            fmi3::LogMessage* log) {
    if (log != nullptr)
        log(environment, Status::error, rubato::pipeline::exported_log_categories[0].name,
            only_co_simulation);
    return nullptr;
}

fmi3::Instance fmi3InstantiateScheduledExecution(fmi3::String, fmi3::String, fmi3::String,
                                                 fmi3::Boolean, fmi3::Boolean,
                                                 fmi3::InstanceEnvironment environment,
                                                 fmi3::LogMessage* log, fmi3::ClockUpdate*,
                                                 fmi3::LockPreemption*, fmi3::UnlockPreemption*) {
    return fmi3InstantiateModelExchange(nullptr, nullptr, nullptr, false, false, environment, log);
}

Status fmi3GetClock(fmi3::Instance c, const fmi3::ValueReference*, std::size_t, fmi3::Clock*) {
    return unsupported(c, "fmi3GetClock", no_clocks);
}

Status fmi3SetClock(fmi3::Instance c, const fmi3::ValueReference*, std::size_t,
                    const fmi3::Clock*) {
    return unsupported(c, "fmi3SetClock", no_clocks);
}

Status fmi3GetIntervalDecimal(fmi3::Instance c, const fmi3::ValueReference*, std::size_t,
                              fmi3::Float64*, fmi3::IntervalQualifier*) {
    return unsupported(c, "fmi3GetIntervalDecimal", no_clocks);
}

Status fmi3GetIntervalFraction(fmi3::Instance c, const fmi3::ValueReference*, std::size_t,
                               fmi3::UInt64*, fmi3::UInt64*, fmi3::IntervalQualifier*) {
    return unsupported(c, "fmi3GetIntervalFraction", no_clocks);
}

Status fmi3GetShiftDecimal(fmi3::Instance c, const fmi3::ValueReference*, std::size_t,
                           fmi3::Float64*) {
    return unsupported(c, "fmi3GetShiftDecimal", no_clocks);
}

Status fmi3GetShiftFraction(fmi3::Instance c, const fmi3::ValueReference*, std::size_t,
                            fmi3::UInt64*, fmi3::UInt64*) {
    return unsupported(c, "fmi3GetShiftFraction", no_clocks);
}

Status fmi3SetIntervalDecimal(fmi3::Instance c, const fmi3::ValueReference*, std::size_t,
                              const fmi3::Float64*) {
    return unsupported(c, "fmi3SetIntervalDecimal", no_clocks);
}

Status fmi3SetIntervalFraction(fmi3::Instance c, const fmi3::ValueReference*, std::size_t,
                               const fmi3::UInt64*, const fmi3::UInt64*) {
    return unsupported(c, "fmi3SetIntervalFraction", no_clocks);
}

Status fmi3SetShiftDecimal(fmi3::Instance c, const fmi3::ValueReference*, std::size_t,
                           const fmi3::Float64*) {
    return unsupported(c, "fmi3SetShiftDecimal", no_clocks);
}

Status fmi3SetShiftFraction(fmi3::Instance c, const fmi3::ValueReference*, std::size_t,
                            const fmi3::UInt64*, const fmi3::UInt64*) {
    return unsupported(c, "fmi3SetShiftFraction", no_clocks);
}

Status fmi3ActivateModelPartition(fmi3::Instance c, fmi3::ValueReference, fmi3::Float64) {
    return unsupported(c, "fmi3ActivateModelPartition", no_clocks);
}

Status fmi3EvaluateDiscreteStates(fmi3::Instance c) {
    return unsupported(c, "fmi3EvaluateDiscreteStates", no_discrete_states);
}

Status fmi3EnterConfigurationMode(fmi3::Instance c) {
    return unsupported(c, "fmi3EnterConfigurationMode", no_configuration);
}

Status fmi3ExitConfigurationMode(fmi3::Instance c) {
    return unsupported(c, "fmi3ExitConfigurationMode", no_configuration);
}

Status fmi3GetNumberOfVariableDependencies(fmi3::Instance c, fmi3::ValueReference, std::size_t*) {
    return unsupported(c, "fmi3GetNumberOfVariableDependencies", only_described);
}

Status fmi3GetVariableDependencies(fmi3::Instance c, fmi3::ValueReference, std::size_t*,
                                   fmi3::ValueReference*, std::size_t*, fmi3::DependencyKind*,
                                   std::size_t) {
    return unsupported(c, "fmi3GetVariableDependencies", only_described);
}

Status fmi3GetAdjointDerivative(fmi3::Instance c, const fmi3::ValueReference*, std::size_t,
                                const fmi3::ValueReference*, std::size_t, const fmi3::Float64*,
                                std::size_t, fmi3::Float64*, std::size_t) {
    return unsupported(c, "fmi3GetAdjointDerivative", no_derivatives);
}

Status fmi3GetOutputDerivatives(fmi3::Instance c, const fmi3::ValueReference*, std::size_t,
                                const fmi3::Int32*, fmi3::Float64*, std::size_t) {
    return unsupported(c, "fmi3GetOutputDerivatives", no_derivatives);
}

Status fmi3EnterContinuousTimeMode(fmi3::Instance c) {
    return unsupported(c, "fmi3EnterContinuousTimeMode", only_co_simulation);
}

Status fmi3CompletedIntegratorStep(fmi3::Instance c, fmi3::Boolean, fmi3::Boolean*,
                                   fmi3::Boolean*) {
    return unsupported(c, "fmi3CompletedIntegratorStep", only_co_simulation);
}

Status fmi3SetTime(fmi3::Instance c, fmi3::Float64) {
    return unsupported(c, "fmi3SetTime", only_co_simulation);
}

Status fmi3SetContinuousStates(fmi3::Instance c, const fmi3::Float64*, std::size_t) {
    return unsupported(c, "fmi3SetContinuousStates", only_co_simulation);
}

Status fmi3GetContinuousStateDerivatives(fmi3::Instance c, fmi3::Float64*, std::size_t) {
    return unsupported(c, "fmi3GetContinuousStateDerivatives", only_co_simulation);
}

Status fmi3GetEventIndicators(fmi3::Instance c, fmi3::Float64*, std::size_t) {
    return unsupported(c, "fmi3GetEventIndicators", only_co_simulation);
}

Status fmi3GetContinuousStates(fmi3::Instance c, fmi3::Float64*, std::size_t) {
    return unsupported(c, "fmi3GetContinuousStates", only_co_simulation);
}

Status fmi3GetNominalsOfContinuousStates(fmi3::Instance c, fmi3::Float64*, std::size_t) {
    return unsupported(c, "fmi3GetNominalsOfContinuousStates", only_co_simulation);
}

Status fmi3GetNumberOfEventIndicators(fmi3::Instance c, std::size_t*) {
    return unsupported(c, "fmi3GetNumberOfEventIndicators", only_co_simulation);
}

Status fmi3GetNumberOfContinuousStates(fmi3::Instance c, std::size_t*) {
    return unsupported(c, "fmi3GetNumberOfContinuousStates", only_co_simulation);
}
