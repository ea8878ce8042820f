// SPDX-License-Identifier: Apache-2.0
#include "synthesis.hpp"

#include "measure.hpp"

#include <rubato/algorithm/verify.hpp>
#include <rubato/synthesis/recipe.hpp>

#include <random>
#include <stdexcept>
#include <utility>

namespace rubato::bench {

namespace {

using scenario::Direction;
using scenario::Port;
using scenario::Reactivity;
using scenario::System;

constexpr std::uint32_t inputs_per_unit = 5;
constexpr std::uint32_t ports_per_unit = inputs_per_unit + 1;

PortId output_of(std::uint32_t unit) { return {unit * ports_per_unit + inputs_per_unit}; }

void add_unit(System& system, std::mt19937& random) {
    const auto unit = static_cast<std::uint32_t>(system.units.size());
    system.units.push_back({.name = "u" + std::to_string(unit), .can_roll_back = true});
    for (std::uint32_t i = 0; i < ports_per_unit; ++i) {
        Port port;
        port.unit = {unit};
        port.name = i < inputs_per_unit ? "i" + std::to_string(i) : "o";
        port.direction = i < inputs_per_unit ? Direction::input : Direction::output;
        port.reactivity = random() % 10 == 0 ? Reactivity::reactive : Reactivity::delayed;
        system.ports.push_back(port);
        auto& own = system.units.back();
        (i < inputs_per_unit ? own.inputs : own.outputs).push_back({unit * ports_per_unit + i});
    }
    if (random() % 3 != 0) return;
    const PortId fed_by{unit * ports_per_unit +
                        static_cast<std::uint32_t>(random() % inputs_per_unit)};
    system.ports.back().feedthrough = system.ports.back().feedthrough_initial = {fed_by};
}

System random_system(int units) {
    std::mt19937 random(1); // NOLINT(cert-msc51-cpp): the same system every time
    System system;
    for (int i = 0; i < units; ++i) add_unit(system, random);
    for (std::uint32_t unit = 0; unit < system.units.size(); ++unit) {
        for (std::uint32_t i = 0; i < inputs_per_unit; ++i) {
            const auto other = 1 + random() % (system.units.size() - 1);
            const auto source = static_cast<std::uint32_t>((unit + other) % system.units.size());
            system.links.push_back({output_of(source), {unit * ports_per_unit + i}});
        }
    }
    return system;
}

using Couplings = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// Units with one output and an input for each coupling to them.
System coupled(std::uint32_t units, const Couplings& couplings, Reactivity reactivity,
               bool feedthrough) {
    System system;
    const auto add = [&](std::uint32_t unit, Direction direction) {
        const PortId id = nth<PortId>(system.ports.size());
        Port port;
        port.unit = {unit};
        port.name = "p" + std::to_string(id.value);
        port.direction = direction;
        port.reactivity = reactivity;
        system.ports.push_back(port);
        auto& own = system.units[unit];
        (direction == Direction::input ? own.inputs : own.outputs).push_back(id);
        return id;
    };
    for (std::uint32_t unit = 0; unit < units; ++unit) {
        system.units.push_back({.name = "u" + std::to_string(unit), .can_roll_back = true});
        add(unit, Direction::output);
    }
    for (const auto& [from, to] : couplings) {
        const PortId input = add(to, Direction::input);
        system.links.push_back({{from}, input});
        if (!feedthrough) continue;
        system.ports[to].feedthrough.push_back(input);
        system.ports[to].feedthrough_initial.push_back(input);
    }
    return system;
}

Couplings hub(std::uint32_t units) {
    Couplings result;
    for (std::uint32_t unit = 1; unit < units; ++unit) {
        result.push_back({0, unit});
        result.push_back({unit, 0});
    }
    return result;
}

Couplings ring(std::uint32_t units) {
    Couplings result;
    for (std::uint32_t unit = 0; unit < units; ++unit) {
        result.push_back({unit, (unit + 1) % units});
        result.push_back({(unit + 1) % units, unit});
    }
    return result;
}

Couplings grid(std::uint32_t side) {
    Couplings result;
    const auto both_ways = [&](std::uint32_t a, std::uint32_t b) {
        result.push_back({a, b});
        result.push_back({b, a});
    };
    for (std::uint32_t row = 0; row < side; ++row) {
        for (std::uint32_t column = 0; column + 1 < side; ++column) {
            both_ways(row * side + column, row * side + column + 1);
            both_ways(column * side + row, (column + 1) * side + row);
        }
    }
    return result;
}

/// A ring one way round and two random couplings a unit.
Couplings sparse(std::uint32_t units) {
    std::mt19937 random(1); // NOLINT(cert-msc51-cpp): the same system every time
    Couplings result;
    for (std::uint32_t unit = 0; unit < units; ++unit) {
        result.push_back({unit, (unit + 1) % units});
        for (int n = 0; n < 2; ++n) {
            const auto other = static_cast<std::uint32_t>(1 + random() % (units - 1));
            result.push_back({unit, (unit + other) % units});
        }
    }
    return result;
}

SynthesisCost measure(std::string name, const System& system, scenario::Recipe recipe) {
    SynthesisCost cost{std::move(name), system.units.size(), system.links.size()};
    scenario::AlgorithmSettings settings;
    settings.recipe = recipe;
    Diagnostics diagnostics;
    synthesis::Orchestration result;
    cost.synthesis =
        seconds_of([&] { result = synthesis::orchestrate(system, settings, diagnostics); });
    bool correct = false;
    cost.verification =
        seconds_of([&] { correct = algorithm::verify(result.system, result.algorithm).correct(); });
    if (!correct) throw std::logic_error("what was synthesized does not verify");
    return cost;
}

} // namespace

std::vector<SynthesisCost> measure_synthesis() {
    using scenario::Recipe;
    std::vector<SynthesisCost> costs;
    for (const int units : {100, 1000, 10'000})
        costs.push_back(measure("random", random_system(units), Recipe::synthesized));
    for (const std::uint32_t units : {10'000U, 100'000U}) {
        costs.push_back(measure("hub with feed-through",
                                coupled(units, hub(units), Reactivity::delayed, true),
                                Recipe::synthesized));
        const std::uint32_t side = units == 10'000U ? 100 : 316;
        costs.push_back(measure("grid, reactive",
                                coupled(side * side, grid(side), Reactivity::reactive, false),
                                Recipe::synthesized));
        costs.push_back(measure("sparse, gauss-seidel",
                                coupled(units, sparse(units), Reactivity::delayed, false),
                                Recipe::gauss_seidel));
        costs.push_back(measure("ring, adaptive-gauss-seidel",
                                coupled(units, ring(units), Reactivity::delayed, false),
                                Recipe::adaptive_gauss_seidel));
    }
    return costs;
}

} // namespace rubato::bench
