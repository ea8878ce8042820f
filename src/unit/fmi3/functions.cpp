// SPDX-License-Identifier: Apache-2.0
#include "functions.hpp"

namespace rubato::unit {

namespace {

template <class Function>
void load(const SharedLibrary& library, Function*& function, const char* name) {
    function = library.load<Function>(name);
}

void load_access(const SharedLibrary& library, Fmi3Functions& f) {
    load(library, f.get_float32, "fmi3GetFloat32");
    load(library, f.get_float64, "fmi3GetFloat64");
    load(library, f.get_int8, "fmi3GetInt8");
    load(library, f.get_uint8, "fmi3GetUInt8");
    load(library, f.get_int16, "fmi3GetInt16");
    load(library, f.get_uint16, "fmi3GetUInt16");
    load(library, f.get_int32, "fmi3GetInt32");
    load(library, f.get_uint32, "fmi3GetUInt32");
    load(library, f.get_int64, "fmi3GetInt64");
    load(library, f.get_uint64, "fmi3GetUInt64");
    load(library, f.get_boolean, "fmi3GetBoolean");
    load(library, f.get_string, "fmi3GetString");
    load(library, f.get_binary, "fmi3GetBinary");
    load(library, f.get_clock, "fmi3GetClock");
    load(library, f.set_float32, "fmi3SetFloat32");
    load(library, f.set_float64, "fmi3SetFloat64");
    load(library, f.set_int8, "fmi3SetInt8");
    load(library, f.set_uint8, "fmi3SetUInt8");
    load(library, f.set_int16, "fmi3SetInt16");
    load(library, f.set_uint16, "fmi3SetUInt16");
    load(library, f.set_int32, "fmi3SetInt32");
    load(library, f.set_uint32, "fmi3SetUInt32");
    load(library, f.set_int64, "fmi3SetInt64");
    load(library, f.set_uint64, "fmi3SetUInt64");
    load(library, f.set_boolean, "fmi3SetBoolean");
    load(library, f.set_string, "fmi3SetString");
    load(library, f.set_binary, "fmi3SetBinary");
    load(library, f.set_clock, "fmi3SetClock");
}

void load_co_simulation(const SharedLibrary& library, Fmi3Functions& f) {
    load(library, f.instantiate_co_simulation, "fmi3InstantiateCoSimulation");
    load(library, f.do_step, "fmi3DoStep");
}

void load_model_exchange(const SharedLibrary& library, Fmi3Functions& f) {
    load(library, f.instantiate_model_exchange, "fmi3InstantiateModelExchange");
    load(library, f.enter_event_mode, "fmi3EnterEventMode");
    load(library, f.update_discrete_states, "fmi3UpdateDiscreteStates");
    load(library, f.enter_continuous_time_mode, "fmi3EnterContinuousTimeMode");
    load(library, f.completed_integrator_step, "fmi3CompletedIntegratorStep");
    load(library, f.set_time, "fmi3SetTime");
    load(library, f.set_continuous_states, "fmi3SetContinuousStates");
    load(library, f.get_derivatives, "fmi3GetContinuousStateDerivatives");
    load(library, f.get_event_indicators, "fmi3GetEventIndicators");
    load(library, f.get_continuous_states, "fmi3GetContinuousStates");
    load(library, f.get_nominals, "fmi3GetNominalsOfContinuousStates");
    load(library, f.get_number_of_event_indicators, "fmi3GetNumberOfEventIndicators");
    load(library, f.get_number_of_continuous_states, "fmi3GetNumberOfContinuousStates");
}

} // namespace

Fmi3Functions load_fmi3_functions(const SharedLibrary& library, scenario::Interface interface,
                                  const scenario::Capabilities& can) {
    Fmi3Functions f;
    load(library, f.free_instance, "fmi3FreeInstance");
    load(library, f.enter_initialization_mode, "fmi3EnterInitializationMode");
    load(library, f.exit_initialization_mode, "fmi3ExitInitializationMode");
    load(library, f.terminate, "fmi3Terminate");
    load_access(library, f);
    if (interface == scenario::Interface::co_simulation) {
        load_co_simulation(library, f);
    } else {
        load_model_exchange(library, f);
        if (can.directional_derivatives)
            load(library, f.get_directional_derivative, "fmi3GetDirectionalDerivative");
    }
    if (can.snapshots) {
        load(library, f.get_fmu_state, "fmi3GetFMUState");
        load(library, f.set_fmu_state, "fmi3SetFMUState");
        load(library, f.free_fmu_state, "fmi3FreeFMUState");
    }
    return f;
}

} // namespace rubato::unit
