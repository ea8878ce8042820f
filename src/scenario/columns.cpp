// SPDX-License-Identifier: Apache-2.0
#include <rubato/scenario/system.hpp>

#include <algorithm>

namespace rubato::scenario {

namespace {

/// `given` is what the scenario says of it.
ColumnKind kind_for(const Variable& input, std::optional<Variability> given) {
    switch (storage_of(input.type)) {
    case Storage::real:
        return given.value_or(input.variability) == Variability::continuous ? ColumnKind::continuous
                                                                            : ColumnKind::discrete;
    case Storage::integer:
        return input.type == ValueType::uint64 ? ColumnKind::large_integer : ColumnKind::integer;
    case Storage::boolean: return ColumnKind::boolean;
    case Storage::string: break;
    }
    return input.type == ValueType::binary ? ColumnKind::binary : ColumnKind::string;
}

const Variable* find_target(const Scenario& scenario, const Connection& connection,
                            std::span<const UnitDescription> descriptions) {
    const auto unit = std::ranges::find(scenario.units, connection.to_unit, &Unit::name);
    if (unit == scenario.units.end() || std::holds_alternative<TableFile>(unit->origin))
        return nullptr;
    const auto& description = descriptions[static_cast<std::size_t>(unit - scenario.units.begin())];
    const auto part =
        find_part(description.variables, connection.to_port,
                  [&](std::string_view name) { return description.find_variable(name); });
    return part ? &description.variables[part->variable] : nullptr;
}

std::optional<Variability> told_variability(const Scenario& scenario,
                                            const Connection& connection) {
    const auto unit = std::ranges::find(scenario.units, connection.to_unit, &Unit::name);
    const auto input = std::ranges::find(unit->inputs, connection.to_port, &InputSettings::name);
    return input == unit->inputs.end() ? std::nullopt : input->variability;
}

} // namespace

std::vector<TableColumn> settled_columns(const Scenario& scenario, const Unit& table,
                                         std::span<const UnitDescription> descriptions) {
    std::vector<TableColumn> columns = std::get<TableFile>(table.origin).columns;
    const auto settle = [&](const std::vector<Connection>& connections) {
        for (const Connection& connection : connections) {
            if (connection.from_unit != table.name || connection.to_type) continue;
            const auto known = std::ranges::find(columns, connection.from_port, &TableColumn::name);
            if (known != columns.end()) continue;
            if (const Variable* input = find_target(scenario, connection, descriptions))
                columns.push_back({connection.from_port,
                                   kind_for(*input, told_variability(scenario, connection)),
                                   connection.where});
        }
    };
    settle(scenario.connections);
    for (const ConfigurationSettings& configuration : scenario.configurations)
        settle(configuration.connections);
    return columns;
}

} // namespace rubato::scenario
