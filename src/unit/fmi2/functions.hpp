// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fmu/function_loader.hpp"

#include <rubato/fmi/fmi2.hpp>
#include <rubato/scenario/description.hpp>

namespace rubato::unit {

/// The functions of an FMI 2.0 library, as far as an importer uses them.
struct Fmi2Functions {
    fmi2::Instantiate* instantiate = nullptr;
    fmi2::FreeInstance* free_instance = nullptr;
    fmi2::SetDebugLogging* set_debug_logging = nullptr; ///< null: the library lacks it
    fmi2::SetupExperiment* setup_experiment = nullptr;
    fmi2::EnterInitializationMode* enter_initialization_mode = nullptr;
    fmi2::ExitInitializationMode* exit_initialization_mode = nullptr;
    fmi2::Terminate* terminate = nullptr;

    fmi2::GetReal* get_real = nullptr;
    fmi2::GetInteger* get_integer = nullptr;
    fmi2::GetBoolean* get_boolean = nullptr;
    fmi2::GetString* get_string = nullptr;
    fmi2::SetReal* set_real = nullptr;
    fmi2::SetInteger* set_integer = nullptr;
    fmi2::SetBoolean* set_boolean = nullptr;
    fmi2::SetString* set_string = nullptr;

    // Null unless loaded for co-simulation.
    fmi2::DoStep* do_step = nullptr;
    fmi2::GetRealStatus* get_real_status = nullptr;
    fmi2::GetBooleanStatus* get_boolean_status = nullptr;

    // Null unless loaded for model exchange.
    fmi2::EnterEventMode* enter_event_mode = nullptr;
    fmi2::NewDiscreteStates* new_discrete_states = nullptr;
    fmi2::EnterContinuousTimeMode* enter_continuous_time_mode = nullptr;
    fmi2::CompletedIntegratorStep* completed_integrator_step = nullptr;
    fmi2::SetTime* set_time = nullptr;
    fmi2::SetContinuousStates* set_continuous_states = nullptr;
    fmi2::GetDerivatives* get_derivatives = nullptr;
    fmi2::GetEventIndicators* get_event_indicators = nullptr;
    fmi2::GetContinuousStates* get_continuous_states = nullptr;
    fmi2::GetNominalsOfContinuousStates* get_nominals = nullptr;

    // Null unless the capability is declared.
    fmi2::GetFmuState* get_fmu_state = nullptr;
    fmi2::SetFmuState* set_fmu_state = nullptr;
    fmi2::FreeFmuState* free_fmu_state = nullptr;
    fmi2::SerializedFmuStateSize* serialized_fmu_state_size = nullptr;
    fmi2::SerializeFmuState* serialize_fmu_state = nullptr;
    fmi2::DeSerializeFmuState* deserialize_fmu_state = nullptr;
    fmi2::SetRealInputDerivatives* set_real_input_derivatives = nullptr;
    fmi2::GetDirectionalDerivative* get_directional_derivative = nullptr;
};

/// `can` is what the library declares for the interface. Throws an InputError that names the first
/// function that is missing and without which nothing can be run.
Fmi2Functions load_fmi2_functions(const FunctionLoader& loader, scenario::Interface interface,
                                  const scenario::Capabilities& can);

} // namespace rubato::unit
