// SPDX-License-Identifier: Apache-2.0
#include "functions.hpp"

namespace rubato::unit {

namespace {

void load_access(const FunctionLoader& loader, Fmi3Functions& f) {
    loader.load_optional(f.get_float32, "fmi3GetFloat32");
    loader.load_optional(f.get_float64, "fmi3GetFloat64");
    loader.load_optional(f.get_int8, "fmi3GetInt8");
    loader.load_optional(f.get_uint8, "fmi3GetUInt8");
    loader.load_optional(f.get_int16, "fmi3GetInt16");
    loader.load_optional(f.get_uint16, "fmi3GetUInt16");
    loader.load_optional(f.get_int32, "fmi3GetInt32");
    loader.load_optional(f.get_uint32, "fmi3GetUInt32");
    loader.load_optional(f.get_int64, "fmi3GetInt64");
    loader.load_optional(f.get_uint64, "fmi3GetUInt64");
    loader.load_optional(f.get_boolean, "fmi3GetBoolean");
    loader.load_optional(f.get_string, "fmi3GetString");
    loader.load_optional(f.get_binary, "fmi3GetBinary");
    loader.load_optional(f.get_clock, "fmi3GetClock");
    loader.load_optional(f.set_float32, "fmi3SetFloat32");
    loader.load_optional(f.set_float64, "fmi3SetFloat64");
    loader.load_optional(f.set_int8, "fmi3SetInt8");
    loader.load_optional(f.set_uint8, "fmi3SetUInt8");
    loader.load_optional(f.set_int16, "fmi3SetInt16");
    loader.load_optional(f.set_uint16, "fmi3SetUInt16");
    loader.load_optional(f.set_int32, "fmi3SetInt32");
    loader.load_optional(f.set_uint32, "fmi3SetUInt32");
    loader.load_optional(f.set_int64, "fmi3SetInt64");
    loader.load_optional(f.set_uint64, "fmi3SetUInt64");
    loader.load_optional(f.set_boolean, "fmi3SetBoolean");
    loader.load_optional(f.set_string, "fmi3SetString");
    loader.load_optional(f.set_binary, "fmi3SetBinary");
    loader.load_optional(f.set_clock, "fmi3SetClock");
}

void load_events(const FunctionLoader& loader, Fmi3Functions& f) {
    loader.require(f.enter_event_mode, "fmi3EnterEventMode");
    loader.require(f.update_discrete_states, "fmi3UpdateDiscreteStates");
}

void load_co_simulation(const FunctionLoader& loader, Fmi3Functions& f, bool event_mode) {
    loader.require(f.instantiate_co_simulation, "fmi3InstantiateCoSimulation");
    loader.require(f.do_step, "fmi3DoStep");
    if (!event_mode) return;
    load_events(loader, f);
    loader.require(f.enter_step_mode, "fmi3EnterStepMode");
}

void load_clocks(const FunctionLoader& loader, Fmi3Functions& f) {
    loader.load_optional(f.get_interval_decimal, "fmi3GetIntervalDecimal");
    loader.load_optional(f.get_interval_fraction, "fmi3GetIntervalFraction");
    loader.load_optional(f.get_shift_decimal, "fmi3GetShiftDecimal");
    loader.load_optional(f.get_shift_fraction, "fmi3GetShiftFraction");
}

void load_model_exchange(const FunctionLoader& loader, Fmi3Functions& f) {
    loader.require(f.instantiate_model_exchange, "fmi3InstantiateModelExchange");
    load_events(loader, f);
    loader.require(f.enter_continuous_time_mode, "fmi3EnterContinuousTimeMode");
    loader.load_optional(f.completed_integrator_step, "fmi3CompletedIntegratorStep");
    loader.require(f.set_time, "fmi3SetTime");
    loader.require(f.set_continuous_states, "fmi3SetContinuousStates");
    loader.require(f.get_derivatives, "fmi3GetContinuousStateDerivatives");
    loader.load_optional(f.get_event_indicators, "fmi3GetEventIndicators");
    loader.require(f.get_continuous_states, "fmi3GetContinuousStates");
    loader.load_optional(f.get_nominals, "fmi3GetNominalsOfContinuousStates");
    loader.load_optional(f.get_number_of_event_indicators, "fmi3GetNumberOfEventIndicators");
    loader.load_optional(f.get_number_of_continuous_states, "fmi3GetNumberOfContinuousStates");
}

} // namespace

Fmi3Functions load_fmi3_functions(const FunctionLoader& loader, scenario::Interface interface,
                                  const scenario::Capabilities& can) {
    Fmi3Functions f;
    loader.require(f.free_instance, "fmi3FreeInstance");
    loader.load_if_there(f.set_debug_logging, "fmi3SetDebugLogging");
    loader.require(f.enter_initialization_mode, "fmi3EnterInitializationMode");
    loader.require(f.exit_initialization_mode, "fmi3ExitInitializationMode");
    loader.load_optional(f.terminate, "fmi3Terminate");
    load_access(loader, f);
    if (interface == scenario::Interface::co_simulation) {
        load_co_simulation(loader, f, can.event_mode);
    } else {
        load_model_exchange(loader, f);
    }
    if (can.directional_derivatives)
        loader.load_optional(f.get_directional_derivative, "fmi3GetDirectionalDerivative");
    if (can.event_mode) load_clocks(loader, f);
    if (can.structural_parameters) {
        loader.load_optional(f.enter_configuration_mode, "fmi3EnterConfigurationMode");
        loader.load_optional(f.exit_configuration_mode, "fmi3ExitConfigurationMode");
    }
    if (can.snapshots) {
        loader.load_optional(f.get_fmu_state, "fmi3GetFMUState");
        loader.load_optional(f.set_fmu_state, "fmi3SetFMUState");
        loader.load_optional(f.free_fmu_state, "fmi3FreeFMUState");
    }
    if (can.snapshots && can.serialization) {
        loader.load_optional(f.serialized_fmu_state_size, "fmi3SerializedFMUStateSize");
        loader.load_optional(f.serialize_fmu_state, "fmi3SerializeFMUState");
        loader.load_optional(f.deserialize_fmu_state, "fmi3DeserializeFMUState");
    }
    return f;
}

} // namespace rubato::unit
