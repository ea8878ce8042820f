// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fmu/function_loader.hpp"

#include <rubato/fmi/fmi3.hpp>
#include <rubato/scenario/description.hpp>

namespace rubato::unit {

/// The functions of an FMI 3.0 library, as far as an importer uses them.
struct Fmi3Functions {
    fmi3::FreeInstance* free_instance = nullptr;
    fmi3::SetDebugLogging* set_debug_logging = nullptr; ///< null: the library lacks it
    fmi3::EnterInitializationMode* enter_initialization_mode = nullptr;
    fmi3::ExitInitializationMode* exit_initialization_mode = nullptr;
    fmi3::Terminate* terminate = nullptr;

    fmi3::GetFloat32* get_float32 = nullptr;
    fmi3::GetFloat64* get_float64 = nullptr;
    fmi3::GetInt8* get_int8 = nullptr;
    fmi3::GetUInt8* get_uint8 = nullptr;
    fmi3::GetInt16* get_int16 = nullptr;
    fmi3::GetUInt16* get_uint16 = nullptr;
    fmi3::GetInt32* get_int32 = nullptr;
    fmi3::GetUInt32* get_uint32 = nullptr;
    fmi3::GetInt64* get_int64 = nullptr;
    fmi3::GetUInt64* get_uint64 = nullptr;
    fmi3::GetBoolean* get_boolean = nullptr;
    fmi3::GetString* get_string = nullptr;
    fmi3::GetBinary* get_binary = nullptr;
    fmi3::GetClock* get_clock = nullptr;
    fmi3::SetFloat32* set_float32 = nullptr;
    fmi3::SetFloat64* set_float64 = nullptr;
    fmi3::SetInt8* set_int8 = nullptr;
    fmi3::SetUInt8* set_uint8 = nullptr;
    fmi3::SetInt16* set_int16 = nullptr;
    fmi3::SetUInt16* set_uint16 = nullptr;
    fmi3::SetInt32* set_int32 = nullptr;
    fmi3::SetUInt32* set_uint32 = nullptr;
    fmi3::SetInt64* set_int64 = nullptr;
    fmi3::SetUInt64* set_uint64 = nullptr;
    fmi3::SetBoolean* set_boolean = nullptr;
    fmi3::SetString* set_string = nullptr;
    fmi3::SetBinary* set_binary = nullptr;
    fmi3::SetClock* set_clock = nullptr;

    // Null unless loaded for co-simulation.
    fmi3::InstantiateCoSimulation* instantiate_co_simulation = nullptr;
    fmi3::DoStep* do_step = nullptr;

    // Null unless loaded for model exchange, or for co-simulation with event mode.
    fmi3::EnterEventMode* enter_event_mode = nullptr;
    fmi3::UpdateDiscreteStates* update_discrete_states = nullptr;

    // Null unless loaded for co-simulation with event mode.
    fmi3::EnterStepMode* enter_step_mode = nullptr;

    // Null unless there are clocks, or event mode.
    fmi3::GetIntervalDecimal* get_interval_decimal = nullptr;
    fmi3::GetIntervalFraction* get_interval_fraction = nullptr;
    fmi3::GetShiftDecimal* get_shift_decimal = nullptr;
    fmi3::GetShiftFraction* get_shift_fraction = nullptr;

    // Null unless loaded for model exchange.
    fmi3::InstantiateModelExchange* instantiate_model_exchange = nullptr;
    fmi3::EnterContinuousTimeMode* enter_continuous_time_mode = nullptr;
    fmi3::CompletedIntegratorStep* completed_integrator_step = nullptr;
    fmi3::SetTime* set_time = nullptr;
    fmi3::SetContinuousStates* set_continuous_states = nullptr;
    fmi3::GetContinuousStateDerivatives* get_derivatives = nullptr;
    fmi3::GetEventIndicators* get_event_indicators = nullptr;
    fmi3::GetContinuousStates* get_continuous_states = nullptr;
    fmi3::GetNominalsOfContinuousStates* get_nominals = nullptr;
    fmi3::GetNumberOfEventIndicators* get_number_of_event_indicators = nullptr;
    fmi3::GetNumberOfContinuousStates* get_number_of_continuous_states = nullptr;

    // Null unless the capability is declared.
    fmi3::GetFmuState* get_fmu_state = nullptr;
    fmi3::SetFmuState* set_fmu_state = nullptr;
    fmi3::FreeFmuState* free_fmu_state = nullptr;
    fmi3::SerializedFmuStateSize* serialized_fmu_state_size = nullptr;
    fmi3::SerializeFmuState* serialize_fmu_state = nullptr;
    fmi3::DeserializeFmuState* deserialize_fmu_state = nullptr;
    fmi3::GetDirectionalDerivative* get_directional_derivative = nullptr;
    fmi3::EnterConfigurationMode* enter_configuration_mode = nullptr;
    fmi3::ExitConfigurationMode* exit_configuration_mode = nullptr;
};

/// `can` is what the library declares for the interface. Throws an InputError that names the first
/// function that is missing and without which nothing can be run.
Fmi3Functions load_fmi3_functions(const FunctionLoader& loader, scenario::Interface interface,
                                  const scenario::Capabilities& can);

} // namespace rubato::unit
