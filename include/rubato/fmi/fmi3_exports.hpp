// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/fmi/fmi3.hpp>

/// The functions of FMI 3.0, for an FMU that exports them. A definition that does not match does
/// not compile.
extern "C" {
[[gnu::visibility("default")]] rubato::fmi3::GetVersion fmi3GetVersion;
[[gnu::visibility("default")]] rubato::fmi3::SetDebugLogging fmi3SetDebugLogging;
[[gnu::visibility("default")]] rubato::fmi3::InstantiateModelExchange fmi3InstantiateModelExchange;
[[gnu::visibility("default")]] rubato::fmi3::InstantiateCoSimulation fmi3InstantiateCoSimulation;
[[gnu::visibility(
    "default")]] rubato::fmi3::InstantiateScheduledExecution fmi3InstantiateScheduledExecution;
[[gnu::visibility("default")]] rubato::fmi3::FreeInstance fmi3FreeInstance;
[[gnu::visibility("default")]] rubato::fmi3::EnterInitializationMode fmi3EnterInitializationMode;
[[gnu::visibility("default")]] rubato::fmi3::ExitInitializationMode fmi3ExitInitializationMode;
[[gnu::visibility("default")]] rubato::fmi3::EnterEventMode fmi3EnterEventMode;
[[gnu::visibility("default")]] rubato::fmi3::Terminate fmi3Terminate;
[[gnu::visibility("default")]] rubato::fmi3::Reset fmi3Reset;
[[gnu::visibility("default")]] rubato::fmi3::GetFloat32 fmi3GetFloat32;
[[gnu::visibility("default")]] rubato::fmi3::GetFloat64 fmi3GetFloat64;
[[gnu::visibility("default")]] rubato::fmi3::GetInt8 fmi3GetInt8;
[[gnu::visibility("default")]] rubato::fmi3::GetUInt8 fmi3GetUInt8;
[[gnu::visibility("default")]] rubato::fmi3::GetInt16 fmi3GetInt16;
[[gnu::visibility("default")]] rubato::fmi3::GetUInt16 fmi3GetUInt16;
[[gnu::visibility("default")]] rubato::fmi3::GetInt32 fmi3GetInt32;
[[gnu::visibility("default")]] rubato::fmi3::GetUInt32 fmi3GetUInt32;
[[gnu::visibility("default")]] rubato::fmi3::GetInt64 fmi3GetInt64;
[[gnu::visibility("default")]] rubato::fmi3::GetUInt64 fmi3GetUInt64;
[[gnu::visibility("default")]] rubato::fmi3::GetBoolean fmi3GetBoolean;
[[gnu::visibility("default")]] rubato::fmi3::GetString fmi3GetString;
[[gnu::visibility("default")]] rubato::fmi3::GetBinary fmi3GetBinary;
[[gnu::visibility("default")]] rubato::fmi3::GetClock fmi3GetClock;
[[gnu::visibility("default")]] rubato::fmi3::SetFloat32 fmi3SetFloat32;
[[gnu::visibility("default")]] rubato::fmi3::SetFloat64 fmi3SetFloat64;
[[gnu::visibility("default")]] rubato::fmi3::SetInt8 fmi3SetInt8;
[[gnu::visibility("default")]] rubato::fmi3::SetUInt8 fmi3SetUInt8;
[[gnu::visibility("default")]] rubato::fmi3::SetInt16 fmi3SetInt16;
[[gnu::visibility("default")]] rubato::fmi3::SetUInt16 fmi3SetUInt16;
[[gnu::visibility("default")]] rubato::fmi3::SetInt32 fmi3SetInt32;
[[gnu::visibility("default")]] rubato::fmi3::SetUInt32 fmi3SetUInt32;
[[gnu::visibility("default")]] rubato::fmi3::SetInt64 fmi3SetInt64;
[[gnu::visibility("default")]] rubato::fmi3::SetUInt64 fmi3SetUInt64;
[[gnu::visibility("default")]] rubato::fmi3::SetBoolean fmi3SetBoolean;
[[gnu::visibility("default")]] rubato::fmi3::SetString fmi3SetString;
[[gnu::visibility("default")]] rubato::fmi3::SetBinary fmi3SetBinary;
[[gnu::visibility("default")]] rubato::fmi3::SetClock fmi3SetClock;
[[gnu::visibility(
    "default")]] rubato::fmi3::GetNumberOfVariableDependencies fmi3GetNumberOfVariableDependencies;
[[gnu::visibility("default")]] rubato::fmi3::GetVariableDependencies fmi3GetVariableDependencies;
[[gnu::visibility("default")]] rubato::fmi3::GetFmuState fmi3GetFMUState;
[[gnu::visibility("default")]] rubato::fmi3::SetFmuState fmi3SetFMUState;
[[gnu::visibility("default")]] rubato::fmi3::FreeFmuState fmi3FreeFMUState;
[[gnu::visibility("default")]] rubato::fmi3::SerializedFmuStateSize fmi3SerializedFMUStateSize;
[[gnu::visibility("default")]] rubato::fmi3::SerializeFmuState fmi3SerializeFMUState;
[[gnu::visibility("default")]] rubato::fmi3::DeserializeFmuState fmi3DeserializeFMUState;
[[gnu::visibility("default")]] rubato::fmi3::GetDirectionalDerivative fmi3GetDirectionalDerivative;
[[gnu::visibility("default")]] rubato::fmi3::GetAdjointDerivative fmi3GetAdjointDerivative;
[[gnu::visibility("default")]] rubato::fmi3::EnterConfigurationMode fmi3EnterConfigurationMode;
[[gnu::visibility("default")]] rubato::fmi3::ExitConfigurationMode fmi3ExitConfigurationMode;
[[gnu::visibility("default")]] rubato::fmi3::GetIntervalDecimal fmi3GetIntervalDecimal;
[[gnu::visibility("default")]] rubato::fmi3::GetIntervalFraction fmi3GetIntervalFraction;
[[gnu::visibility("default")]] rubato::fmi3::GetShiftDecimal fmi3GetShiftDecimal;
[[gnu::visibility("default")]] rubato::fmi3::GetShiftFraction fmi3GetShiftFraction;
[[gnu::visibility("default")]] rubato::fmi3::SetIntervalDecimal fmi3SetIntervalDecimal;
[[gnu::visibility("default")]] rubato::fmi3::SetIntervalFraction fmi3SetIntervalFraction;
[[gnu::visibility("default")]] rubato::fmi3::SetShiftDecimal fmi3SetShiftDecimal;
[[gnu::visibility("default")]] rubato::fmi3::SetShiftFraction fmi3SetShiftFraction;
[[gnu::visibility("default")]] rubato::fmi3::EvaluateDiscreteStates fmi3EvaluateDiscreteStates;
[[gnu::visibility("default")]] rubato::fmi3::UpdateDiscreteStates fmi3UpdateDiscreteStates;
[[gnu::visibility("default")]] rubato::fmi3::EnterContinuousTimeMode fmi3EnterContinuousTimeMode;
[[gnu::visibility("default")]] rubato::fmi3::CompletedIntegratorStep fmi3CompletedIntegratorStep;
[[gnu::visibility("default")]] rubato::fmi3::SetTime fmi3SetTime;
[[gnu::visibility("default")]] rubato::fmi3::SetContinuousStates fmi3SetContinuousStates;
[[gnu::visibility(
    "default")]] rubato::fmi3::GetContinuousStateDerivatives fmi3GetContinuousStateDerivatives;
[[gnu::visibility("default")]] rubato::fmi3::GetEventIndicators fmi3GetEventIndicators;
[[gnu::visibility("default")]] rubato::fmi3::GetContinuousStates fmi3GetContinuousStates;
[[gnu::visibility(
    "default")]] rubato::fmi3::GetNominalsOfContinuousStates fmi3GetNominalsOfContinuousStates;
[[gnu::visibility(
    "default")]] rubato::fmi3::GetNumberOfEventIndicators fmi3GetNumberOfEventIndicators;
[[gnu::visibility(
    "default")]] rubato::fmi3::GetNumberOfContinuousStates fmi3GetNumberOfContinuousStates;
[[gnu::visibility("default")]] rubato::fmi3::EnterStepMode fmi3EnterStepMode;
[[gnu::visibility("default")]] rubato::fmi3::GetOutputDerivatives fmi3GetOutputDerivatives;
[[gnu::visibility("default")]] rubato::fmi3::DoStep fmi3DoStep;
[[gnu::visibility("default")]] rubato::fmi3::ActivateModelPartition fmi3ActivateModelPartition;
}
