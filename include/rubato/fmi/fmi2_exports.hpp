// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/fmi/fmi2.hpp>

/// The functions of FMI 2.0, for an FMU that exports them. A definition that does not match does
/// not compile.
extern "C" {
[[gnu::visibility("default")]] rubato::fmi2::GetTypesPlatform fmi2GetTypesPlatform;
[[gnu::visibility("default")]] rubato::fmi2::GetVersion fmi2GetVersion;
[[gnu::visibility("default")]] rubato::fmi2::SetDebugLogging fmi2SetDebugLogging;
[[gnu::visibility("default")]] rubato::fmi2::Instantiate fmi2Instantiate;
[[gnu::visibility("default")]] rubato::fmi2::FreeInstance fmi2FreeInstance;
[[gnu::visibility("default")]] rubato::fmi2::SetupExperiment fmi2SetupExperiment;
[[gnu::visibility("default")]] rubato::fmi2::EnterInitializationMode fmi2EnterInitializationMode;
[[gnu::visibility("default")]] rubato::fmi2::ExitInitializationMode fmi2ExitInitializationMode;
[[gnu::visibility("default")]] rubato::fmi2::Terminate fmi2Terminate;
[[gnu::visibility("default")]] rubato::fmi2::Reset fmi2Reset;
[[gnu::visibility("default")]] rubato::fmi2::GetReal fmi2GetReal;
[[gnu::visibility("default")]] rubato::fmi2::GetInteger fmi2GetInteger;
[[gnu::visibility("default")]] rubato::fmi2::GetBoolean fmi2GetBoolean;
[[gnu::visibility("default")]] rubato::fmi2::GetString fmi2GetString;
[[gnu::visibility("default")]] rubato::fmi2::SetReal fmi2SetReal;
[[gnu::visibility("default")]] rubato::fmi2::SetInteger fmi2SetInteger;
[[gnu::visibility("default")]] rubato::fmi2::SetBoolean fmi2SetBoolean;
[[gnu::visibility("default")]] rubato::fmi2::SetString fmi2SetString;
[[gnu::visibility("default")]] rubato::fmi2::GetFmuState fmi2GetFMUstate;
[[gnu::visibility("default")]] rubato::fmi2::SetFmuState fmi2SetFMUstate;
[[gnu::visibility("default")]] rubato::fmi2::FreeFmuState fmi2FreeFMUstate;
[[gnu::visibility("default")]] rubato::fmi2::SerializedFmuStateSize fmi2SerializedFMUstateSize;
[[gnu::visibility("default")]] rubato::fmi2::SerializeFmuState fmi2SerializeFMUstate;
[[gnu::visibility("default")]] rubato::fmi2::DeSerializeFmuState fmi2DeSerializeFMUstate;
[[gnu::visibility("default")]] rubato::fmi2::GetDirectionalDerivative fmi2GetDirectionalDerivative;
[[gnu::visibility("default")]] rubato::fmi2::SetRealInputDerivatives fmi2SetRealInputDerivatives;
[[gnu::visibility("default")]] rubato::fmi2::GetRealOutputDerivatives fmi2GetRealOutputDerivatives;
[[gnu::visibility("default")]] rubato::fmi2::DoStep fmi2DoStep;
[[gnu::visibility("default")]] rubato::fmi2::CancelStep fmi2CancelStep;
[[gnu::visibility("default")]] rubato::fmi2::GetStatus fmi2GetStatus;
[[gnu::visibility("default")]] rubato::fmi2::GetRealStatus fmi2GetRealStatus;
[[gnu::visibility("default")]] rubato::fmi2::GetIntegerStatus fmi2GetIntegerStatus;
[[gnu::visibility("default")]] rubato::fmi2::GetBooleanStatus fmi2GetBooleanStatus;
[[gnu::visibility("default")]] rubato::fmi2::GetStringStatus fmi2GetStringStatus;
[[gnu::visibility("default")]] rubato::fmi2::EnterEventMode fmi2EnterEventMode;
[[gnu::visibility("default")]] rubato::fmi2::NewDiscreteStates fmi2NewDiscreteStates;
[[gnu::visibility("default")]] rubato::fmi2::EnterContinuousTimeMode fmi2EnterContinuousTimeMode;
[[gnu::visibility("default")]] rubato::fmi2::CompletedIntegratorStep fmi2CompletedIntegratorStep;
[[gnu::visibility("default")]] rubato::fmi2::SetTime fmi2SetTime;
[[gnu::visibility("default")]] rubato::fmi2::SetContinuousStates fmi2SetContinuousStates;
[[gnu::visibility("default")]] rubato::fmi2::GetDerivatives fmi2GetDerivatives;
[[gnu::visibility("default")]] rubato::fmi2::GetEventIndicators fmi2GetEventIndicators;
[[gnu::visibility("default")]] rubato::fmi2::GetContinuousStates fmi2GetContinuousStates;
[[gnu::visibility(
    "default")]] rubato::fmi2::GetNominalsOfContinuousStates fmi2GetNominalsOfContinuousStates;
}
