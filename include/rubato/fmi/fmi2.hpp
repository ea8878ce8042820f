// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

/// The C interface of FMI 2.0 (fmi-standard.org, "Functional Mock-up Interface for Model Exchange
/// and Co-Simulation" 2.0.4, chapters 2 and 4) as C++ types: the function `fmi2DoStep` has the type
/// `fmi2::DoStep`. Types only: nothing here is declared as a symbol, so that a program can load
/// many FMUs. The ABI is that of the standard's C headers.
namespace rubato::fmi2 {

inline constexpr const char* version = "2.0";
inline constexpr const char* types_platform = "default";

using Component = void*;            ///< an instance, owned by the FMU
using ComponentEnvironment = void*; ///< the importer's, handed back in callbacks
using FmuState = void*;             ///< a saved state, owned by the FMU
using ValueReference = unsigned int;
using Real = double;
using Integer = int;
using Boolean = int; ///< 0 or 1
using Char = char;
using String = const Char*; ///< UTF-8, ends with 0
using Byte = char;

inline constexpr Boolean no = 0;
inline constexpr Boolean yes = 1;

enum class Status : int { ok, warning, discard, error, fatal, pending };
enum class Type : int { model_exchange, co_simulation };
enum class StatusKind : int { do_step_status, pending_status, last_successful_time, terminated };

// Callbacks.
using Logger = void(ComponentEnvironment, String instance_name, Status, String category,
                    String message, ...);
using AllocateMemory = void*(std::size_t count, std::size_t size);
using FreeMemory = void(void*);
using StepFinished = void(ComponentEnvironment, Status);

/// fmi2CallbackFunctions. Must stay valid until the instance is freed.
struct CallbackFunctions {
    Logger* logger = nullptr;
    AllocateMemory* allocate_memory = nullptr;
    FreeMemory* free_memory = nullptr;
    StepFinished* step_finished = nullptr; ///< null: steps are synchronous
    ComponentEnvironment environment = nullptr;
};

/// fmi2EventInfo.
struct EventInfo {
    Boolean new_discrete_states_needed = no;
    Boolean terminate_simulation = no;
    Boolean nominals_of_continuous_states_changed = no;
    Boolean values_of_continuous_states_changed = no;
    Boolean next_event_time_defined = no;
    Real next_event_time = 0;
};

// Versions, logging, life.
using GetTypesPlatform = const char*();
using GetVersion = const char*();
using SetDebugLogging = Status(Component, Boolean logging_on, std::size_t n_categories,
                               const String categories[]);
using Instantiate = Component(String instance_name, Type, String guid, String resource_location,
                              const CallbackFunctions*, Boolean visible, Boolean logging_on);
using FreeInstance = void(Component);
using SetupExperiment = Status(Component, Boolean tolerance_defined, Real tolerance,
                               Real start_time, Boolean stop_time_defined, Real stop_time);
using EnterInitializationMode = Status(Component);
using ExitInitializationMode = Status(Component);
using Terminate = Status(Component);
using Reset = Status(Component);

// Values.
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

// Saved states.
using GetFmuState = Status(Component, FmuState*);
using SetFmuState = Status(Component, FmuState);
using FreeFmuState = Status(Component, FmuState*);
using SerializedFmuStateSize = Status(Component, FmuState, std::size_t* size);
using SerializeFmuState = Status(Component, FmuState, Byte bytes[], std::size_t size);
using DeSerializeFmuState = Status(Component, const Byte bytes[], std::size_t size, FmuState*);

using GetDirectionalDerivative = Status(Component, const ValueReference unknowns[],
                                        std::size_t n_unknowns, const ValueReference knowns[],
                                        std::size_t n_knowns, const Real dv_known[],
                                        Real dv_unknown[]);

// Co-simulation. `orders` count from 1.
using SetRealInputDerivatives = Status(Component, const ValueReference[], std::size_t count,
                                       const Integer orders[], const Real values[]);
using GetRealOutputDerivatives = Status(Component, const ValueReference[], std::size_t count,
                                        const Integer orders[], Real values[]);
using DoStep = Status(Component, Real current_communication_point, Real communication_step_size,
                      Boolean no_set_fmu_state_prior_to_current_point);
using CancelStep = Status(Component);
using GetStatus = Status(Component, StatusKind, Status*);
using GetRealStatus = Status(Component, StatusKind, Real*);
using GetIntegerStatus = Status(Component, StatusKind, Integer*);
using GetBooleanStatus = Status(Component, StatusKind, Boolean*);
using GetStringStatus = Status(Component, StatusKind, String*);

// Model exchange.
using EnterEventMode = Status(Component);
using NewDiscreteStates = Status(Component, EventInfo*);
using EnterContinuousTimeMode = Status(Component);
using CompletedIntegratorStep = Status(Component, Boolean no_set_fmu_state_prior_to_current_point,
                                       Boolean* enter_event_mode, Boolean* terminate_simulation);
using SetTime = Status(Component, Real time);
using SetContinuousStates = Status(Component, const Real x[], std::size_t nx);
using GetDerivatives = Status(Component, Real dx[], std::size_t nx);
using GetEventIndicators = Status(Component, Real indicators[], std::size_t count);
using GetContinuousStates = Status(Component, Real x[], std::size_t nx);
using GetNominalsOfContinuousStates = Status(Component, Real nominals[], std::size_t nx);

} // namespace rubato::fmi2
