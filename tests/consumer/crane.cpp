// SPDX-License-Identifier: Apache-2.0
#include <rubato/rubato.hpp>

#include <fmt/format.h>

int main() {
    auto scenario = rubato::load("crane.yaml");
    scenario.set("winch.speed", 2.0);
    rubato::Result result = rubato::run(scenario, {.stop = 10.0});
    std::span<const double> x = result["load.x"];
    fmt::print("load.x ends at {}\n{}\n", x.back(), result.trust().text());

    auto simulation = rubato::start(scenario); // or step by step
    while (simulation.step()) simulation.set("winch.u", -0.5 * simulation.get("load.x"));
}
