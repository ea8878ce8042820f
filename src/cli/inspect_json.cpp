// SPDX-License-Identifier: Apache-2.0
#include "inspect_json.hpp"

#include "platform.hpp"

#include <rubato/core/text.hpp>

#include <nlohmann/json.hpp>

namespace rubato::cli {
namespace {

using Json = nlohmann::ordered_json;
using scenario::UnitDescription;

Json interfaces_json(const UnitDescription& description) {
    Json json = Json::array();
    for (const scenario::Interface interface : description.interfaces)
        json.push_back(to_string(interface));
    return json;
}

Json capabilities_json(const scenario::Capabilities& can) {
    return {{"variable-step", can.variable_step},
            {"snapshots", can.snapshots},
            {"serialization", can.serialization},
            {"may-return-early", can.may_return_early},
            {"event-mode", can.event_mode},
            {"intermediate-outputs", can.intermediate_outputs},
            {"directional-derivatives", can.directional_derivatives},
            {"input-derivatives", can.input_derivatives},
            {"output-derivatives", can.output_derivatives},
            {"one-instance-per-process", can.one_instance_per_process},
            {"needs-execution-tool", can.needs_execution_tool}};
}

Json experiment_json(const scenario::DefaultExperiment& experiment) {
    Json json = Json::object();
    if (experiment.start) json["start"] = *experiment.start;
    if (experiment.stop) json["stop"] = *experiment.stop;
    if (experiment.step) json["step"] = *experiment.step;
    if (experiment.tolerance) json["tolerance"] = *experiment.tolerance;
    return json;
}

/// Binary values as hexadecimal digits, since they may not be valid text.
Json value_json(const Value& value, ValueType type) {
    if (type != ValueType::binary)
        return std::visit([](const auto& held) { return Json(held); }, value);
    return in_hexadecimal(std::get<std::string>(value));
}

/// null: the FMU does not declare them.
Json names_json(const UnitDescription& description,
                const std::optional<std::vector<std::uint32_t>>& indices) {
    if (!indices) return nullptr;
    Json names = Json::array();
    for (const std::uint32_t index : *indices)
        names.push_back(description.variables.at(index).name);
    return names;
}

Json clock_json(const ClockAttributes& clock) {
    Json json = {{"kind", to_string(clock.kind)}};
    if (clock.period) {
        json["interval"] = clock.period->interval;
        json["shift"] = clock.period->shift;
    }
    return json;
}

Json variable_json(const UnitDescription& description, const scenario::Variable& variable) {
    Json json = {{"name", variable.name},
                 {"description", variable.description},
                 {"type", to_string(variable.type)},
                 {"causality", to_string(variable.causality)},
                 {"variability", to_string(variable.variability)},
                 {"initial", to_string(variable.initial)},
                 {"unit", variable.unit},
                 {"reference", variable.reference},
                 {"dimensions", Json::array()}};
    for (const scenario::Dimension& dimension : variable.dimensions)
        json["dimensions"].push_back(dimension.size);
    if (variable.clock) json["clock"] = clock_json(*variable.clock);
    if (!variable.clocks.empty()) json["clocks"] = names_json(description, variable.clocks);
    if (variable.items)
        for (const scenario::EnumerationItem& item : *variable.items)
            json["items"].push_back({{"name", item.name}, {"value", item.value}});
    if (variable.start) json["start"] = value_json(*variable.start, variable.type);
    for (const Value& element : variable.start_elements)
        json["start"].push_back(value_json(element, variable.type));
    return json;
}

Json structure_json(const UnitDescription& description) {
    Json structure = Json::array();
    for (const scenario::Dependencies& entry : description.dependencies)
        structure.push_back({{"output", description.variables.at(entry.output).name},
                             {"step", names_json(description, entry.step)},
                             {"initial", names_json(description, entry.initial)}});
    return structure;
}

} // namespace

std::string to_json(const UnitDescription& description) {
    Json json = {{"model", description.model},
                 {"kind", description.kind},
                 {"interfaces", interfaces_json(description)},
                 {"description", description.description},
                 {"generation-tool", description.generation_tool},
                 {"identifier", description.identifier},
                 {"platforms", description.platforms},
                 {"runs-here", runs_here(description)},
                 {"capabilities", capabilities_json(description.capabilities)},
                 {"default-experiment", experiment_json(description.default_experiment)},
                 {"variables", Json::array()},
                 {"structure", structure_json(description)}};
    for (const scenario::Variable& variable : description.variables)
        json["variables"].push_back(variable_json(description, variable));
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

} // namespace rubato::cli
