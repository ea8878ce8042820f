// SPDX-License-Identifier: Apache-2.0
#include "functions.hpp"

namespace rubato::unit {

Fmi2Functions load_fmi2_functions(const SharedLibrary& library, const scenario::Capabilities& can) {
    Fmi2Functions f;
    const auto load = [&]<class Function>(Function*& function, const char* name) {
        function = library.load<Function>(name);
    };
    load(f.instantiate, "fmi2Instantiate");
    load(f.free_instance, "fmi2FreeInstance");
    load(f.setup_experiment, "fmi2SetupExperiment");
    load(f.enter_initialization_mode, "fmi2EnterInitializationMode");
    load(f.exit_initialization_mode, "fmi2ExitInitializationMode");
    load(f.terminate, "fmi2Terminate");
    load(f.get_real, "fmi2GetReal");
    load(f.get_integer, "fmi2GetInteger");
    load(f.get_boolean, "fmi2GetBoolean");
    load(f.get_string, "fmi2GetString");
    load(f.set_real, "fmi2SetReal");
    load(f.set_integer, "fmi2SetInteger");
    load(f.set_boolean, "fmi2SetBoolean");
    load(f.set_string, "fmi2SetString");
    load(f.do_step, "fmi2DoStep");
    load(f.get_real_status, "fmi2GetRealStatus");
    load(f.get_boolean_status, "fmi2GetBooleanStatus");
    if (can.snapshots) {
        load(f.get_fmu_state, "fmi2GetFMUstate");
        load(f.set_fmu_state, "fmi2SetFMUstate");
        load(f.free_fmu_state, "fmi2FreeFMUstate");
    }
    if (can.input_derivatives > 0) {
        load(f.set_real_input_derivatives, "fmi2SetRealInputDerivatives");
    }
    return f;
}

} // namespace rubato::unit
