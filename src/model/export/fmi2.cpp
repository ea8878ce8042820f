// SPDX-License-Identifier: Apache-2.0
#include "component.hpp"
#include "fmi2_guarded.hpp"

#include <rubato/fmi/fmi2_exports.hpp>

#include <utility>

namespace fmi2 = rubato::fmi2;
using fmi2::Status;
using rubato::ValueRef;
using rubato::model::AccessResult;
using rubato::model::Call;
using rubato::model::Component;
using rubato::model::Interface;
using rubato::model::require;
using rubato::model::span_of;
using rubato::model::fmi2_functions::guarded;

namespace {

Status unsupported(void* c, Call call, const char* function, const char* reason) {
    return guarded(c, call, function, [&](Component&) { rubato::model::reject(reason); });
}

} // namespace

const char* fmi2GetTypesPlatform() { return fmi2::types_platform; }

const char* fmi2GetVersion() { return fmi2::version; }

Status fmi2SetDebugLogging(fmi2::Component c, fmi2::Boolean on, std::size_t count,
                           const fmi2::String* categories) {
    return guarded(c, Call::set_debug_logging, "fmi2SetDebugLogging", [&](Component& component) {
        require(count == 0 || categories != nullptr, "the categories are missing");
        component.logger.turn(on != fmi2::no, {categories, count});
    });
}

fmi2::Component fmi2Instantiate(fmi2::String name, fmi2::Type type, fmi2::String guid, fmi2::String,
                                const fmi2::CallbackFunctions* callbacks, fmi2::Boolean,
                                fmi2::Boolean logging_on) {
    if (callbacks == nullptr) return nullptr;
    rubato::model::Logger logger(name == nullptr ? "" : name, callbacks->logger,
                                 callbacks->environment, logging_on != fmi2::no);
    try {
        const auto interface = type == fmi2::Type::model_exchange ? Interface::model_exchange
                                                                  : Interface::co_simulation;
        auto component = rubato::model::instantiate(name, guid, interface, std::move(logger));
        if (component != nullptr) component->instance.tick_by_itself(); // FMI 2.0 has no clocks
        return component.release();
    } catch (const std::exception& fault) {
        logger.error(std::string("fmi2Instantiate: ") + fault.what());
    }
    return nullptr;
}

void fmi2FreeInstance(fmi2::Component c) { delete static_cast<Component*>(c); }

Status fmi2SetupExperiment(fmi2::Component c, fmi2::Boolean, fmi2::Real, fmi2::Real start,
                           fmi2::Boolean, fmi2::Real) {
    return guarded(c, Call::setup_experiment, "fmi2SetupExperiment",
                   [&](Component& component) { component.start_time = start; });
}

Status fmi2EnterInitializationMode(fmi2::Component c) {
    return guarded(c, Call::enter_initialization, "fmi2EnterInitializationMode",
                   [&](Component& component) {
                       component.instance.enter_initialization(component.start_time);
                   });
}

Status fmi2ExitInitializationMode(fmi2::Component c) {
    return guarded(c, Call::exit_initialization, "fmi2ExitInitializationMode",
                   [&](Component& component) { component.instance.exit_initialization(); });
}

Status fmi2Terminate(fmi2::Component c) {
    return guarded(c, Call::terminate, "fmi2Terminate",
                   [&](Component& component) { component.instance.terminate(); });
}

Status fmi2Reset(fmi2::Component c) {
    return guarded(c, Call::reset, "fmi2Reset", [&](Component& component) {
        component.instance.reset();
        component.start_time = 0;
    });
}

Status fmi2GetReal(fmi2::Component c, const fmi2::ValueReference* references, std::size_t count,
                   fmi2::Real* values) {
    return guarded(c, Call::get, "fmi2GetReal", [&](Component& component) {
        return component.instance.get_reals(span_of(references, count, values), values);
    });
}

Status fmi2GetInteger(fmi2::Component c, const fmi2::ValueReference* references, std::size_t count,
                      fmi2::Integer* values) {
    return guarded(c, Call::get, "fmi2GetInteger", [&](Component& component) {
        AccessResult result;
        for (const ValueRef& reference : span_of(references, count, values))
            if (result = get_int32(component, reference, *values++); !result.ok()) break;
        return result;
    });
}

Status fmi2GetBoolean(fmi2::Component c, const fmi2::ValueReference* references, std::size_t count,
                      fmi2::Boolean* values) {
    return guarded(c, Call::get, "fmi2GetBoolean", [&](Component& component) {
        AccessResult result;
        for (const ValueRef& reference : span_of(references, count, values)) {
            bool value = false;
            if (result = component.instance.get({&reference, 1}, &value); !result.ok()) break;
            *values++ = value ? fmi2::yes : fmi2::no;
        }
        return result;
    });
}

Status fmi2GetString(fmi2::Component c, const fmi2::ValueReference*, std::size_t count,
                     fmi2::String*) {
    return guarded(c, Call::get, "fmi2GetString", [&](Component&) {
        require(count == 0, "the model has no variables of type String");
    });
}

Status fmi2SetReal(fmi2::Component c, const fmi2::ValueReference* references, std::size_t count,
                   const fmi2::Real* values) {
    return guarded(c, Call::set, "fmi2SetReal", [&](Component& component) {
        return component.instance.set_reals(span_of(references, count, values), values);
    });
}

Status fmi2SetInteger(fmi2::Component c, const fmi2::ValueReference* references, std::size_t count,
                      const fmi2::Integer* values) {
    return guarded(c, Call::set, "fmi2SetInteger", [&](Component& component) {
        AccessResult result;
        for (const ValueRef& reference : span_of(references, count, values))
            if (result = set_int32(component, reference, *values++); !result.ok()) break;
        return result;
    });
}

Status fmi2SetBoolean(fmi2::Component c, const fmi2::ValueReference* references, std::size_t count,
                      const fmi2::Boolean* values) {
    return guarded(c, Call::set, "fmi2SetBoolean", [&](Component& component) {
        AccessResult result;
        for (const ValueRef& reference : span_of(references, count, values)) {
            const bool value = *values++ != fmi2::no;
            if (result = component.instance.set({&reference, 1}, &value); !result.ok()) break;
        }
        return result;
    });
}

Status fmi2SetString(fmi2::Component c, const fmi2::ValueReference*, std::size_t count,
                     const fmi2::String*) {
    return guarded(c, Call::set, "fmi2SetString", [&](Component&) {
        require(count == 0, "the model has no variables of type String");
    });
}

Status fmi2GetFMUstate(fmi2::Component c, fmi2::FmuState* state) {
    return guarded(c, Call::fmu_state, "fmi2GetFMUstate",
                   [&](Component& component) { get_state(component, state); });
}

Status fmi2SetFMUstate(fmi2::Component c, fmi2::FmuState state) {
    return guarded(c, Call::fmu_state, "fmi2SetFMUstate",
                   [&](Component& component) { set_state(component, state); });
}

Status fmi2FreeFMUstate(fmi2::Component c, fmi2::FmuState* state) {
    return guarded(c, Call::fmu_state, "fmi2FreeFMUstate",
                   [&](Component&) { rubato::model::free_state(state); });
}

Status fmi2SerializedFMUstateSize(fmi2::Component c, fmi2::FmuState state, std::size_t* size) {
    return guarded(c, Call::fmu_state, "fmi2SerializedFMUstateSize",
                   [&](Component& component) { state_size(component, state, size); });
}

Status fmi2SerializeFMUstate(fmi2::Component c, fmi2::FmuState state, fmi2::Byte* bytes,
                             std::size_t size) {
    return guarded(c, Call::fmu_state, "fmi2SerializeFMUstate",
                   [&](Component& component) { serialize_state(component, state, bytes, size); });
}

Status fmi2DeSerializeFMUstate(fmi2::Component c, const fmi2::Byte* bytes, std::size_t size,
                               fmi2::FmuState* state) {
    return guarded(c, Call::fmu_state, "fmi2DeSerializeFMUstate",
                   [&](Component& component) { deserialize_state(component, bytes, size, state); });
}

Status fmi2GetDirectionalDerivative(fmi2::Component c, const fmi2::ValueReference* unknowns,
                                    std::size_t n_unknowns, const fmi2::ValueReference* knowns,
                                    std::size_t n_knowns, const fmi2::Real* seed,
                                    fmi2::Real* sensitivity) {
    return guarded(c, Call::get, "fmi2GetDirectionalDerivative", [&](Component& component) {
        return get_variation(component, {unknowns, n_unknowns}, {knowns, n_knowns},
                             {seed, n_knowns}, {sensitivity, n_unknowns});
    });
}

Status fmi2SetRealInputDerivatives(fmi2::Component c, const fmi2::ValueReference* references,
                                   std::size_t count, const fmi2::Integer* orders,
                                   const fmi2::Real* values) {
    return guarded(
        c, Call::set_input_derivatives, "fmi2SetRealInputDerivatives", [&](Component& component) {
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

Status fmi2GetRealOutputDerivatives(fmi2::Component c, const fmi2::ValueReference*, std::size_t,
                                    const fmi2::Integer*, fmi2::Real*) {
    return unsupported(c, Call::get_output_derivatives, "fmi2GetRealOutputDerivatives",
                       "the model gives no derivatives of its outputs");
}

Status fmi2DoStep(fmi2::Component c, fmi2::Real from, fmi2::Real by, fmi2::Boolean) {
    return guarded(c, Call::step, "fmi2DoStep", [&](Component& component) {
        const double reached = component.instance.step(from, by);
        return reached < from + by ? Status::discard : Status::ok;
    });
}

Status fmi2CancelStep(fmi2::Component c) {
    return unsupported(c, Call::status, "fmi2CancelStep", "no step is ever under way");
}

Status fmi2GetStatus(fmi2::Component c, fmi2::StatusKind, Status*) {
    return unsupported(c, Call::status, "fmi2GetStatus", "no step is ever pending");
}

Status fmi2GetRealStatus(fmi2::Component c, fmi2::StatusKind kind, fmi2::Real* value) {
    return guarded(c, Call::status, "fmi2GetRealStatus", [&](Component& component) {
        require(kind == fmi2::StatusKind::last_successful_time && value != nullptr,
                "the only status of type Real is fmi2LastSuccessfulTime");
        *value = component.instance.time();
    });
}

Status fmi2GetIntegerStatus(fmi2::Component c, fmi2::StatusKind, fmi2::Integer*) {
    return unsupported(c, Call::status, "fmi2GetIntegerStatus", "there is no such status");
}

Status fmi2GetBooleanStatus(fmi2::Component c, fmi2::StatusKind kind, fmi2::Boolean* value) {
    return guarded(c, Call::status, "fmi2GetBooleanStatus", [&](Component&) {
        require(kind == fmi2::StatusKind::terminated && value != nullptr,
                "the only status of type Boolean is fmi2Terminated");
        *value = fmi2::no;
    });
}

Status fmi2GetStringStatus(fmi2::Component c, fmi2::StatusKind, fmi2::String*) {
    return unsupported(c, Call::status, "fmi2GetStringStatus", "no step is ever pending");
}
