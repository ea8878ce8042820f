// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

/// The C interface of FMI 3.0 (fmi-standard.org, "Functional Mock-up Interface Specification"
/// 3.0.2, chapters 2 to 5) as C++ types: the function `fmi3DoStep` has the type `fmi3::DoStep`.
/// Types only: nothing here is declared as a symbol, so that a program can load many FMUs. The ABI
/// is that of the standard's C headers.
namespace rubato::fmi3 {

inline constexpr const char* version = "3.0";

using Instance = void*;            ///< owned by the FMU
using InstanceEnvironment = void*; ///< the importer's, handed back in callbacks
using FmuState = void*;            ///< a saved state, owned by the FMU
using ValueReference = std::uint32_t;
using Float32 = float;
using Float64 = double;
using Int8 = std::int8_t;
using UInt8 = std::uint8_t;
using Int16 = std::int16_t;
using UInt16 = std::uint16_t;
using Int32 = std::int32_t;
using UInt32 = std::uint32_t;
using Int64 = std::int64_t; ///< enumerations too
using UInt64 = std::uint64_t;
using Boolean = bool;
using Char = char;
using String = const Char*; ///< UTF-8, ends with 0
using Byte = std::uint8_t;
using Binary = const Byte*; ///< its size is passed separately
using Clock = bool;         ///< true: active

enum class Status : int { ok, warning, discard, error, fatal };
enum class DependencyKind : int { independent, constant, fixed, tunable, discrete, dependent };
enum class IntervalQualifier : int { not_yet_known, unchanged, changed };

// Callbacks.
using LogMessage = void(InstanceEnvironment, Status, String category, String message);
using ClockUpdate = void(InstanceEnvironment);
using IntermediateUpdate = void(InstanceEnvironment, Float64 time, Boolean set_requested,
                                Boolean get_allowed, Boolean step_finished,
                                Boolean can_return_early, Boolean* early_return_requested,
                                Float64* early_return_time);
using LockPreemption = void();
using UnlockPreemption = void();

// Version, logging, life.
using GetVersion = const char*();
using SetDebugLogging = Status(Instance, Boolean logging_on, std::size_t n_categories,
                               const String categories[]);
using InstantiateModelExchange = Instance(String instance_name, String instantiation_token,
                                          String resource_path, Boolean visible, Boolean logging_on,
                                          InstanceEnvironment, LogMessage*);
using InstantiateCoSimulation = Instance(String instance_name, String instantiation_token,
                                         String resource_path, Boolean visible, Boolean logging_on,
                                         Boolean event_mode_used, Boolean early_return_allowed,
                                         const ValueReference required_intermediate_variables[],
                                         std::size_t n_required_intermediate_variables,
                                         InstanceEnvironment, LogMessage*, IntermediateUpdate*);
using InstantiateScheduledExecution = Instance(String instance_name, String instantiation_token,
                                               String resource_path, Boolean visible,
                                               Boolean logging_on, InstanceEnvironment, LogMessage*,
                                               ClockUpdate*, LockPreemption*, UnlockPreemption*);
using FreeInstance = void(Instance);
using EnterInitializationMode = Status(Instance, Boolean tolerance_defined, Float64 tolerance,
                                       Float64 start_time, Boolean stop_time_defined,
                                       Float64 stop_time);
using ExitInitializationMode = Status(Instance);
using EnterEventMode = Status(Instance);
using Terminate = Status(Instance);
using Reset = Status(Instance);
using EnterConfigurationMode = Status(Instance);
using ExitConfigurationMode = Status(Instance);

// Values. `n_values` is larger than `n_references` where variables are arrays.
template <class T>
using Get = Status(Instance, const ValueReference[], std::size_t n_references, T values[],
                   std::size_t n_values);
template <class T>
using Set = Status(Instance, const ValueReference[], std::size_t n_references, const T values[],
                   std::size_t n_values);
using GetFloat32 = Get<Float32>;
using GetFloat64 = Get<Float64>;
using GetInt8 = Get<Int8>;
using GetUInt8 = Get<UInt8>;
using GetInt16 = Get<Int16>;
using GetUInt16 = Get<UInt16>;
using GetInt32 = Get<Int32>;
using GetUInt32 = Get<UInt32>;
using GetInt64 = Get<Int64>;
using GetUInt64 = Get<UInt64>;
using GetBoolean = Get<Boolean>;
using GetString = Get<String>;
using GetBinary = Status(Instance, const ValueReference[], std::size_t n_references,
                         std::size_t sizes[], Binary values[], std::size_t n_values);
using GetClock = Status(Instance, const ValueReference[], std::size_t n_references, Clock values[]);
using SetFloat32 = Set<Float32>;
using SetFloat64 = Set<Float64>;
using SetInt8 = Set<Int8>;
using SetUInt8 = Set<UInt8>;
using SetInt16 = Set<Int16>;
using SetUInt16 = Set<UInt16>;
using SetInt32 = Set<Int32>;
using SetUInt32 = Set<UInt32>;
using SetInt64 = Set<Int64>;
using SetUInt64 = Set<UInt64>;
using SetBoolean = Set<Boolean>;
using SetString = Set<String>;
using SetBinary = Status(Instance, const ValueReference[], std::size_t n_references,
                         const std::size_t sizes[], const Binary values[], std::size_t n_values);
using SetClock = Status(Instance, const ValueReference[], std::size_t n_references,
                        const Clock values[]);

// Dependencies.
using GetNumberOfVariableDependencies = Status(Instance, ValueReference, std::size_t* count);
using GetVariableDependencies = Status(Instance, ValueReference dependent,
                                       std::size_t element_indices_of_dependent[],
                                       ValueReference independents[],
                                       std::size_t element_indices_of_independents[],
                                       DependencyKind kinds[], std::size_t count);

// Saved states.
using GetFmuState = Status(Instance, FmuState*);
using SetFmuState = Status(Instance, FmuState);
using FreeFmuState = Status(Instance, FmuState*);
using SerializedFmuStateSize = Status(Instance, FmuState, std::size_t* size);
using SerializeFmuState = Status(Instance, FmuState, Byte bytes[], std::size_t size);
using DeserializeFmuState = Status(Instance, const Byte bytes[], std::size_t size, FmuState*);

// Partial derivatives.
using GetDirectionalDerivative = Status(Instance, const ValueReference unknowns[],
                                        std::size_t n_unknowns, const ValueReference knowns[],
                                        std::size_t n_knowns, const Float64 seed[],
                                        std::size_t n_seed, Float64 sensitivity[],
                                        std::size_t n_sensitivity);
using GetAdjointDerivative = GetDirectionalDerivative;

// Clocks and events.
using GetIntervalDecimal = Status(Instance, const ValueReference[], std::size_t n_references,
                                  Float64 intervals[], IntervalQualifier[]);
using GetIntervalFraction = Status(Instance, const ValueReference[], std::size_t n_references,
                                   UInt64 counters[], UInt64 resolutions[], IntervalQualifier[]);
using GetShiftDecimal = Status(Instance, const ValueReference[], std::size_t n_references,
                               Float64 shifts[]);
using GetShiftFraction = Status(Instance, const ValueReference[], std::size_t n_references,
                                UInt64 counters[], UInt64 resolutions[]);
using SetIntervalDecimal = Status(Instance, const ValueReference[], std::size_t n_references,
                                  const Float64 intervals[]);
using SetIntervalFraction = Status(Instance, const ValueReference[], std::size_t n_references,
                                   const UInt64 counters[], const UInt64 resolutions[]);
using SetShiftDecimal = Status(Instance, const ValueReference[], std::size_t n_references,
                               const Float64 shifts[]);
using SetShiftFraction = Status(Instance, const ValueReference[], std::size_t n_references,
                                const UInt64 counters[], const UInt64 resolutions[]);
using EvaluateDiscreteStates = Status(Instance);
using UpdateDiscreteStates = Status(Instance, Boolean* discrete_states_need_update,
                                    Boolean* terminate_simulation,
                                    Boolean* nominals_of_continuous_states_changed,
                                    Boolean* values_of_continuous_states_changed,
                                    Boolean* next_event_time_defined, Float64* next_event_time);

// Co-simulation. `orders` count from 1.
using EnterStepMode = Status(Instance);
using GetOutputDerivatives = Status(Instance, const ValueReference[], std::size_t n_references,
                                    const Int32 orders[], Float64 values[], std::size_t n_values);
using DoStep = Status(Instance, Float64 current_communication_point,
                      Float64 communication_step_size,
                      Boolean no_set_fmu_state_prior_to_current_point,
                      Boolean* event_handling_needed, Boolean* terminate_simulation,
                      Boolean* early_return, Float64* last_successful_time);

// Model exchange.
using EnterContinuousTimeMode = Status(Instance);
using CompletedIntegratorStep = Status(Instance, Boolean no_set_fmu_state_prior_to_current_point,
                                       Boolean* enter_event_mode, Boolean* terminate_simulation);
using SetTime = Status(Instance, Float64 time);
using SetContinuousStates = Status(Instance, const Float64 x[], std::size_t nx);
using GetContinuousStateDerivatives = Status(Instance, Float64 dx[], std::size_t nx);
using GetEventIndicators = Status(Instance, Float64 indicators[], std::size_t count);
using GetContinuousStates = Status(Instance, Float64 x[], std::size_t nx);
using GetNominalsOfContinuousStates = Status(Instance, Float64 nominals[], std::size_t nx);
using GetNumberOfEventIndicators = Status(Instance, std::size_t* count);
using GetNumberOfContinuousStates = Status(Instance, std::size_t* nx);

// Scheduled execution.
using ActivateModelPartition = Status(Instance, ValueReference clock, Float64 activation_time);

} // namespace rubato::fmi3
