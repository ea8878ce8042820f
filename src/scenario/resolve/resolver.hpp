// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/system.hpp>

#include <functional>
#include <string_view>
#include <unordered_map>

namespace rubato::scenario {

/// "unit.port -> unit.port"
std::string text_of(const Connection& connection);

/// Where things of one unit are found by name.
struct UnitIndex {
    std::unordered_map<std::string_view, std::uint32_t> variables; ///< index by name
    std::vector<std::optional<PortId>> ports; ///< by variable: its port, or its first element's
    std::vector<bool> is_split;               ///< by variable: its elements are ports of their own
};

/// What all stages of resolving share. Names are looked up in hash maps: resolving is linear in the
/// size of the scenario and the descriptions.
class Resolver {
public:
    Resolver(const Scenario& scenario, std::span<const UnitDescription> descriptions,
             Diagnostics& diagnostics, bool is_nested = false);

    const Scenario& scenario;
    std::span<const UnitDescription> descriptions;
    Diagnostics& diagnostics;
    bool is_nested; ///< as a unit of another
    System system;
    std::vector<UnitIndex> units;

    /// Whether the scenario shows `unit.variable` to the one that it is a unit of.
    bool is_exposed(std::vector<ExposedVariable> InterfaceSettings::*list,
                    const std::string& name) const;

    std::optional<UnitId> find_unit(std::string_view name) const;
    std::optional<std::uint32_t> find_variable(UnitId unit, std::string_view name) const;
    const Variable& variable(UnitId unit, std::uint32_t index) const {
        return descriptions[unit.value].variables[index];
    }
    const Unit& unit(UnitId id) const { return scenario.units[id.value]; }
    /// What a name means: a variable, or an element of an array.
    std::optional<VariablePart> find_part(UnitId unit, std::string_view name) const;
    /// Its ports: one, or those of all elements of an array that is split; none if it has none.
    std::vector<PortId> ports_of(UnitId unit, const VariablePart& part) const;
    /// The ports of that name and direction; empty: there are none.
    std::vector<PortId> find_ports(UnitId unit, std::string_view name, Direction direction) const;

    void report_unknown_unit(const Location& where, const std::string& name);
    /// `role` is what was looked for: "input", "parameter", …; only such variables are suggested.
    void report_unknown_variable(const Location& where, UnitId unit, const std::string& name,
                                 std::string_view role,
                                 const std::function<bool(const Variable&)>& has_role);

private:
    std::string hint(std::string_view name, std::span<const std::string> candidates,
                     std::string_view what);

    std::unordered_map<std::string_view, UnitId> unit_ids_;
    std::size_t suggestions_left_ = 100; // each costs a pass over the candidates
};

/// Whether a parameter may change during a run, so that a connection may lead to it.
bool is_tunable_parameter(const Variable& variable);

/// "an input", "a calculated parameter", "a constant": what a variable is, for messages.
std::string role_of(const Variable& variable);

/// `units "a", "b"`
std::string listed_units(const std::vector<std::string>& names);

/// How many elements an array has in each direction.
std::vector<std::uint64_t> sizes_of(const Variable& variable);

/// Why a variable that is an input or output cannot be a port, as in "is an array: …"; empty if it
/// can.
std::string_view obstacle_to_port(const Variable& variable);

/// What connections stand for, without those that are reported as wrong, and without those of ports
/// that the scenario itself declares to be clocked.
Wires resolve_links(Resolver& resolver, const std::vector<Connection>& connections);

/// The ports of clocks, after all others, and what they clock. Units without event mode have none.
void make_clocks(Resolver& resolver);
/// Whether a connection is one between clocks, of units that have them: one of its ends is a clock.
bool connects_clocks(const Resolver& resolver, const Connection& connection);
/// nullopt: it is wrong, which has been reported.
std::optional<Link> make_clock_link(Resolver& resolver, const Connection& connection);
/// Warns about clocks that will never tick.
void note_idle_clocks(Resolver& resolver);

/// The stages, each reporting what it finds wrong.
void check_declared(Resolver& resolver);
void check_interfaces(Resolver& resolver);
void split_arrays(Resolver& resolver);
void make_ports(Resolver& resolver);
void settle_contracts(Resolver& resolver);
void check_values(Resolver& resolver);
void make_links(Resolver& resolver);
void make_bonds(Resolver& resolver);
void make_configurations(Resolver& resolver);
void check_clocks(Resolver& resolver);
void check_experiment(const Scenario& scenario, bool is_nested, Diagnostics& diagnostics);
void check_algorithm(Resolver& resolver);
void check_loops(const Scenario& scenario, Diagnostics& diagnostics);
void check_step_control(Resolver& resolver);
/// What shortens steps.
void check_step_limits(Resolver& resolver);
/// What an order that adapts needs.
void check_order_control(Resolver& resolver);
/// Energies and losses that units declare.
void check_declared_energies(Resolver& resolver);
/// What federates of other tools see and feed.
void map_attributes(Resolver& resolver);
/// Steps of units that differ from those of the whole.
void check_own_steps(Resolver& resolver);
/// What ends steps where it happens.
void choose_watched(Resolver& resolver);
void choose_observed(Resolver& resolver);

/// The output that a condition is about, if it can be compared with a number; nullopt: it cannot,
/// which has been reported.
std::optional<PortId> find_compared(Resolver& resolver, const Condition& condition);

} // namespace rubato::scenario
