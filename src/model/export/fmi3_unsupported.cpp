// SPDX-License-Identifier: Apache-2.0
#include "component.hpp"

#include <rubato/fmi/fmi3_exports.hpp>

// Functions of FMI 3.0 that the models' descriptions do not promise: they say so and fail.

namespace fmi3 = rubato::fmi3;
using fmi3::Status;
using rubato::model::Call;
using rubato::model::Component;

namespace {

constexpr const char* own_shifts = "the shifts of its clocks are the model's own";
constexpr const char* no_scheduled_execution = "the model has no scheduled execution";

Status unsupported(void* c, const char* function, const char* reason) {
    return rubato::model::guarded<Status>(c, Call::unsupported, function,
                                          [&](Component&) { rubato::model::reject(reason); });
}

} // namespace

fmi3::Instance fmi3InstantiateScheduledExecution(fmi3::String name, fmi3::String, fmi3::String,
                                                 fmi3::Boolean, fmi3::Boolean logging_on,
                                                 fmi3::InstanceEnvironment environment,
                                                 fmi3::LogMessage* log, fmi3::ClockUpdate*,
                                                 fmi3::LockPreemption*, fmi3::UnlockPreemption*) {
    rubato::model::Logger(name == nullptr ? "" : name, log, environment, logging_on)
        .error(std::string("fmi3InstantiateScheduledExecution: ") + no_scheduled_execution);
    return nullptr;
}

Status fmi3EvaluateDiscreteStates(fmi3::Instance c) {
    return unsupported(c, "fmi3EvaluateDiscreteStates", "reading values does it");
}

Status fmi3GetNumberOfVariableDependencies(fmi3::Instance c, fmi3::ValueReference, std::size_t*) {
    return unsupported(c, "fmi3GetNumberOfVariableDependencies",
                       "dependencies are in the model description");
}

Status fmi3GetVariableDependencies(fmi3::Instance c, fmi3::ValueReference, std::size_t*,
                                   fmi3::ValueReference*, std::size_t*, fmi3::DependencyKind*,
                                   std::size_t) {
    return unsupported(c, "fmi3GetVariableDependencies",
                       "dependencies are in the model description");
}

Status fmi3GetAdjointDerivative(fmi3::Instance c, const fmi3::ValueReference*, std::size_t,
                                const fmi3::ValueReference*, std::size_t, const fmi3::Float64*,
                                std::size_t, fmi3::Float64*, std::size_t) {
    return unsupported(c, "fmi3GetAdjointDerivative", "the model gives no adjoint derivatives");
}

Status fmi3GetOutputDerivatives(fmi3::Instance c, const fmi3::ValueReference*, std::size_t,
                                const fmi3::Int32*, fmi3::Float64*, std::size_t) {
    return unsupported(c, "fmi3GetOutputDerivatives",
                       "the model gives no derivatives of its outputs");
}

Status fmi3SetShiftDecimal(fmi3::Instance c, const fmi3::ValueReference*, std::size_t,
                           const fmi3::Float64*) {
    return unsupported(c, "fmi3SetShiftDecimal", own_shifts);
}

Status fmi3SetShiftFraction(fmi3::Instance c, const fmi3::ValueReference*, std::size_t,
                            const fmi3::UInt64*, const fmi3::UInt64*) {
    return unsupported(c, "fmi3SetShiftFraction", own_shifts);
}

Status fmi3ActivateModelPartition(fmi3::Instance c, fmi3::ValueReference, fmi3::Float64) {
    return unsupported(c, "fmi3ActivateModelPartition", no_scheduled_execution);
}
