// SPDX-License-Identifier: Apache-2.0
#include "component.hpp"
#include "fmi1_guarded.hpp"

#include <rubato/model/fmi1_export.hpp>

#include <utility>

// The functions of FMI 1.0 for co-simulation.

namespace rubato::model::fmi1_functions {

using fmi1::Status;

namespace {

Status unsupported(void* c, Call call, const char* function, const char* reason) {
    return guarded(c, call, function, [&](Component&) { reject(reason); });
}

} // namespace

const char* get_types_platform() { return fmi1::types_platform; }

const char* get_version() { return fmi1::version; }

Status set_debug_logging(fmi1::Component c, fmi1::Boolean on) {
    return guarded(c, Call::set_debug_logging, "fmiSetDebugLogging",
                   [&](Component& component) { component.logger.turn(on != fmi1::no, {}); });
}

fmi1::Component instantiate_slave(fmi1::String name, fmi1::String guid, fmi1::String, fmi1::String,
                                  fmi1::Real, fmi1::Boolean, fmi1::Boolean,
                                  fmi1::SlaveCallbacks callbacks, fmi1::Boolean logging_on) {
    return instantiate_fmi1(name, guid, Interface::co_simulation, callbacks.logger,
                            logging_on != fmi1::no);
}

void free_instance(fmi1::Component c) { delete static_cast<Component*>(c); }

Status initialize_slave(fmi1::Component c, fmi1::Real start, fmi1::Boolean, fmi1::Real) {
    return guarded(c, Call::enter_initialization, "fmiInitializeSlave", [&](Component& component) {
        component.instance.enter_initialization(start);
        component.instance.exit_initialization();
    });
}

Status terminate_slave(fmi1::Component c) {
    return guarded(c, Call::terminate, "fmiTerminateSlave",
                   [&](Component& component) { component.instance.terminate(); });
}

Status reset_slave(fmi1::Component c) {
    return guarded(c, Call::reset, "fmiResetSlave",
                   [&](Component& component) { component.instance.reset(); });
}

Status set_real_input_derivatives(fmi1::Component c, const fmi1::ValueReference* references,
                                  std::size_t count, const fmi1::Integer* orders,
                                  const fmi1::Real* values) {
    return guarded(
        c, Call::set_input_derivatives, "fmiSetRealInputDerivatives", [&](Component& component) {
            require(count == 0 || orders != nullptr, "the orders are missing");
            AccessResult result;
            for (const ValueRef reference : span_of(references, count, values)) {
                result = component.instance.set_input_derivative(reference, *orders++, *values++);
                if (!result.ok()) break;
            }
            component.instance.update_moving();
            return result;
        });
}

Status get_real_output_derivatives(fmi1::Component c, const fmi1::ValueReference*, std::size_t,
                                   const fmi1::Integer*, fmi1::Real*) {
    return unsupported(c, Call::get_output_derivatives, "fmiGetRealOutputDerivatives",
                       "the model gives no derivatives of its outputs");
}

Status do_step(fmi1::Component c, fmi1::Real from, fmi1::Real by, fmi1::Boolean new_step) {
    return guarded(c, Call::step, "fmiDoStep", [&](Component& component) {
        require(new_step != fmi1::no, "the model cannot make a step again (canRejectSteps)");
        const double reached = component.instance.step(from, by);
        return reached < from + by ? Status::discard : Status::ok;
    });
}

Status cancel_step(fmi1::Component c) {
    return unsupported(c, Call::status, "fmiCancelStep", "no step is ever under way");
}

Status get_status(fmi1::Component c, fmi1::StatusKind, Status*) {
    return unsupported(c, Call::status, "fmiGetStatus", "no step is ever pending");
}

Status get_real_status(fmi1::Component c, fmi1::StatusKind kind, fmi1::Real* value) {
    return guarded(c, Call::status, "fmiGetRealStatus", [&](Component& component) {
        require(kind == fmi1::StatusKind::last_successful_time && value != nullptr,
                "the only status of type Real is fmiLastSuccessfulTime");
        *value = component.instance.time();
    });
}

Status get_integer_status(fmi1::Component c, fmi1::StatusKind, fmi1::Integer*) {
    return unsupported(c, Call::status, "fmiGetIntegerStatus", "there is no such status");
}

Status get_boolean_status(fmi1::Component c, fmi1::StatusKind, fmi1::Boolean*) {
    return unsupported(c, Call::status, "fmiGetBooleanStatus", "there is no such status");
}

Status get_string_status(fmi1::Component c, fmi1::StatusKind, fmi1::String*) {
    return unsupported(c, Call::status, "fmiGetStringStatus", "no step is ever pending");
}

} // namespace rubato::model::fmi1_functions
