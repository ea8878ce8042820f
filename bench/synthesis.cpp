// SPDX-License-Identifier: Apache-2.0
#include "synthesis.hpp"

#include "measure.hpp"

#include <rubato/algorithm/verify.hpp>
#include <rubato/synthesis/synthesize.hpp>

#include <random>
#include <stdexcept>

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

} // namespace

SynthesisCost measure_synthesis(int units) {
    const System system = random_system(units);
    synthesis::Synthesis result;
    SynthesisCost cost{.units = units};
    cost.synthesis = seconds_of([&] { result = synthesis::synthesize(system, {}); });
    bool correct = false;
    cost.verification =
        seconds_of([&] { correct = algorithm::verify(system, result.algorithm).correct(); });
    if (!correct) throw std::logic_error("what was synthesized does not verify");
    return cost;
}

} // namespace rubato::bench
