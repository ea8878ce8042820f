// SPDX-License-Identifier: Apache-2.0
#include <rubato/pipeline/probe.hpp>

#include <algorithm>
#include <iterator>

namespace rubato::pipeline {

using engine::Simulation;
using probe::Obstacle;
using probe::Probing;
using probe::Refusal;

namespace {

bool is_known(const Probing& probing, const Obstacle& obstacle) {
    return std::ranges::any_of(probing.obstacles, [&](const Obstacle& known) {
        return known.kind == obstacle.kind && known.unit == obstacle.unit &&
               known.port == obstacle.port;
    });
}

/// The later of two probings added to the earlier. If the later reached its end, so did both.
void append(Probing& probing, Probing later) {
    std::ranges::move(later.instants, std::back_inserter(probing.instants));
    std::ranges::move(later.influences, std::back_inserter(probing.influences));
    for (Obstacle& obstacle : later.obstacles) {
        if (!is_known(probing, obstacle)) probing.obstacles.push_back(std::move(obstacle));
    }
    for (Refusal& refusal : later.refusals) {
        const auto known = std::ranges::find(probing.refusals, refusal.input, &Refusal::input);
        if (known == probing.refusals.end()) {
            probing.refusals.push_back(std::move(refusal));
        } else {
            known->refused += refusal.refused;
            known->tried += refusal.tried;
        }
    }
    probing.fault = std::move(later.fault);
}

} // namespace

Probing probe(const Assembly& assembly, unit::Library& library, Log& log) {
    Probing result;
    {
        Simulation simulation = build(assembly, library, log);
        result = probe::probe(simulation, {.while_initializing = true, .after_steps = {}});
    }
    Simulation simulation = build(assembly, library, log);
    append(result, probe::probe(simulation, {.while_initializing = false}));
    return result;
}

} // namespace rubato::pipeline
