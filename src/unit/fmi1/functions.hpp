// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fmu/function_loader.hpp"

#include <rubato/fmi/fmi1.hpp>
#include <rubato/scenario/description.hpp>

#include <string>

namespace rubato::unit {

/// The functions of an FMI 1.0 library, as far as an importer uses them.
struct Fmi1Functions {
    fmi1::GetReal* get_real = nullptr;
    fmi1::GetInteger* get_integer = nullptr;
    fmi1::GetBoolean* get_boolean = nullptr;
    fmi1::GetString* get_string = nullptr;
    fmi1::SetReal* set_real = nullptr;
    fmi1::SetInteger* set_integer = nullptr;
    fmi1::SetBoolean* set_boolean = nullptr;
    fmi1::SetString* set_string = nullptr;
    fmi1::Terminate* terminate = nullptr;             ///< of either interface: they are of one type
    fmi1::FreeModelInstance* free_instance = nullptr; ///< the same

    // Null unless loaded for co-simulation.
    fmi1::InstantiateSlave* instantiate_slave = nullptr;
    fmi1::InitializeSlave* initialize_slave = nullptr;
    fmi1::DoStep* do_step = nullptr;
    fmi1::GetRealStatus* get_real_status = nullptr;
    fmi1::SetRealInputDerivatives* set_real_input_derivatives = nullptr; ///< if it takes any

    // Null unless loaded for model exchange.
    fmi1::InstantiateModel* instantiate_model = nullptr;
    fmi1::SetTime* set_time = nullptr;
    fmi1::SetContinuousStates* set_continuous_states = nullptr;
    fmi1::CompletedIntegratorStep* completed_integrator_step = nullptr;
    fmi1::Initialize* initialize = nullptr;
    fmi1::GetDerivatives* get_derivatives = nullptr;
    fmi1::GetEventIndicators* get_event_indicators = nullptr;
    fmi1::EventUpdate* event_update = nullptr;
    fmi1::GetContinuousStates* get_continuous_states = nullptr;
    fmi1::GetNominalContinuousStates* get_nominals = nullptr;
};

/// `can` is what the FMU declares. The names of the functions begin with the model identifier.
/// Throws an InputError that names the first function that is missing and cannot be done without.
Fmi1Functions load_fmi1_functions(const FunctionLoader& loader, const std::string& identifier,
                                  scenario::Interface interface, const scenario::Capabilities& can);

} // namespace rubato::unit
