// SPDX-License-Identifier: Apache-2.0
#include "functions.hpp"

namespace rubato::unit {

namespace {

/// Knows what the names of the functions begin with.
class PrefixedLoader {
public:
    PrefixedLoader(const FunctionLoader& loader, const std::string& identifier)
        : loader_(loader), prefix_(identifier + '_') {}

    template <class Function>
    void require(Function*& function, const char* name) const {
        loader_.require(function, (prefix_ + name).c_str());
    }
    template <class Function>
    void load_optional(Function*& function, const char* name) const {
        loader_.load_optional(function, (prefix_ + name).c_str());
    }

private:
    const FunctionLoader& loader_;
    std::string prefix_;
};

void load_common(const PrefixedLoader& loader, Fmi1Functions& f) {
    loader.load_optional(f.get_real, "fmiGetReal");
    loader.load_optional(f.get_integer, "fmiGetInteger");
    loader.load_optional(f.get_boolean, "fmiGetBoolean");
    loader.load_optional(f.get_string, "fmiGetString");
    loader.load_optional(f.set_real, "fmiSetReal");
    loader.load_optional(f.set_integer, "fmiSetInteger");
    loader.load_optional(f.set_boolean, "fmiSetBoolean");
    loader.load_optional(f.set_string, "fmiSetString");
}

void load_co_simulation(const PrefixedLoader& loader, const scenario::Capabilities& can,
                        Fmi1Functions& f) {
    loader.require(f.instantiate_slave, "fmiInstantiateSlave");
    loader.require(f.initialize_slave, "fmiInitializeSlave");
    loader.require(f.do_step, "fmiDoStep");
    loader.require(f.free_instance, "fmiFreeSlaveInstance");
    loader.load_optional(f.terminate, "fmiTerminateSlave");
    loader.load_optional(f.get_real_status, "fmiGetRealStatus");
    if (can.input_derivatives > 0)
        loader.load_optional(f.set_real_input_derivatives, "fmiSetRealInputDerivatives");
}

void load_model_exchange(const PrefixedLoader& loader, Fmi1Functions& f) {
    loader.require(f.instantiate_model, "fmiInstantiateModel");
    loader.require(f.initialize, "fmiInitialize");
    loader.require(f.free_instance, "fmiFreeModelInstance");
    loader.require(f.set_time, "fmiSetTime");
    loader.require(f.event_update, "fmiEventUpdate");
    loader.load_optional(f.terminate, "fmiTerminate");
    loader.load_optional(f.set_continuous_states, "fmiSetContinuousStates");
    loader.load_optional(f.get_continuous_states, "fmiGetContinuousStates");
    loader.load_optional(f.get_derivatives, "fmiGetDerivatives");
    loader.load_optional(f.get_nominals, "fmiGetNominalContinuousStates");
    loader.load_optional(f.get_event_indicators, "fmiGetEventIndicators");
    loader.load_optional(f.completed_integrator_step, "fmiCompletedIntegratorStep");
}

} // namespace

Fmi1Functions load_fmi1_functions(const FunctionLoader& loader, const std::string& identifier,
                                  scenario::Interface interface,
                                  const scenario::Capabilities& can) {
    const PrefixedLoader prefixed(loader, identifier);
    Fmi1Functions f;
    load_common(prefixed, f);
    if (interface == scenario::Interface::co_simulation) {
        load_co_simulation(prefixed, can, f);
    } else {
        load_model_exchange(prefixed, f);
    }
    return f;
}

} // namespace rubato::unit
