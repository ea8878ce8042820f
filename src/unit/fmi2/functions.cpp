// SPDX-License-Identifier: Apache-2.0
#include "functions.hpp"

namespace rubato::unit {

namespace {

template <class Function>
void load(const SharedLibrary& library, Function*& function, const char* name) {
    function = library.load<Function>(name);
}

void load_common(const SharedLibrary& library, Fmi2Functions& f) {
    load(library, f.instantiate, "fmi2Instantiate");
    load(library, f.free_instance, "fmi2FreeInstance");
    load(library, f.setup_experiment, "fmi2SetupExperiment");
    load(library, f.enter_initialization_mode, "fmi2EnterInitializationMode");
    load(library, f.exit_initialization_mode, "fmi2ExitInitializationMode");
    load(library, f.terminate, "fmi2Terminate");
    load(library, f.get_real, "fmi2GetReal");
    load(library, f.get_integer, "fmi2GetInteger");
    load(library, f.get_boolean, "fmi2GetBoolean");
    load(library, f.get_string, "fmi2GetString");
    load(library, f.set_real, "fmi2SetReal");
    load(library, f.set_integer, "fmi2SetInteger");
    load(library, f.set_boolean, "fmi2SetBoolean");
    load(library, f.set_string, "fmi2SetString");
}

void load_co_simulation(const SharedLibrary& library, Fmi2Functions& f) {
    load(library, f.do_step, "fmi2DoStep");
    load(library, f.get_real_status, "fmi2GetRealStatus");
    load(library, f.get_boolean_status, "fmi2GetBooleanStatus");
}

void load_model_exchange(const SharedLibrary& library, Fmi2Functions& f) {
    load(library, f.enter_event_mode, "fmi2EnterEventMode");
    load(library, f.new_discrete_states, "fmi2NewDiscreteStates");
    load(library, f.enter_continuous_time_mode, "fmi2EnterContinuousTimeMode");
    load(library, f.completed_integrator_step, "fmi2CompletedIntegratorStep");
    load(library, f.set_time, "fmi2SetTime");
    load(library, f.set_continuous_states, "fmi2SetContinuousStates");
    load(library, f.get_derivatives, "fmi2GetDerivatives");
    load(library, f.get_event_indicators, "fmi2GetEventIndicators");
    load(library, f.get_continuous_states, "fmi2GetContinuousStates");
    load(library, f.get_nominals, "fmi2GetNominalsOfContinuousStates");
}

} // namespace

Fmi2Functions load_fmi2_functions(const SharedLibrary& library, scenario::Interface interface,
                                  const scenario::Capabilities& can) {
    Fmi2Functions f;
    load_common(library, f);
    if (interface == scenario::Interface::co_simulation) {
        load_co_simulation(library, f);
        if (can.input_derivatives > 0)
            load(library, f.set_real_input_derivatives, "fmi2SetRealInputDerivatives");
    } else {
        load_model_exchange(library, f);
        if (can.directional_derivatives)
            load(library, f.get_directional_derivative, "fmi2GetDirectionalDerivative");
    }
    if (can.snapshots) {
        load(library, f.get_fmu_state, "fmi2GetFMUstate");
        load(library, f.set_fmu_state, "fmi2SetFMUstate");
        load(library, f.free_fmu_state, "fmi2FreeFMUstate");
    }
    return f;
}

} // namespace rubato::unit
