// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/fmi/fmi1.hpp>

/// The functions of FMI 1.0 over the model that they are linked with. FMUs export them under names
/// of their own, which begin with the model's: RUBATO_EXPORT_FMI1(name).
namespace rubato::model::fmi1_functions {

fmi1::GetVersion get_version;
fmi1::GetTypesPlatform get_types_platform; ///< of both interfaces
fmi1::SetDebugLogging set_debug_logging;
fmi1::GetReal get_real;
fmi1::GetInteger get_integer;
fmi1::GetBoolean get_boolean;
fmi1::GetString get_string;
fmi1::SetReal set_real;
fmi1::SetInteger set_integer;
fmi1::SetBoolean set_boolean;
fmi1::SetString set_string;

// Co-simulation.
fmi1::InstantiateSlave instantiate_slave;
fmi1::InitializeSlave initialize_slave;
fmi1::TerminateSlave terminate_slave;
fmi1::ResetSlave reset_slave;
fmi1::FreeSlaveInstance free_instance; ///< of both interfaces
fmi1::SetRealInputDerivatives set_real_input_derivatives;
fmi1::GetRealOutputDerivatives get_real_output_derivatives;
fmi1::DoStep do_step;
fmi1::CancelStep cancel_step;
fmi1::GetStatus get_status;
fmi1::GetRealStatus get_real_status;
fmi1::GetIntegerStatus get_integer_status;
fmi1::GetBooleanStatus get_boolean_status;
fmi1::GetStringStatus get_string_status;

// Model exchange.
fmi1::InstantiateModel instantiate_model;
fmi1::SetTime set_time;
fmi1::SetContinuousStates set_continuous_states;
fmi1::CompletedIntegratorStep completed_integrator_step;
fmi1::Initialize initialize;
fmi1::GetDerivatives get_derivatives;
fmi1::GetEventIndicators get_event_indicators;
fmi1::EventUpdate event_update;
fmi1::GetContinuousStates get_continuous_states;
fmi1::GetNominalContinuousStates get_nominal_continuous_states;
fmi1::GetStateValueReferences get_state_value_references;
fmi1::Terminate terminate;

} // namespace rubato::model::fmi1_functions

/// One function `name`_`function` that forwards its arguments.
#define RUBATO_FMI1_FUNCTION(name, result, function, target, parameters, arguments)                \
    extern "C" [[gnu::visibility("default")]] result name##_##function parameters;                 \
    result name##_##function parameters { return rubato::model::fmi1_functions::target arguments; }

#define RUBATO_FMI1_STATUS(name, function, target, parameters, arguments)                          \
    RUBATO_FMI1_FUNCTION(name, rubato::fmi1::Status, function, target, parameters, arguments)

/// fmiGetReal and so on: values of a type.
#define RUBATO_FMI1_VALUES(name, function, target, Type)                                           \
    RUBATO_FMI1_STATUS(name, function, target,                                                     \
                       (void* c, const unsigned* references, std::size_t count, Type* values),     \
                       (c, references, count, values))

/// fmiTerminate and so on: nothing but an instance.
#define RUBATO_FMI1_PLAIN(name, function, target)                                                  \
    RUBATO_FMI1_STATUS(name, function, target, (void* c), (c))

/// fmiGetRealStatus and so on.
#define RUBATO_FMI1_STATUS_OF(name, function, target, Type)                                        \
    RUBATO_FMI1_STATUS(name, function, target,                                                     \
                       (void* c, rubato::fmi1::StatusKind kind, Type* value), (c, kind, value))

/// fmiGetDerivatives and so on: a vector of the model.
#define RUBATO_FMI1_VECTOR(name, function, target, Type)                                           \
    RUBATO_FMI1_STATUS(name, function, target, (void* c, Type* vector, std::size_t count),         \
                       (c, vector, count))

#define RUBATO_EXPORT_FMI1_COMMON(name)                                                            \
    RUBATO_FMI1_FUNCTION(name, const char*, fmiGetVersion, get_version, (), ())                    \
    RUBATO_FMI1_STATUS(name, fmiSetDebugLogging, set_debug_logging, (void* c, char on), (c, on))   \
    RUBATO_FMI1_VALUES(name, fmiGetReal, get_real, double)                                         \
    RUBATO_FMI1_VALUES(name, fmiGetInteger, get_integer, int)                                      \
    RUBATO_FMI1_VALUES(name, fmiGetBoolean, get_boolean, char)                                     \
    RUBATO_FMI1_VALUES(name, fmiGetString, get_string, const char*)                                \
    RUBATO_FMI1_VALUES(name, fmiSetReal, set_real, const double)                                   \
    RUBATO_FMI1_VALUES(name, fmiSetInteger, set_integer, const int)                                \
    RUBATO_FMI1_VALUES(name, fmiSetBoolean, set_boolean, const char)                               \
    RUBATO_FMI1_VALUES(name, fmiSetString, set_string, const char* const)

#define RUBATO_EXPORT_FMI1_CO_SIMULATION(name)                                                     \
    RUBATO_FMI1_FUNCTION(name, const char*, fmiGetTypesPlatform, get_types_platform, (), ())       \
    RUBATO_FMI1_FUNCTION(name, void*, fmiInstantiateSlave, instantiate_slave,                      \
                         (const char* instance, const char* guid, const char* location,            \
                          const char* mime_type, double timeout, char visible, char interactive,   \
                          rubato::fmi1::SlaveCallbacks callbacks, char logging_on),                \
                         (instance, guid, location, mime_type, timeout, visible, interactive,      \
                          callbacks, logging_on))                                                  \
    RUBATO_FMI1_STATUS(name, fmiInitializeSlave, initialize_slave,                                 \
                       (void* c, double start, char has_stop, double stop),                        \
                       (c, start, has_stop, stop))                                                 \
    RUBATO_FMI1_PLAIN(name, fmiTerminateSlave, terminate_slave)                                    \
    RUBATO_FMI1_PLAIN(name, fmiResetSlave, reset_slave)                                            \
    RUBATO_FMI1_FUNCTION(name, void, fmiFreeSlaveInstance, free_instance, (void* c), (c))          \
    RUBATO_FMI1_STATUS(name, fmiSetRealInputDerivatives, set_real_input_derivatives,               \
                       (void* c, const unsigned* references, std::size_t count, const int* orders, \
                        const double* values),                                                     \
                       (c, references, count, orders, values))                                     \
    RUBATO_FMI1_STATUS(name, fmiGetRealOutputDerivatives, get_real_output_derivatives,             \
                       (void* c, const unsigned* references, std::size_t count, const int* orders, \
                        double* values),                                                           \
                       (c, references, count, orders, values))                                     \
    RUBATO_FMI1_STATUS(name, fmiDoStep, do_step, (void* c, double from, double by, char new_step), \
                       (c, from, by, new_step))                                                    \
    RUBATO_FMI1_PLAIN(name, fmiCancelStep, cancel_step)                                            \
    RUBATO_FMI1_STATUS_OF(name, fmiGetStatus, get_status, rubato::fmi1::Status)                    \
    RUBATO_FMI1_STATUS_OF(name, fmiGetRealStatus, get_real_status, double)                         \
    RUBATO_FMI1_STATUS_OF(name, fmiGetIntegerStatus, get_integer_status, int)                      \
    RUBATO_FMI1_STATUS_OF(name, fmiGetBooleanStatus, get_boolean_status, char)                     \
    RUBATO_FMI1_STATUS_OF(name, fmiGetStringStatus, get_string_status, const char*)

#define RUBATO_EXPORT_FMI1_MODEL_EXCHANGE(name)                                                    \
    RUBATO_FMI1_FUNCTION(name, const char*, fmiGetModelTypesPlatform, get_types_platform, (), ())  \
    RUBATO_FMI1_FUNCTION(name, void*, fmiInstantiateModel, instantiate_model,                      \
                         (const char* instance, const char* guid,                                  \
                          rubato::fmi1::ModelCallbacks callbacks, char logging_on),                \
                         (instance, guid, callbacks, logging_on))                                  \
    RUBATO_FMI1_FUNCTION(name, void, fmiFreeModelInstance, free_instance, (void* c), (c))          \
    RUBATO_FMI1_STATUS(name, fmiSetTime, set_time, (void* c, double time), (c, time))              \
    RUBATO_FMI1_VECTOR(name, fmiSetContinuousStates, set_continuous_states, const double)          \
    RUBATO_FMI1_STATUS(name, fmiCompletedIntegratorStep, completed_integrator_step,                \
                       (void* c, char* event), (c, event))                                         \
    RUBATO_FMI1_STATUS(                                                                            \
        name, fmiInitialize, initialize,                                                           \
        (void* c, char tolerance_controlled, double tolerance, rubato::fmi1::EventInfo* info),     \
        (c, tolerance_controlled, tolerance, info))                                                \
    RUBATO_FMI1_VECTOR(name, fmiGetDerivatives, get_derivatives, double)                           \
    RUBATO_FMI1_VECTOR(name, fmiGetEventIndicators, get_event_indicators, double)                  \
    RUBATO_FMI1_STATUS(name, fmiEventUpdate, event_update,                                         \
                       (void* c, char intermediate, rubato::fmi1::EventInfo* info),                \
                       (c, intermediate, info))                                                    \
    RUBATO_FMI1_VECTOR(name, fmiGetContinuousStates, get_continuous_states, double)                \
    RUBATO_FMI1_VECTOR(name, fmiGetNominalContinuousStates, get_nominal_continuous_states, double) \
    RUBATO_FMI1_VECTOR(name, fmiGetStateValueReferences, get_state_value_references, unsigned)     \
    RUBATO_FMI1_PLAIN(name, fmiTerminate, terminate)

/// Defines the functions of FMI 1.0, of both interfaces, for a model of this name.
#define RUBATO_EXPORT_FMI1(name)                                                                   \
    RUBATO_EXPORT_FMI1_COMMON(name)                                                                \
    RUBATO_EXPORT_FMI1_CO_SIMULATION(name)                                                         \
    RUBATO_EXPORT_FMI1_MODEL_EXCHANGE(name)
