// SPDX-License-Identifier: Apache-2.0
#include <rubato/private/format.hpp>
#include <rubato/scenario/placement.hpp>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

namespace rubato::scenario {

namespace {

constexpr std::string_view prefix = "rank";

} // namespace

std::string rank_name(std::uint32_t rank) { return format("{}{}", prefix, rank); }

std::optional<std::uint32_t> named_rank(std::string_view machine) {
    if (!machine.starts_with(prefix)) return std::nullopt;
    const std::string_view digits = machine.substr(prefix.size());
    std::uint32_t rank = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), rank);
    const bool is_number = problem == std::errc{} && end == digits.data() + digits.size();
    if (!is_number || rank_name(rank) != machine) return std::nullopt;
    return rank;
}

bool are_ranks(const std::vector<Machine>& machines) {
    return !machines.empty() && std::ranges::all_of(machines, [](const Machine& machine) {
        return named_rank(machine.name).has_value();
    });
}

std::uint32_t rank_of_machine(const Scenario& scenario, std::size_t machine) {
    if (!are_ranks(scenario.machines)) return static_cast<std::uint32_t>(machine);
    return *named_rank(scenario.machines[machine].name);
}

void place(std::vector<Machine>& machines, std::span<const PlacedUnit> units) {
    std::set<std::string_view> moved;
    for (const PlacedUnit& placed : units) moved.insert(placed.unit);
    std::map<std::uint32_t, Machine> by_rank;
    for (Machine& machine : machines) {
        std::erase_if(machine.units, [&](const std::string& unit) { return moved.contains(unit); });
        if (!machine.units.empty())
            by_rank[named_rank(machine.name).value_or(0)] = std::move(machine);
    }
    for (const PlacedUnit& placed : units) {
        Machine& machine = by_rank[placed.rank];
        if (machine.units.empty()) machine = {rank_name(placed.rank), {}, placed.where};
        machine.units.push_back(placed.unit);
    }
    machines.clear();
    for (auto& [rank, machine] : by_rank) machines.push_back(std::move(machine));
}

} // namespace rubato::scenario
