// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

/// The C interface of FMI 1.0 (fmi-standard.org, "Functional Mock-up Interface for Model Exchange"
/// 1.0.1 and "… for Co-Simulation" 1.0.1) as C++ types: the function `fmiDoStep` has the type
/// `fmi1::DoStep`. An FMU exports them with its model identifier and an underscore before their
/// names. Types only: nothing here is declared as a symbol. The ABI is that of the standards' C
/// headers.
namespace rubato::fmi1 {

inline constexpr const char* version = "1.0";
inline constexpr const char* types_platform = "standard32";

using Component = void*; ///< an instance, owned by the FMU
using ValueReference = unsigned int;
using Real = double;
using Integer = int;
using Boolean = char;       ///< 0 or 1
using String = const char*; ///< UTF-8, ends with 0

inline constexpr Boolean no = 0;
inline constexpr Boolean yes = 1;

enum class Status : int { ok, warning, discard, error, fatal, pending };
enum class StatusKind : int { do_step_status, pending_status, last_successful_time };

// Callbacks. There is no environment to hand back: only the component and its name show whose
// message it is, and while it is being instantiated only the name.
using Logger = void(Component, String instance_name, Status, String category, String message, ...);
using AllocateMemory = void*(std::size_t count, std::size_t size);
using FreeMemory = void(void*);
using StepFinished = void(Component, Status);

/// fmiCallbackFunctions of model exchange, which are passed by value.
struct ModelCallbacks {
    Logger* logger = nullptr;
    AllocateMemory* allocate_memory = nullptr;
    FreeMemory* free_memory = nullptr;
};

/// fmiCallbackFunctions of co-simulation.
struct SlaveCallbacks {
    Logger* logger = nullptr;
    AllocateMemory* allocate_memory = nullptr;
    FreeMemory* free_memory = nullptr;
    StepFinished* step_finished = nullptr; ///< null: steps are synchronous
};

/// fmiEventInfo.
struct EventInfo {
    Boolean iteration_converged = yes;
    Boolean state_value_references_changed = no;
    Boolean state_values_changed = no;
    Boolean terminate_simulation = no;
    Boolean upcoming_time_event = no;
    Real next_event_time = 0;
};

// What both interfaces have.
using GetVersion = const char*();
using SetDebugLogging = Status(Component, Boolean logging_on);
template <class T>
using Get = Status(Component, const ValueReference[], std::size_t count, T values[]);
template <class T>
using Set = Status(Component, const ValueReference[], std::size_t count, const T values[]);
using GetReal = Get<Real>;
using GetInteger = Get<Integer>;
using GetBoolean = Get<Boolean>;
using GetString = Get<String>;
using SetReal = Set<Real>;
using SetInteger = Set<Integer>;
using SetBoolean = Set<Boolean>;
using SetString = Set<String>;

// Co-simulation. `orders` count from 1.
using GetTypesPlatform = const char*();
using InstantiateSlave = Component(String instance_name, String guid, String fmu_location,
                                   String mime_type, Real timeout, Boolean visible,
                                   Boolean interactive, SlaveCallbacks, Boolean logging_on);
using InitializeSlave = Status(Component, Real start_time, Boolean stop_time_defined,
                               Real stop_time);
using TerminateSlave = Status(Component);
using ResetSlave = Status(Component);
using FreeSlaveInstance = void(Component);
using SetRealInputDerivatives = Status(Component, const ValueReference[], std::size_t count,
                                       const Integer orders[], const Real values[]);
using GetRealOutputDerivatives = Status(Component, const ValueReference[], std::size_t count,
                                        const Integer orders[], Real values[]);
/// `new_step` is no when the last step is made again, from where it began.
using DoStep = Status(Component, Real current_communication_point, Real communication_step_size,
                      Boolean new_step);
using CancelStep = Status(Component);
using GetStatus = Status(Component, StatusKind, Status*);
using GetRealStatus = Status(Component, StatusKind, Real*);
using GetIntegerStatus = Status(Component, StatusKind, Integer*);
using GetBooleanStatus = Status(Component, StatusKind, Boolean*);
using GetStringStatus = Status(Component, StatusKind, String*);

// Model exchange.
using GetModelTypesPlatform = const char*();
using InstantiateModel = Component(String instance_name, String guid, ModelCallbacks,
                                   Boolean logging_on);
using FreeModelInstance = void(Component);
using SetTime = Status(Component, Real time);
using SetContinuousStates = Status(Component, const Real x[], std::size_t nx);
using CompletedIntegratorStep = Status(Component, Boolean* call_event_update);
using Initialize = Status(Component, Boolean tolerance_controlled, Real relative_tolerance,
                          EventInfo*);
using GetDerivatives = Status(Component, Real dx[], std::size_t nx);
using GetEventIndicators = Status(Component, Real indicators[], std::size_t count);
/// `intermediate_results` is no when the model shall iterate to the end by itself.
using EventUpdate = Status(Component, Boolean intermediate_results, EventInfo*);
using GetContinuousStates = Status(Component, Real x[], std::size_t nx);
using GetNominalContinuousStates = Status(Component, Real nominals[], std::size_t nx);
using GetStateValueReferences = Status(Component, ValueReference references[], std::size_t nx);
using Terminate = Status(Component);

} // namespace rubato::fmi1
