// SPDX-License-Identifier: Apache-2.0
#include "experiment.hpp"

#include <rubato/models.hpp>

#include <utility>

namespace rubato::studies::adaptive_order {

using scenario::Approximation;
using scenario::InputSettings;
using scenario::Recipe;
using scenario::Scenario;

namespace {

/// Keeps the one column that is recorded.
class Keeper final : public engine::Recorder {
public:
    explicit Keeper(Trajectory& trajectory) : trajectory_(trajectory) {
        trajectory_.clear();
        trajectory_.reserve(point_count);
    }
    void begin(std::span<const engine::Column> columns) override {
        value_ = static_cast<const double*>(columns.front().value);
    }
    void record(Time) override { trajectory_.push_back(*value_); }
    void end() override {}

private:
    Trajectory& trajectory_;
    const double* value_ = nullptr;
};

std::vector<scenario::Assignment>
assignments(std::initializer_list<std::pair<const char*, double>> values) {
    std::vector<scenario::Assignment> result;
    for (const auto& [name, value] : values) result.push_back({name, value, {}, {}});
    return result;
}

scenario::Unit unit(std::string name, const std::optional<std::filesystem::path>& fmu) {
    scenario::Unit unit;
    unit.name = std::move(name);
    if (fmu)
        unit.origin = scenario::FmuFile{*fmu};
    else
        unit.origin = scenario::NativeModel{"oscillator"};
    unit.sub_steps = inner_steps;
    unit.energy = {"energy"};
    unit.losses = {{"Fd", "x", {}}, {"Fdc", "xc", {}}};
    return unit;
}

/// What differs from one set of parameters to the next. The errors of inputs count as in the
/// study: E_F ← (F - F̂) H + E_F H / m1 for MSD1; for MSD2 E_x and E_v grow with cc / m2 and
/// dc / m2, and its error is -cc E_x - dc E_v.
void assign(Scenario& scenario, const Parameters& p) {
    scenario::Unit& msd1 = scenario.units[0];
    scenario::Unit& msd2 = scenario.units[1];
    msd1.parameters = assignments({{"m", p.m1}, {"d", p.d1}, {"c", p.c1}});
    msd2.parameters =
        assignments({{"m", p.m2}, {"d", p.d2}, {"c", p.c2}, {"dc", p.dc}, {"cc", p.cc}});
    msd1.inputs = {linear("F", 1 / p.m1, 1)};
    msd2.inputs = {linear("xo", p.cc / p.m2, -p.cc), linear("vo", p.dc / p.m2, -p.dc)};
}

} // namespace

InputSettings linear(std::string name, double gain, double weight) {
    InputSettings input;
    input.name = std::move(name);
    input.approximation = Approximation::linear;
    input.error_gain = gain;
    input.error_weight = weight;
    return input;
}

Parameters Parameters::from(const std::array<double, 8>& v) {
    return {v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]};
}

Experiment::Experiment(std::optional<std::filesystem::path> fmu)
    : fmu_(std::move(fmu)), library_(silent_log()) {
    for (const model::ModelType* type : models::all())
        if (type->name == "oscillator") library_.add(*type);
}

Scenario Experiment::scenario(const Parameters& parameters, const Method& method) const {
    Scenario scenario;
    scenario.name = "adaptive-order";
    scenario.units = {unit("msd1", fmu_), unit("msd2", fmu_)};
    scenario.units[0].start = assignments({{"x", 1}});
    assign(scenario, parameters);
    scenario.connections = {
        {"msd2", "Fc", "msd1", "F"}, {"msd1", "x", "msd2", "xo"}, {"msd1", "v", "msd2", "vo"}};
    scenario.experiment.stop = stop_time;
    scenario.experiment.step = macro_step;
    scenario.algorithm.recipe =
        method.estimator ? Recipe::adaptive_gauss_seidel : Recipe::gauss_seidel;
    scenario.algorithm.order = {"msd1", "msd2"};
    if (method.first == First::msd2)
        std::swap(scenario.algorithm.order[0], scenario.algorithm.order[1]);
    scenario.algorithm.order_estimator = method.estimator;
    if (method.inverted) scenario.algorithm.order_inverted = true;
    scenario.recording.variables = {"msd1.v"};
    return scenario;
}

pipeline::Assembly& Experiment::assembly(const Method& method) {
    const auto found = assemblies_.find(method);
    if (found != assemblies_.end()) return found->second;
    Diagnostics diagnostics;
    pipeline::Assembly made = pipeline::assemble(scenario({}, method), library_, diagnostics);
    diagnostics.throw_if_errors();
    return assemblies_.emplace(method, std::move(made)).first->second;
}

const Trajectory& Experiment::run(const Parameters& parameters, const Method& method) {
    pipeline::Assembly& understood = assembly(method);
    assign(understood.scenario, parameters);
    engine::Simulation simulation = pipeline::build(understood, library_, silent_log());
    Keeper keeper(trajectory_);
    switches_ = simulation.run({.recorder = &keeper}).switches;
    return trajectory_;
}

} // namespace rubato::studies::adaptive_order
