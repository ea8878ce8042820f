// SPDX-License-Identifier: Apache-2.0
#include "functions.hpp"

namespace rubato::unit {

namespace {

void load_common(const FunctionLoader& loader, Fmi2Functions& f) {
    loader.require(f.instantiate, "fmi2Instantiate");
    loader.require(f.free_instance, "fmi2FreeInstance");
    loader.load_if_there(f.set_debug_logging, "fmi2SetDebugLogging");
    loader.load_optional(f.setup_experiment, "fmi2SetupExperiment");
    loader.require(f.enter_initialization_mode, "fmi2EnterInitializationMode");
    loader.require(f.exit_initialization_mode, "fmi2ExitInitializationMode");
    loader.load_optional(f.terminate, "fmi2Terminate");
    loader.load_optional(f.get_real, "fmi2GetReal");
    loader.load_optional(f.get_integer, "fmi2GetInteger");
    loader.load_optional(f.get_boolean, "fmi2GetBoolean");
    loader.load_optional(f.get_string, "fmi2GetString");
    loader.load_optional(f.set_real, "fmi2SetReal");
    loader.load_optional(f.set_integer, "fmi2SetInteger");
    loader.load_optional(f.set_boolean, "fmi2SetBoolean");
    loader.load_optional(f.set_string, "fmi2SetString");
}

void load_co_simulation(const FunctionLoader& loader, Fmi2Functions& f) {
    loader.require(f.do_step, "fmi2DoStep");
    loader.load_optional(f.get_real_status, "fmi2GetRealStatus");
    loader.load_optional(f.get_boolean_status, "fmi2GetBooleanStatus");
}

void load_model_exchange(const FunctionLoader& loader, Fmi2Functions& f) {
    loader.require(f.enter_event_mode, "fmi2EnterEventMode");
    loader.require(f.new_discrete_states, "fmi2NewDiscreteStates");
    loader.require(f.enter_continuous_time_mode, "fmi2EnterContinuousTimeMode");
    loader.load_optional(f.completed_integrator_step, "fmi2CompletedIntegratorStep");
    loader.require(f.set_time, "fmi2SetTime");
    loader.require(f.set_continuous_states, "fmi2SetContinuousStates");
    loader.require(f.get_derivatives, "fmi2GetDerivatives");
    loader.load_optional(f.get_event_indicators, "fmi2GetEventIndicators");
    loader.require(f.get_continuous_states, "fmi2GetContinuousStates");
    loader.load_optional(f.get_nominals, "fmi2GetNominalsOfContinuousStates");
}

} // namespace

Fmi2Functions load_fmi2_functions(const FunctionLoader& loader, scenario::Interface interface,
                                  const scenario::Capabilities& can) {
    Fmi2Functions f;
    load_common(loader, f);
    if (interface == scenario::Interface::co_simulation) {
        load_co_simulation(loader, f);
        if (can.input_derivatives > 0)
            loader.load_optional(f.set_real_input_derivatives, "fmi2SetRealInputDerivatives");
    } else {
        load_model_exchange(loader, f);
    }
    if (can.directional_derivatives)
        loader.load_optional(f.get_directional_derivative, "fmi2GetDirectionalDerivative");
    if (can.snapshots) {
        loader.load_optional(f.get_fmu_state, "fmi2GetFMUstate");
        loader.load_optional(f.set_fmu_state, "fmi2SetFMUstate");
        loader.load_optional(f.free_fmu_state, "fmi2FreeFMUstate");
    }
    if (can.snapshots && can.serialization) {
        loader.load_optional(f.serialized_fmu_state_size, "fmi2SerializedFMUstateSize");
        loader.load_optional(f.serialize_fmu_state, "fmi2SerializeFMUstate");
        loader.load_optional(f.deserialize_fmu_state, "fmi2DeSerializeFMUstate");
    }
    return f;
}

} // namespace rubato::unit
