// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/scenario.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Machines are processes of a distributed run. The section `machines` names them: they are the
/// ranks 0, 1, … in their order. The section `placement` gives ranks: its machines are called
/// "rank0", "rank7".
namespace rubato::scenario {

/// The name of the machine that has a rank.
std::string rank_name(std::uint32_t rank);
/// nullopt: it is the name of no rank.
std::optional<std::uint32_t> named_rank(std::string_view machine);

/// Whether the machines are those of a section `placement`.
bool are_ranks(const std::vector<Machine>& machines);
/// The rank of a machine of the scenario, by its place in `machines`.
std::uint32_t rank_of_machine(const Scenario& scenario, std::size_t machine);

struct PlacedUnit {
    std::string unit;
    std::uint32_t rank = 0;
    Location where;
};
/// Puts units on ranks, from wherever they were. Machines are in the order of their ranks.
void place(std::vector<Machine>& machines, std::span<const PlacedUnit> units);

} // namespace rubato::scenario
