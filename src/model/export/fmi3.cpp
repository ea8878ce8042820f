// SPDX-License-Identifier: Apache-2.0
#include "component.hpp"
#include "fmi3_guarded.hpp"

#include <rubato/core/xml_writer.hpp>
#include <rubato/fmi/fmi3_exports.hpp>

namespace fmi3 = rubato::fmi3;
using fmi3::Status;
using rubato::model::Call;
using rubato::model::Component;
using rubato::model::require;
using rubato::model::fmi3_functions::guarded;

namespace {

using ComponentPtr = std::unique_ptr<Component>;

ComponentPtr instantiate(const char* name, const char* token, rubato::model::Logger logger,
                         bool event_mode_used, bool early_return_allowed) {
    require(!event_mode_used || rubato::model::exported_model().event_mode,
            "the model has no event mode");
    const auto interface = event_mode_used ? rubato::model::Interface::hybrid
                                           : rubato::model::Interface::co_simulation;
    auto component = rubato::model::instantiate(name, token, interface, std::move(logger));
    if (component == nullptr) return nullptr;
    component->early_return_allowed = early_return_allowed;
    component->instance.allow_early_return(early_return_allowed);
    return component;
}

/// Without early returns a step is made as a whole or not at all.
bool must_discard(const Component& component, double from, double by) {
    if (component.early_return_allowed) return false;
    const double longest = component.instance.longest_step(from);
    if (!(longest < by)) return false;
    component.logger.discard("fmi3DoStep: from t = " + rubato::xml_number(from) +
                             " s the model accepts steps of " + rubato::xml_number(longest) +
                             " s at most, not of " + rubato::xml_number(by) + " s");
    return true;
}

} // namespace

const char* fmi3GetVersion() { return fmi3::version; }

Status fmi3SetDebugLogging(fmi3::Instance c, fmi3::Boolean on, std::size_t count,
                           const fmi3::String* categories) {
    return guarded(c, Call::set_debug_logging, "fmi3SetDebugLogging", [&](Component& component) {
        require(count == 0 || categories != nullptr, "the categories are missing");
        component.logger.turn(on, {categories, count});
    });
}

fmi3::Instance fmi3InstantiateCoSimulation(
    fmi3::String name, fmi3::String token, fmi3::String, fmi3::Boolean, fmi3::Boolean logging_on,
    fmi3::Boolean event_mode_used, fmi3::Boolean early_return_allowed,
    const fmi3::ValueReference* intermediate_variables, std::size_t n_intermediate_variables,
    fmi3::InstanceEnvironment environment, fmi3::LogMessage* log,
    fmi3::IntermediateUpdate* update) {
    rubato::model::Logger logger(name == nullptr ? "" : name, log, environment, logging_on);
    try {
        auto component = instantiate(name, token, logger, event_mode_used, early_return_allowed);
        require(n_intermediate_variables == 0 || intermediate_variables != nullptr,
                "the intermediate variables are missing");
        if (component != nullptr && update != nullptr)
            component->updates.call_back(component->instance, update, environment,
                                         {intermediate_variables, n_intermediate_variables});
        return component.release();
    } catch (const std::exception& fault) {
        logger.error(std::string("fmi3InstantiateCoSimulation: ") + fault.what());
    }
    return nullptr;
}

void fmi3FreeInstance(fmi3::Instance c) { delete static_cast<Component*>(c); }

Status fmi3EnterConfigurationMode(fmi3::Instance c) {
    return guarded(c, Call::enter_initialization, "fmi3EnterConfigurationMode",
                   [&](Component& component) {
                       require(!component.is_configuring, "it is in configuration mode already");
                       component.is_configuring = true;
                   });
}

Status fmi3ExitConfigurationMode(fmi3::Instance c) {
    return guarded(c, Call::enter_initialization, "fmi3ExitConfigurationMode",
                   [&](Component& component) {
                       require(component.is_configuring, "it is not in configuration mode");
                       component.is_configuring = false;
                       component.instance.require_sizes();
                   });
}

Status fmi3EnterInitializationMode(fmi3::Instance c, fmi3::Boolean, fmi3::Float64,
                                   fmi3::Float64 start, fmi3::Boolean, fmi3::Float64) {
    return guarded(c, Call::enter_initialization, "fmi3EnterInitializationMode",
                   [&](Component& component) {
                       require(!component.is_configuring, "it is in configuration mode");
                       component.instance.enter_initialization(start);
                   });
}

Status fmi3ExitInitializationMode(fmi3::Instance c) {
    return guarded(c, Call::exit_initialization, "fmi3ExitInitializationMode",
                   [&](Component& component) { component.instance.exit_initialization(); });
}

Status fmi3Terminate(fmi3::Instance c) {
    return guarded(c, Call::terminate, "fmi3Terminate",
                   [&](Component& component) { component.instance.terminate(); });
}

Status fmi3Reset(fmi3::Instance c) {
    return guarded(c, Call::reset, "fmi3Reset", [&](Component& component) {
        component.instance.reset();
        component.is_configuring = false;
    });
}

Status fmi3DoStep(fmi3::Instance c, fmi3::Float64 from, fmi3::Float64 by, fmi3::Boolean,
                  fmi3::Boolean* event_handling_needed, fmi3::Boolean* terminate_simulation,
                  fmi3::Boolean* early_return, fmi3::Float64* last_successful_time) {
    return guarded(c, Call::step, "fmi3DoStep", [&](Component& component) {
        require(event_handling_needed != nullptr && terminate_simulation != nullptr &&
                    early_return != nullptr && last_successful_time != nullptr,
                "there is no place for the results of the step");
        *event_handling_needed = false;
        *terminate_simulation = false;
        *early_return = false;
        *last_successful_time = from;
        if (must_discard(component, from, by)) return Status::discard;
        *last_successful_time = component.instance.step(from, by);
        *early_return = *last_successful_time < from + by;
        *event_handling_needed = component.instance.at_event();
        return Status::ok;
    });
}

Status fmi3GetFMUState(fmi3::Instance c, fmi3::FmuState* state) {
    return guarded(c, Call::fmu_state, "fmi3GetFMUState",
                   [&](Component& component) { get_state(component, state); });
}

Status fmi3SetFMUState(fmi3::Instance c, fmi3::FmuState state) {
    return guarded(c, Call::fmu_state, "fmi3SetFMUState",
                   [&](Component& component) { set_state(component, state); });
}

Status fmi3FreeFMUState(fmi3::Instance c, fmi3::FmuState* state) {
    return guarded(c, Call::fmu_state, "fmi3FreeFMUState",
                   [&](Component&) { rubato::model::free_state(state); });
}

Status fmi3SerializedFMUStateSize(fmi3::Instance c, fmi3::FmuState state, std::size_t* size) {
    return guarded(c, Call::fmu_state, "fmi3SerializedFMUStateSize",
                   [&](Component& component) { state_size(component, state, size); });
}

Status fmi3SerializeFMUState(fmi3::Instance c, fmi3::FmuState state, fmi3::Byte* bytes,
                             std::size_t size) {
    return guarded(c, Call::fmu_state, "fmi3SerializeFMUState",
                   [&](Component& component) { serialize_state(component, state, bytes, size); });
}

Status fmi3DeserializeFMUState(fmi3::Instance c, const fmi3::Byte* bytes, std::size_t size,
                               fmi3::FmuState* state) {
    return guarded(c, Call::fmu_state, "fmi3DeserializeFMUState",
                   [&](Component& component) { deserialize_state(component, bytes, size, state); });
}
