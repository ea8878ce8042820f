// SPDX-License-Identifier: Apache-2.0
// What couples units besides connections: constraints, and machines.
#include "yaml_coupling.hpp"

#include "yaml_parts.hpp"
#include "yaml_settings.hpp"

#include <rubato/scenario/placement.hpp>

#include <algorithm>
#include <cmath>

namespace rubato::scenario::formats {

namespace {

constexpr std::string_view constraint_form =
    "write {equal: [left.x, right.x], by: {left.F: 1, right.F: -1}}";

/// `[left.x, right.x]`
void read_level(Reporter& reporter, const std::string& path, const Node& node,
                Constraint& constraint, const std::string& name) {
    const auto outputs = read_as<std::vector<std::string>>(reporter, path, node);
    if (!outputs) return;
    if (outputs->size() != 2) {
        reporter.error(node.mark, format("{} names {} outputs", path, outputs->size()),
                       "a constraint makes two outputs equal: [left.x, right.x]; for more, write "
                       "one constraint for each pair");
        return;
    }
    for (const std::string& output : *outputs)
        if (!split_port_name(output))
            reporter.error(node.mark, format("\"{}\" names no output of a unit", output),
                           "write unit.output");
    constraint.levels.push_back({name, outputs->at(0), outputs->at(1)});
}

void read_levels(Reporter& reporter, const std::string& path, const Entry& entry,
                 Constraint& constraint) {
    constraint.levels.clear();
    if (entry.value.kind == Kind::sequence) {
        read_level(reporter, path, entry.value, constraint, {});
        return;
    }
    for (const Entry* level : entries_of(reporter, path, entry.value))
        read_level(reporter, path + "." + level->key, level->value, constraint, level->key);
}

void read_effects(Reporter& reporter, const std::string& path, const Entry& entry,
                  Constraint& constraint) {
    constraint.by.clear();
    for (const Entry* effect : entries_of(reporter, path, entry.value)) {
        const auto factor = read_as<double>(reporter, path + "." + effect->key, effect->value);
        if (!split_port_name(effect->key))
            reporter.error(effect->mark, format("\"{}\" names no input of a unit", effect->key),
                           "write unit.input: factor");
        if (!factor) continue;
        if (!std::isfinite(*factor) || *factor == 0)
            reporter.error(effect->mark, format("{}.{} is {}: the factor must be finite and not 0",
                                                path, effect->key, effect->value.text));
        constraint.by.push_back({effect->key, *factor});
    }
}

void read_gain(Reporter& reporter, const std::string& path, const Entry& entry,
               Constraint& constraint) {
    constraint.gain.clear();
    for (const Node& item : items_of(reporter, path, entry.value))
        if (const auto number = read_as<double>(reporter, path, item))
            constraint.gain.push_back(*number);
}

void update_constraint(Reporter& reporter, const std::string& path, const Entry& entry,
                       Constraint& constraint) {
    MapReader map(reporter, path, entry.value);
    if (const Entry* equal = map.find("equal"))
        read_levels(reporter, map.path_of("equal"), *equal, constraint);
    if (const Entry* by = map.find("by"))
        read_effects(reporter, map.path_of("by"), *by, constraint);
    if (const auto method = map.read<ConstraintMethod>("method")) constraint.method = method;
    if (const auto time = map.read<double>("time-constant")) {
        constraint.time_constant = time;
        if (!std::isfinite(*time) || *time <= 0)
            reporter.error(map.find("time-constant")->mark,
                           format("{}.time-constant is {}: it must be positive [s]", path,
                                  map.find("time-constant")->value.text));
    }
    if (const auto degree = map.read<int>("degree")) constraint.degree = degree;
    if (const Entry* gain = map.find("gain"))
        read_gain(reporter, map.path_of("gain"), *gain, constraint);
    map.report_unknown_keys();
    if (!map.find("equal") && constraint.levels.empty())
        reporter.error(entry.mark, format("{} does not say what is to be equal", path),
                       std::string(constraint_form));
    if (constraint.by.empty())
        reporter.error(entry.mark, format("{} has no inputs to keep the outputs equal by", path),
                       std::string(constraint_form));
}

std::string list_of(const std::vector<double>& numbers) {
    std::vector<std::string> texts;
    for (const double number : numbers) texts.push_back(to_yaml(number));
    return format("[{}]", fmt::join(texts, ", "));
}

std::string pair_of(const Constraint::Level& level) {
    return to_yaml(std::vector<std::string>{level.first, level.second});
}

void write_constraint(Lines& lines, int depth, const Constraint& constraint) {
    lines.add(depth, to_yaml(constraint.name));
    const bool is_single = constraint.levels.size() == 1 && constraint.levels[0].name.empty();
    lines.add(depth + 1, "equal", is_single ? pair_of(constraint.levels[0]) : "");
    for (const Constraint::Level& level : constraint.levels)
        if (!is_single) lines.add(depth + 2, to_yaml(level.name), pair_of(level));
    std::vector<std::string> effects;
    for (const Constraint::Effect& effect : constraint.by)
        effects.push_back(format("{}: {}", to_yaml(effect.input), to_yaml(effect.factor)));
    lines.add(depth + 1, "by", format("{{{}}}", fmt::join(effects, ", ")));
    if (constraint.method) lines.add(depth + 1, "method", to_yaml(*constraint.method));
    if (constraint.time_constant)
        lines.add(depth + 1, "time-constant", to_yaml(*constraint.time_constant));
    if (constraint.degree) lines.add(depth + 1, "degree", to_yaml(*constraint.degree));
    if (!constraint.gain.empty()) lines.add(depth + 1, "gain", list_of(constraint.gain));
}

} // namespace

void update_constraints(Reporter& reporter, const std::string& path, const Entry& section,
                        std::vector<Constraint>& constraints) {
    update_named(reporter, path, section.value, constraints, &Constraint::name,
                 [&](const Entry& entry, Constraint& constraint) {
                     check_unit_name(reporter, entry);
                     update_constraint(reporter, path + "." + entry.key, entry, constraint);
                 });
}

void update_machines(Reporter& reporter, const Entry& section, std::vector<Machine>& machines) {
    update_named(reporter, "machines", section.value, machines, &Machine::name,
                 [&](const Entry& entry, Machine& machine) {
                     check_unit_name(reporter, entry);
                     const std::string path = "machines." + entry.key;
                     auto units = read_as<std::vector<std::string>>(reporter, path, entry.value);
                     if (units) machine.units = std::move(*units);
                 });
}

void update_placement(Reporter& reporter, const Entry& section, std::vector<Machine>& machines) {
    if (!machines.empty() && !are_ranks(machines)) {
        reporter.error(section.mark, "there are machines, which are placed already",
                       "give machines or placement: units of the first machine are on rank 0");
        return;
    }
    if (!section.value.is_path) machines.clear();
    std::vector<PlacedUnit> placed;
    for (const Entry* entry : entries_of(reporter, "placement", section.value)) {
        const std::string path = "placement." + entry->key;
        const auto rank = read_as<int>(reporter, path, entry->value);
        if (rank && *rank < 0)
            reporter.error(entry->value.mark, format("{} is {}", path, *rank),
                           "ranks count from 0");
        else if (rank)
            placed.push_back(
                {entry->key, static_cast<std::uint32_t>(*rank), reporter.locate(entry->mark)});
    }
    place(machines, placed);
}

void write_constraints(Lines& lines, int depth, std::string_view key,
                       const std::vector<Constraint>& constraints) {
    if (!constraints.empty()) lines.add(depth, key);
    for (const Constraint& constraint : constraints) write_constraint(lines, depth + 1, constraint);
}

void write_machines(Lines& lines, const std::vector<Machine>& machines) {
    if (are_ranks(machines)) {
        lines.add(0, "placement");
        for (const Machine& machine : machines)
            for (const std::string& unit : machine.units)
                lines.add(1, to_yaml(unit), to_yaml(static_cast<int>(*named_rank(machine.name))));
        return;
    }
    if (!machines.empty()) lines.add(0, "machines");
    for (const Machine& machine : machines)
        lines.add(1, to_yaml(machine.name), to_yaml(machine.units));
}

} // namespace rubato::scenario::formats
