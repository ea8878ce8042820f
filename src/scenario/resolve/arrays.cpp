// SPDX-License-Identifier: Apache-2.0
#include "resolver.hpp"

namespace rubato::scenario {

namespace {

/// Finds the arrays of which a scenario names single elements. What an array is connected to as a
/// whole goes with it, so that every port has one source.
class Splitting {
public:
    explicit Splitting(Resolver& resolver) : resolver_(resolver) {}

    void run() {
        for (std::size_t u = 0; u < resolver_.scenario.units.size(); ++u)
            mark_named(nth<UnitId>(u), resolver_.scenario.units[u]);
        mark_ends(resolver_.scenario.connections);
        for (const ConfigurationSettings& configuration : resolver_.scenario.configurations) {
            mark_ends(configuration.connections);
            for (const auto& contract : configuration.contracts)
                mark(contract.unit, contract.input);
            if (configuration.when) mark(configuration.when->unit, configuration.when->output);
        }
        bool spreads = any_;
        while (spreads) {
            spreads = spread(resolver_.scenario.connections);
            for (const ConfigurationSettings& configuration : resolver_.scenario.configurations)
                spreads = spread(configuration.connections) || spreads;
        }
    }

private:
    void mark_named(UnitId id, const Unit& unit) {
        for (const InputSettings& input : unit.inputs) mark(id, input.name);
        for (const OutputSettings& output : unit.outputs) {
            mark(id, output.name);
            for (const auto* names : {&output.feedthrough, &output.feedthrough_initial}) {
                if (!*names) continue;
                for (const std::string& name : **names) mark(id, name);
            }
        }
    }

    void mark_ends(const std::vector<Connection>& connections) {
        for (const Connection& connection : connections) {
            mark(connection.from_unit, connection.from_port);
            mark(connection.to_unit, connection.to_port);
        }
    }

    void mark(const std::string& unit, const std::string& port) {
        if (const auto id = resolver_.find_unit(unit)) mark(*id, port);
    }

    void mark(UnitId unit, const std::string& port) {
        if (!port.ends_with(']')) return;
        const auto part = resolver_.find_part(unit, port);
        if (!part || !part->element) return;
        resolver_.units[unit.value].is_split[part->variable] = true;
        any_ = true;
    }

    /// The flag of an array that a connection names as a whole.
    std::optional<std::vector<bool>::reference> flag_of(const std::string& unit,
                                                        const std::string& port) {
        const auto id = resolver_.find_unit(unit);
        const auto variable = id ? resolver_.find_variable(*id, port) : std::nullopt;
        if (!variable || !resolver_.variable(*id, *variable).is_array()) return std::nullopt;
        return resolver_.units[id->value].is_split[*variable];
    }

    bool spread(const std::vector<Connection>& connections) {
        bool changed = false;
        for (const Connection& connection : connections) {
            auto from = flag_of(connection.from_unit, connection.from_port);
            auto to = flag_of(connection.to_unit, connection.to_port);
            if (!from || !to || *from == *to) continue;
            *from = *to = true;
            changed = true;
        }
        return changed;
    }

    Resolver& resolver_;
    bool any_ = false;
};

} // namespace

void split_arrays(Resolver& resolver) { Splitting(resolver).run(); }

} // namespace rubato::scenario
