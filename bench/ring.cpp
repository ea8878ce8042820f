// SPDX-License-Identifier: Apache-2.0
#include "ring.hpp"

#include <rubato/private/format.hpp>

#include <memory>
#include <utility>

namespace rubato::bench {

namespace {

/// The scenario as the only unit of another, which sees one of its outputs.
scenario::Scenario wrapped(scenario::Scenario inner) {
    scenario::Scenario outer;
    outer.experiment = inner.experiment;
    outer.algorithm = inner.algorithm;
    inner.experiment.open.step = true;
    inner.interface.emplace();
    inner.interface->outputs = {{"y", {"node0.y"}, {}}};
    scenario::Unit unit;
    unit.name = "ring";
    unit.origin = scenario::NestedScenario{
        .file = {}, .scenario = std::make_shared<const scenario::Scenario>(std::move(inner))};
    outer.units.push_back(std::move(unit));
    return outer;
}

engine::Simulation build(int nodes, std::int64_t work, int threads, Processes processes,
                         scenario::Recipe recipe, Levels levels, unit::Library& library) {
    Diagnostics diagnostics;
    scenario::Scenario scenario = Ring::scenario(nodes, work);
    scenario.algorithm.threads = threads;
    scenario.algorithm.recipe = recipe;
    if (processes == Processes::one_per_node)
        for (scenario::Unit& unit : scenario.units) unit.isolate.emplace();
    if (levels == Levels::two) scenario = wrapped(std::move(scenario));
    const pipeline::Assembly assembly =
        pipeline::assemble(std::move(scenario), library, diagnostics);
    diagnostics.throw_if_errors();
    engine::Simulation simulation = pipeline::build(assembly, library, silent_log());
    simulation.initialize();
    return simulation;
}

} // namespace

scenario::Scenario Ring::scenario(int nodes, std::int64_t work) {
    scenario::Scenario scenario;
    scenario.name = "ring";
    for (int i = 0; i < nodes; ++i) {
        scenario::Unit unit;
        unit.name = format("node{}", i);
        unit.origin = scenario::FmuFile{RUBATO_FMUS "/fmi2/node.fmu"};
        unit.parameters = {{"work", work, {}}};
        unit.start = {{"y", static_cast<double>(i % 7), {}}};
        scenario.units.push_back(unit);
        const auto connect = [&](int to, const char* input) {
            scenario.connections.push_back({unit.name, "y", format("node{}", to), input});
        };
        connect((i + 1) % nodes, "a");
        connect((i + nodes - 1) % nodes, "b");
    }
    scenario.experiment = {.start = 0, .stop = 1e6, .step = step_size};
    scenario.algorithm.recipe = scenario::Recipe::jacobi;
    return scenario;
}

Ring::Ring(int nodes, std::int64_t work, int threads, Processes processes, scenario::Recipe recipe,
           Levels levels)
    : library_(silent_log()),
      simulation_(build(nodes, work, threads, processes, recipe, levels, library_)) {}

Floor::Floor(Ring& ring, int nodes)
    : inputs_of_all_(static_cast<std::size_t>(2 * nodes), 1.0),
      outputs_of_all_(static_cast<std::size_t>(nodes)) {
    for (int i = 0; i < nodes; ++i) {
        auto& unit = dynamic_cast<unit::Fmi2Unit&>(
            ring.simulation().unit(nth<UnitId>(static_cast<std::size_t>(i))));
        components_.push_back(unit.component());
        functions_ = unit.functions();
        const auto reference = [&](const char* name) {
            const auto& description = unit.description();
            return description.variables.at(description.find_variable(name).value()).reference;
        };
        inputs_[0] = reference("a");
        inputs_[1] = reference("b");
        output_ = reference("y");
    }
}

void Floor::step(int count) {
    const std::size_t nodes = components_.size();
    for (int i = 0; i < count; ++i, time_ += step_size) {
        for (std::size_t n = 0; n < nodes; ++n) {
            functions_.do_step(components_[n], time_, step_size, fmi2::yes);
        }
        for (std::size_t n = 0; n < nodes; ++n) {
            functions_.get_real(components_[n], &output_, 1, &outputs_of_all_[n]);
        }
        for (std::size_t n = 0; n < nodes; ++n) {
            functions_.set_real(components_[n], inputs_, 2, &inputs_of_all_[2 * n]);
        }
    }
}

} // namespace rubato::bench
