// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/clock.hpp>
#include <rubato/core/value.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// The kit: a model written once as a C++ class becomes a native unit and an FMU
/// (docs/how-to/write-a-model.md).
namespace rubato::model {

/// What a variable is to the model. The first seven are declared by its author, the others added by
/// the kit.
enum class Role : std::uint8_t {
    parameter, ///< fixed once the model is initialized
    input,
    output,     ///< computed by outputs()
    local,      ///< the same, but not meant to be connected
    state,      ///< continuous; may be given out, too
    discrete,   ///< changed by event() only; may be given out, too
    structural, ///< a parameter that sets the sizes of arrays
    clock,      ///< true while it ticks; given out if the model makes it tick
    time,
    solver,           ///< which solver an instance uses, as a value of `Solver`
    inner_step,       ///< largest step of that solver [s]; 0: the whole communication step
    state_derivative, ///< der(x)
    crossing,         ///< what event indicators are
    input_derivative, ///< der(u), der(u,2)
};

/// Numbered as in the enumeration that model descriptions show.
enum class Solver : std::uint8_t { euler = 1, rk4 = 2, exact = 3 };

/// A variable that others can see.
struct VariableType {
    std::string name;
    ValueType type = ValueType::float64;
    Role role = Role::local;
    bool is_output = false; ///< given out: every output, and a state or discrete variable if wanted
    std::uint32_t offset = 0; ///< of a member within the class
    std::string unit;         ///< of measure; empty: none
    std::string description;
    std::vector<ValueRef> feedthrough; ///< outputs: the inputs that feed through
    std::vector<std::uint32_t> shape;  ///< of an array; empty: a scalar, or as `sizes` say
    std::vector<std::uint32_t> sizes;  ///< offsets of the structural parameters that shape an array
    std::uint32_t stride = sizeof(double); ///< bytes from one element to the next
    std::uint32_t capacity = 1;            ///< elements that there is room for
    std::vector<std::string> items;        ///< of an enumeration
    std::optional<ValueRef> derivative_of;
    /// States: the offsets of the states and inputs that its derivative depends on; none: all.
    std::optional<std::vector<std::uint32_t>> driven_by;
    std::optional<ClockAttributes> clock; ///< of a clock
    /// Clocks that time drives, but for constant ones: the offset of the member with the interval.
    std::optional<std::uint32_t> interval;
    /// The same: intervals are whole parts of a second, so many of them; 0: any length.
    std::uint64_t resolution = 0;
    std::vector<ValueRef> clocks; ///< the clocks at whose ticks alone it changes

    bool is_array() const { return !shape.empty() || !sizes.empty(); }
};

/// An input that may move within steps: a scalar double that no clock drives.
bool is_continuous_input(const VariableType& variable);
/// An output that may be looked at within steps: the same, of those given out.
bool can_be_sampled(const VariableType& variable);

/// Where an instance keeps a variable, and what touching it entails.
struct Slot {
    enum Effect : std::uint8_t {
        changes_outputs = 1,   ///< outputs and derivatives must be computed anew
        changes_equations = 2, ///< so must what the exact solver has prepared
        moves_input = 4,       ///< an input derivative
    };
    enum Need : std::uint8_t {
        needs_outputs = 1,
        needs_derivatives = 2,
        needs_crossings = 4,
        needs_event = 8, ///< in event mode: what event() makes of clocks and inputs
        needs_all = 15,
    };

    std::uint32_t offset = 0; ///< in an instance's block
    std::uint32_t input_derivatives =
        0; ///< of an input: where its two derivatives are; 0: it has none
    std::uint32_t stride = 0;
    bool is_array = false;
    ValueType type = ValueType::float64;
    std::uint8_t settable = 0; ///< a bit per phase
    std::uint8_t effects = 0;  ///< of setting it
    std::uint8_t needs = 0;    ///< what must be up to date before it is read
};

/// Offsets in the one block of bytes that is an instance. The first `saved` bytes are its state.
struct BlockLayout {
    std::uint32_t object = 0;            ///< the model class
    std::uint32_t input_derivatives = 0; ///< u', u'' of every continuous input
    std::uint32_t previous = 0;          ///< the object when the instant of event mode began
    std::uint32_t tickers = 0;           ///< when clocks tick that the instance ticks itself
    std::uint32_t derivative_object = 0; ///< a second object, whose states hold the derivatives
    std::uint32_t crossings = 0;         ///< their values
    std::uint32_t saved = 0;
    std::uint32_t size = 0;
    std::vector<std::uint32_t> states;            ///< within the class
    std::vector<std::uint32_t> continuous_inputs; ///< within the class

    /// A part of the class.
    struct Member {
        std::uint32_t offset = 0;
        std::uint32_t size = 0;
    };
    std::vector<Member> given;         ///< inputs, and clocks that others tick
    std::vector<std::uint32_t> clocks; ///< within the class
};

/// What a model suggests to whoever runs it.
struct Experiment {
    double start = 0;
    double stop = 1;
    std::optional<double> step;
};

/// A model class with its type erased: a trivially copyable block of bytes and functions on it.
struct ModelType {
    std::string name;
    std::string description;
    Experiment experiment;
    Solver solver = Solver::rk4; ///< what a new instance starts with
    double inner_step = 0;       ///< the same, see Role::inner_step

    /// Those declared in their order, then the kit's. The index is the value reference.
    std::vector<VariableType> variables;

    std::uint32_t size = 0;
    std::uint32_t alignment = 1;
    void (*construct)(void* self) = nullptr; ///< in-class defaults
    /// Writes the derivatives to the states of `derivatives`, which is an object of the same class.
    void (*derivatives)(const void* self, double time, void* derivatives) = nullptr;
    void (*outputs)(void* self, double time) = nullptr; ///< null: there is nothing to compute
    bool outputs_depend_on_time = false;
    bool derivatives_depend_on_time = false;
    /// The longest step [s] that the model can make from here; null: any.
    double (*longest_step)(const void* self, double time) = nullptr;

    // Events; null where there are none.
    std::uint32_t crossing_count = 0;
    void (*crossings)(const void* self, double time, double* values) = nullptr;
    double (*next_event)(const void* self, double time) = nullptr;
    void (*event)(void* self, double time) = nullptr;
    bool event_mode = false; ///< events are handled together with those of others; so are clocks

    /// How derivatives and outputs vary with states and inputs, to first order: those of
    /// `variation` are given, and the states and outputs of `result` set. Null: nobody has worked
    /// it out.
    void (*variations)(const void* self, double time, const void* variation,
                       void* result) = nullptr;

    // What complete() makes of the above.
    std::vector<Slot> slots; ///< in the order of `variables`
    BlockLayout layout;
    std::string identifier; ///< a GUID that changes when anything above does
};

/// Adds the kit's variables and lays out instances. Throws std::logic_error when the declaration
/// makes no sense: a name used twice, states without derivatives().
void complete(ModelType& type);

} // namespace rubato::model
