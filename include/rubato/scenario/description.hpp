// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/clock.hpp>
#include <rubato/core/measure.hpp>
#include <rubato/core/value.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rubato::scenario {

enum class Causality {
    parameter,
    calculated_parameter,
    structural_parameter,
    input,
    output,
    local,
    independent,
};
/// What a user may set before a run.
constexpr bool is_parameter(Causality causality) {
    return causality == Causality::parameter || causality == Causality::structural_parameter;
}
enum class Variability { constant, fixed, tunable, discrete, continuous };
enum class Initial { exact, approx, calculated, unspecified };

/// How an FMU is run: by its own steps, or through its equations, which a solver of ours solves.
enum class Interface { co_simulation, model_exchange };

std::string_view to_string(Causality causality);
std::string_view to_string(Variability variability);
std::string_view to_string(Initial initial);
std::string_view to_string(Interface interface); // "cs", "me"

/// How many elements an array has in one direction.
struct Dimension {
    std::uint64_t size = 0;
    std::optional<std::uint32_t> parameter; ///< index of the structural parameter that sets it
    friend bool operator==(const Dimension&, const Dimension&) = default;
};

/// The most elements that an array may have here.
constexpr std::uint32_t max_elements = 1u << 24;

/// A value of an enumeration and its name.
struct EnumerationItem {
    std::string name;
    std::int64_t value = 0;
};

/// A variable as its unit declares it.
struct Variable {
    std::string name;
    std::string description;
    ValueType type = ValueType::float64;
    Causality causality = Causality::local;
    Variability variability = Variability::continuous;
    Initial initial = Initial::unspecified;
    ValueRef reference = 0;
    std::string unit;               ///< of measure; empty: none declared
    std::optional<Measure> measure; ///< what that unit is; nullopt: not known
    std::optional<double> nominal;  ///< typical magnitude; nullopt: none declared
    std::optional<double> minimum, maximum;
    std::optional<Value> start;
    std::vector<Value> start_elements; ///< of an array, row by row, or one for all; empty: none
    std::optional<std::uint32_t>
        derivative_of;                    ///< index of the variable this is the time derivative of
    std::vector<Dimension> dimensions;    ///< empty: a scalar
    std::optional<ClockAttributes> clock; ///< of a clock
    /// The clocks at whose ticks alone it changes, as indices of variables; empty: it is not
    /// clocked.
    std::vector<std::uint32_t> clocks;
    /// Of an enumeration, where its type declares them; variables of one type share them.
    std::shared_ptr<const std::vector<EnumerationItem>> items;
    bool intermediate =
        false;             ///< within steps, too, its unit provides it (an output) or accepts it
    bool reactive = false; ///< an input that expects its source to have advanced
    bool recorded = false; ///< by default, though it is no output

    bool is_array() const { return !dimensions.empty(); }
    std::uint32_t element_count() const; ///< 1 for a scalar
    /// The value of the enumeration's item of that name; nullopt: there is none.
    std::optional<std::int64_t> find_item(std::string_view item) const;
};

/// `A[2,1]`: what an element of an array is called, counted from 1.
std::string element_name(const Variable& variable, std::uint32_t element);

/// Which inputs an output depends on directly, as far as the unit declares it.
struct Dependencies {
    std::uint32_t output = 0;                          ///< index into `variables`
    std::optional<std::vector<std::uint32_t>> step;    ///< indices of inputs; nullopt: not declared
    std::optional<std::vector<std::uint32_t>> initial; ///< the same, during initialization
};

/// What a unit can do beyond get, set and step.
struct Capabilities {
    bool variable_step = false; ///< accepts steps of differing size
    bool snapshots = false;     ///< its state can be saved and restored
    bool serialization = false; ///< a saved state can be turned into bytes
    bool directional_derivatives = false;
    bool structural_parameters = false; ///< it has some, which set the sizes of arrays
    bool may_reject_step = false;       ///< could refuse a step and go back to its start
    bool may_return_early = false;      ///< may stop short of the requested step
    bool event_mode = false;            ///< handles events together with other units; has clocks
    bool intermediate_outputs = false;  ///< provides some of its outputs within steps, too
    bool one_instance_per_process = false;
    bool needs_execution_tool = false;
    unsigned input_derivatives = 0;  ///< highest order of input derivative it takes; 0: none
    unsigned output_derivatives = 0; ///< highest order of output derivative it gives; 0: none
};

struct DefaultExperiment {
    std::optional<double> start, stop, step, tolerance;
};

/// What is known of a unit without running it.
struct UnitDescription {
    std::string model;  ///< model name
    std::string kind;   ///< "FMI 2.0 co-simulation", "native model", …
    std::string source; ///< file, or name of the native model
    std::string description;
    std::string generation_tool;
    std::string identifier;             ///< GUID or instantiation token
    std::vector<std::string> platforms; ///< for which it has binaries; empty for native models
    std::vector<Interface> interfaces;  ///< that the FMU offers; empty for native models
    std::optional<Interface> interface; ///< the one that this describes; none for native models
    std::vector<Variable> variables;
    std::vector<Dependencies> dependencies; ///< of outputs
    Capabilities capabilities;
    DefaultExperiment default_experiment;

    /// Linear search: for set-up, not for loops.
    std::optional<std::uint32_t> find_variable(std::string_view name) const;
};

/// A variable, or an element of an array.
struct VariablePart {
    std::uint32_t variable = 0; ///< index into the unit's description
    std::optional<std::uint32_t> element;
};

/// What `A`, or `A[2,1]` where no variable is called so, means. `find` gives the index of the
/// variable that is called just so. nullopt: nothing.
std::optional<VariablePart>
find_part(const std::vector<Variable>& variables, std::string_view name,
          const std::function<std::optional<std::uint32_t>(std::string_view)>& find);

} // namespace rubato::scenario
