// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/core/id.hpp>
#include <rubato/core/time.hpp>
#include <rubato/scenario/description.hpp>
#include <rubato/scenario/scenario.hpp>

#include <optional>
#include <span>
#include <vector>

namespace rubato::scenario {

/// Source of a contract.
enum class Origin {
    scenario,          ///< the scenario file
    model_description, ///< the unit's own description
    recipe,            ///< the algorithm chosen
    assumed,           ///< nobody: the careful assumption
};
std::string_view to_string(Origin origin);

enum class Direction { input, output };

/// An input or an output of a unit, or an element of one, with its contract.
struct Port {
    UnitId unit;
    std::uint32_t variable = 0; ///< index into the unit's description
    Direction direction = Direction::input;
    std::string name;
    ValueType type = ValueType::float64;
    ValueRef reference = 0;
    bool is_continuous = true; ///< a real that changes between events, too
    Origin variability_origin = Origin::model_description;
    Part part;      ///< of its variable: all, or an element where elements are connected singly
    Location where; ///< of what the scenario says of it, else of its unit
    /// Clocks of the same unit, one of which must tick for it to be exchanged; empty: it is not
    /// clocked.
    std::vector<PortId> clocks;
    bool is_timed = false; ///< an input clock that time drives

    // Inputs.
    Reactivity reactivity = Reactivity::delayed;
    Origin reactivity_origin = Origin::assumed;
    Approximation approximation = Approximation::constant;
    Join join = Join::jump;

    // Outputs.
    std::vector<PortId> feedthrough;         ///< inputs of the same unit
    std::vector<PortId> feedthrough_initial; ///< the same, during initialization
    Origin feedthrough_origin = Origin::assumed;
    double nominal = 1;                       ///< magnitude: scales the algorithm's tolerance
    std::optional<double> absolute_tolerance; ///< of its own, not scaled
    std::optional<double> relative_tolerance;

    bool is_clock() const { return type == ValueType::clock; }
};

struct Link {
    PortId from, to;
    double factor = 1;
    double offset = 0;
    std::optional<TypeConversion> to_type = {}; ///< after factor and offset; none: as it is
    double threshold = 0;                       ///< of TypeConversion::threshold
};

/// How a link turns a value into one of another kind: "true is 1", "rounded", "> 0.5"; empty: it
/// carries the kind of value that its target takes.
std::string type_conversion_text(const Link& link, ValueType from, ValueType to);

/// Power between two units: the sum over its parts of effort times flow.
struct Bond {
    struct Part {
        Link effort, flow; ///< between the same two units, in opposite directions
        double factor = 1; ///< makes the product of the outputs a power [W, where units are known]
    };
    std::string name;
    std::vector<Part> parts;  ///< more than one where the elements of arrays are connected singly
    bool is_measured = false; ///< the units of measure are known
};

/// What connections stand for.
struct Wires {
    std::vector<Link> links;       ///< carry values in steps, and at events
    std::vector<Link> event_links; ///< carry values at events only
    std::vector<Link> clock_links; ///< when the output clock ticks, so does the input clock
};

struct SystemUnit {
    std::string name;
    Location where;
    bool can_reject_step = false;
    Origin can_reject_origin = Origin::assumed;
    bool can_roll_back = false;
    bool has_event_mode = false; ///< handles its events together with other units
    std::vector<PortId> inputs, outputs;
    std::vector<PortId> clocks; ///< of a unit with event mode; none of them is among the others
};

/// A variable to record, or an element of one.
struct Observed {
    UnitId unit;
    std::uint32_t variable = 0; ///< index into the unit's description
    Part part;                  ///< one element
    std::string name;           ///< "x1", "A[2,1]"
};

/// A number that an output is compared with.
struct Comparison {
    PortId output;
    Relation relation = Relation::equals;
    double value = 1;
};

/// By how much an output, or the difference of two, may change in a step: by no more than
/// `absolute + relative · magnitude`.
struct LimitedChange {
    PortId output;
    std::optional<PortId> minus;
    double absolute = 0, relative = 0;
};

/// What makes an event of a step: an output that changes, or a comparison that does.
struct Watched {
    PortId output;
    std::optional<Comparison> crossing;
};

/// Contracts and connections that hold for a while, and the step procedure that keeps them.
struct Configuration {
    struct Contract {
        PortId input;
        Reactivity reactivity = Reactivity::delayed;
    };
    struct Feedthrough {
        PortId output;
        std::vector<PortId> inputs;
    };
    std::string name;
    std::string procedure;                     ///< name of its step procedure
    std::vector<Contract> contracts;           ///< of the inputs that differ between configurations
    std::vector<Feedthrough> feedthrough = {}; ///< of the outputs that differ, during steps
    std::vector<Link> links;
    std::vector<Link> event_links;
    std::vector<Link> clock_links;

    /// When it is in force; with both, when both hold, and with neither if it is the first and no
    /// other is.
    std::optional<Time> from;
    std::optional<Comparison> when;
};

/// A scenario with every name resolved against the units' descriptions: what algorithms are made
/// for.
/// A port as an attribute that federates of other tools see (an output) or feed (an input).
struct HlaPort {
    PortId port;
    std::string object_class; ///< "Vehicle.Car"
    std::string instance, attribute;
    HlaEncoding encoding = HlaEncoding::float64_be;
};

struct System {
    std::vector<SystemUnit> units;
    std::vector<Port> ports;
    std::vector<Link> links;
    std::vector<Link> event_links; ///< carry values at events only, not in steps
    std::vector<Link> clock_links; ///< when the output clock ticks, so does the input clock
    std::vector<Bond> bonds;
    std::vector<Watched> watched;
    bool ends_steps_at_events = false; ///< of units, and of what is watched: all can go back
    bool predicts_crossings = false;   ///< steps are shortened towards crossings before them
    std::vector<LimitedChange> limited_changes;
    std::vector<Observed> observed;
    std::vector<HlaPort> hla_outputs, hla_inputs;
    int largest_step = 1; ///< in ticks: for what is verified, steps come in 1 … largest_step
    std::vector<Configuration> configurations; ///< empty: contracts and links never change

    const SystemUnit& unit(UnitId id) const { return units[id.value]; }
    const Port& port(PortId id) const { return ports[id.value]; }
    Port& port(PortId id) { return ports[id.value]; }
    /// "msd1.x1"
    std::string name_of(PortId id) const { return unit(port(id).unit).name + "." + port(id).name; }
};

/// Outputs that are looked at after each step: those that are watched, then those of the limited
/// changes, each with the one that is taken off it.
std::vector<PortId> watched_outputs(const System& system);

/// A value as variables of a type hold it: an integer becomes a real where one is wanted. nullopt:
/// it does not fit, in kind or in range.
std::optional<Value> convert(const Value& value, ValueType type);
/// The same for one variable: of an enumeration the name of an item means its value.
std::optional<Value> convert(const Value& value, const Variable& variable);

/// The values that a variable is given: one, or those of all elements of an array.
struct AssignedVariable {
    std::uint32_t variable = 0; ///< index into the unit's description
    std::vector<Value> values;
};

/// What assignments that `resolve` has found in order come to, in their order. Elements of an array
/// that none of them names keep the values they start with.
std::vector<AssignedVariable> assigned_variables(const UnitDescription& description,
                                                 const std::vector<Assignment>& assignments);

/// Gives arrays the sizes that structural parameters are assigned. Where one changes, start values
/// that differ between elements are forgotten.
void settle_dimensions(UnitDescription& description, const std::vector<Assignment>& parameters);

/// The system as it is in one of its configurations (which it then has no more).
System in_configuration(const System& system, const Configuration& configuration);

/// The first configuration that connects the same inputs in the same way as the n-th.
std::size_t first_with_connections_of(const System& system, std::size_t n);

/// Whether something may happen at which all values are to be exchanged anew: a unit has event
/// mode, outputs are watched, or connections change.
bool has_events(const System& system);

/// What is known of a unit that is only declared: its inputs and outputs, all of them real. It is
/// assumed that its state can be saved and restored, since nothing says that it cannot.
UnitDescription declared_description(const Unit& unit);

/// What the columns of a table hold: as the scenario says, else as the inputs want it that they
/// feed; columns of which neither is known are left out. `descriptions` are those of
/// `scenario.units`, in their order; those of tables are not looked at.
std::vector<TableColumn> settled_columns(const Scenario& scenario, const Unit& table,
                                         std::span<const UnitDescription> descriptions);

/// The scenario with what resolving has settled written into it: the contracts of all ports, and
/// which units may reject a step.
Scenario with_contracts(Scenario scenario, const System& system);

/// Resolves names, settles contracts and checks everything that can be checked without running:
/// unknown units and ports, types, two sources for one input, values out of range. Problems go to
/// `diagnostics`, all of them; with errors among them the result is not to be used.
/// `descriptions` are those of `scenario.units`, in their order. Connections of clocked variables,
/// and those to discrete inputs of units with event mode, are event links. Connections of ports
/// that the scenario itself declares to be clocked are none. `is_nested`: the scenario is a unit of
/// another, which may feed inputs that nothing is connected to.
System resolve(const Scenario& scenario, std::span<const UnitDescription> descriptions,
               Diagnostics& diagnostics, bool is_nested = false);

} // namespace rubato::scenario
