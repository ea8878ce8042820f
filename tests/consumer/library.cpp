// SPDX-License-Identifier: Apache-2.0
#include <rubato/rubato.hpp>

#include <fmt/format.h>

int main() {
    auto scenario = rubato::load("examples/coupled-msd/minimal.yaml");
    scenario.set("msd1.c1", 8.0);
    rubato::Result result = rubato::run(scenario, {.stop = 20.0});
    fmt::print("x1 ends at {} m\n{}\n", result["msd1.x1"].back(), result.trust().text());

    auto simulation = rubato::start(scenario); // or step by step
    while (simulation.step()) fmt::print("{}\n", simulation.get("msd1.x1"));
}
