// SPDX-License-Identifier: Apache-2.0
#include "observation.hpp"
#include "setting_paths.hpp"
#include "sweep/case_recorder.hpp"
#include "workers/message.hpp"
#include "workers/worker_pool.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/core/text.hpp>
#include <rubato/pipeline/overrides.hpp>
#include <rubato/pipeline/run.hpp>
#include <rubato/pipeline/sweep.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace rubato::pipeline {

/// A parameter or start value of a unit: where an assembled scenario holds it.
struct SweepTarget {
    std::size_t unit = 0;
    std::vector<scenario::Assignment> scenario::Unit::*list = nullptr;
    std::size_t index = 0;
};

namespace {

using scenario::Scenario;

constexpr std::size_t most_drawn = 12;

/// Where a path leads to, if a run with another value differs in nothing else. nullopt: it is a
/// setting, or of a unit within a unit, or sizes depend on it.
std::optional<SweepTarget> find_target(const std::string& path, const Assembly& assembly) {
    const std::string name = short_form(path);
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos) return std::nullopt;
    const auto& units = assembly.scenario.units;
    const auto unit = std::ranges::find(units, name.substr(0, dot), &scenario::Unit::name);
    if (unit == units.end()) return std::nullopt;
    const auto u = static_cast<std::size_t>(unit - units.begin());
    const std::string variable = name.substr(dot + 1);
    const auto index = assembly.descriptions[u].find_variable(variable);
    if (assembly.nested[u] || !index) return std::nullopt;
    if (assembly.descriptions[u].variables[*index].causality ==
        scenario::Causality::structural_parameter)
        return std::nullopt;
    for (const auto list : {&scenario::Unit::parameters, &scenario::Unit::start}) {
        const auto& all = (*unit).*list;
        const auto found = std::ranges::find(all, variable, &scenario::Assignment::variable);
        if (found != all.end() && found->elements.empty())
            return SweepTarget{u, list, static_cast<std::size_t>(found - all.begin())};
    }
    return std::nullopt;
}

/// Each listed value, before anything runs.
void check_values(const Variation& variation, const SweepTarget& target, const Assembly& assembly) {
    const auto& description = assembly.descriptions[target.unit];
    const auto& assignment = (assembly.scenario.units[target.unit].*target.list)[target.index];
    const auto& variable =
        description.variables[description.find_variable(assignment.variable).value()];
    const std::vector<Value> sampled = {variation.low};
    const bool is_listed = variation.sampling == Sampling::listed;
    for (const Value& value : is_listed ? variation.values : sampled)
        if (!scenario::convert(value, variable))
            throw InputError(format("--vary {}: {} does not fit, since the variable is of type {}",
                                    variation.text, rubato::to_string(value),
                                    to_string(variable.type)));
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string bytes_of(const CaseResult& result) {
    Message message;
    message.add(static_cast<double>(result.end));
    message.add(result.reason);
    message.add(result.outcomes);
    message.add(std::string(reinterpret_cast<const char*>(result.trajectory.data()),
                            result.trajectory.size() * sizeof(float)));
    return message.bytes();
}

CaseResult result_of(std::size_t run, std::string bytes) {
    CaseResult result{.run = run};
    Message message(std::move(bytes));
    double end = 0;
    std::string trajectory;
    if (!message.take(end) || !message.take(result.reason) || !message.take(result.outcomes) ||
        !message.take(trajectory)) {
        result.reason = "the result of the run is damaged";
        return result;
    }
    result.end = static_cast<CaseEnd>(static_cast<int>(end));
    result.trajectory.resize(trajectory.size() / sizeof(float));
    std::memcpy(result.trajectory.data(), trajectory.data(),
                result.trajectory.size() * sizeof(float));
    return result;
}

/// Lets whoever waits for a run that is started over stop it, too.
class StoppableHooks final : public RunHooks {
public:
    explicit StoppableHooks(const std::atomic<bool>& stop) : stop_(stop) {}
    engine::Summary execute(engine::Simulation& simulation, const engine::Observation& observation,
                            report::RunRecorder*) override {
        engine::Observation stoppable = observation;
        stoppable.stop = &stop_;
        return simulation.run(stoppable);
    }

private:
    const std::atomic<bool>& stop_;
};

} // namespace

std::string_view to_string(CaseEnd end) {
    switch (end) {
    case CaseEnd::completed: return "completed";
    case CaseEnd::ended: return "ended";
    case CaseEnd::failed: return "failed";
    }
    return "";
}

struct Sweep::Implementation {
    Scenario scenario; ///< without what is varied
    unit::Library& library;
    SweepPlan plan;
    Assembly assembly; ///< of the first run
    Kept kept = {};
    std::vector<DrawnVariable> drawn = {};
    /// By variation. Empty: a run is assembled anew, since it may differ in more than values.
    std::vector<SweepTarget> targets = {};

    Scenario scenario_of(std::size_t run, Diagnostics& diagnostics) const {
        std::vector<scenario::Override> overrides;
        const std::vector<Value> values = plan.values(run);
        for (std::size_t v = 0; v < values.size(); ++v)
            overrides.push_back(
                {plan.variations()[v].path, scenario::to_yaml(values[v]), "--vary"});
        Scenario changed = scenario;
        pipeline::apply(overrides, changed, library, diagnostics);
        return changed;
    }

    void assemble_first() {
        Diagnostics diagnostics;
        Scenario first = scenario_of(0, diagnostics);
        diagnostics.throw_if_errors();
        assembly = assemble(std::move(first), library, diagnostics);
        diagnostics.throw_if_errors();
    }

    void find_targets() {
        for (const Variation& each : plan.variations()) {
            const std::optional<SweepTarget> target = find_target(each.path, assembly);
            if (!target) {
                targets.clear();
                return;
            }
            check_values(each, *target, assembly);
            targets.push_back(*target);
        }
    }

    void choose_kept(std::span<const std::string> outcomes) {
        const scenario::System& system = assembly.orchestration.system;
        for (const scenario::Observed& each : system.observed) {
            const auto& variable = assembly.descriptions[each.unit.value].variables[each.variable];
            if (storage_of(variable.type) == Storage::string) continue;
            if (drawn.size() < most_drawn) {
                kept.drawn.push_back(kept.variables.size());
                drawn.push_back(
                    {format("{}.{}", system.unit(each.unit).name, each.name), variable.unit});
            }
            kept.variables.push_back(format("{}.{}", system.unit(each.unit).name, each.name));
        }
        kept.outcomes = parse_outcomes(outcomes, kept.variables);
        choose_times();
    }

    /// As many as there are steps, within what memory and disk may hold of all runs.
    void choose_times() {
        constexpr double most_bytes = 256e6, least = 21, most = 201;
        const scenario::Experiment& experiment = assembly.scenario.experiment;
        const double duration = experiment.stop - experiment.start;
        const double numbers =
            static_cast<double>(plan.size() * std::max<std::size_t>(1, drawn.size()));
        const double room = std::max(least, most_bytes / (sizeof(float) * numbers));
        const double steps = std::max(1.0, std::round(duration / experiment.step)) + 1;
        const double count = std::floor(std::min({room, most, std::max(2.0, steps)}));
        for (double i = 0; i < count; ++i)
            kept.times.push_back(experiment.start + duration * i / (count - 1));
    }

    /// In a worker. nullopt: stopped.
    std::optional<CaseResult> run(std::size_t run, CaseRecorder& recorder,
                                  const std::atomic<bool>& stop) {
        CaseResult result{.run = run};
        try {
            const engine::Summary summary =
                targets.empty() ? run_anew(run, recorder, stop) : run_again(run, recorder, stop);
            if (summary.end == engine::RunEnd::interrupted) return std::nullopt;
            result.end = CaseEnd::completed;
            if (summary.end == engine::RunEnd::terminated) {
                result.end = CaseEnd::ended;
                result.reason = format("unit \"{}\" asked for the end at {} s", summary.ended_by,
                                       shortest(summary.reached.seconds));
            }
        } catch (const std::exception& fault) {
            result.reason = first_line(fault.what());
            return result;
        }
        result.outcomes = recorder.outcomes();
        result.trajectory = recorder.trajectory();
        return result;
    }

    /// With the assembly of the first run and other values.
    engine::Summary run_again(std::size_t run, CaseRecorder& recorder,
                              const std::atomic<bool>& stop) {
        std::vector<Value> values = plan.values(run);
        for (std::size_t v = 0; v < values.size(); ++v)
            (assembly.scenario.units[targets[v].unit].*targets[v].list)[targets[v].index].value =
                std::move(values[v]);
        try {
            engine::Simulation simulation = build(assembly, library, silent_log());
            engine::Observation observation = observation_of(assembly.scenario, &recorder, false);
            observation.stop = &stop;
            return simulation.run(observation);
        } catch (const engine::StepRejected&) {
            return run_assembled(assembly, recorder, stop); // starts over with negotiation
        }
    }

    engine::Summary run_anew(std::size_t run, CaseRecorder& recorder,
                             const std::atomic<bool>& stop) const {
        Diagnostics diagnostics;
        Scenario changed = scenario_of(run, diagnostics);
        diagnostics.throw_if_errors();
        Assembly anew = assemble(std::move(changed), library, diagnostics);
        diagnostics.throw_if_errors();
        return run_assembled(std::move(anew), recorder, stop);
    }

    engine::Summary run_assembled(Assembly given, CaseRecorder& recorder,
                                  const std::atomic<bool>& stop) const {
        StoppableHooks hooks(stop);
        return pipeline::run(std::move(given), library,
                             {.results = {},
                              .descriptor = {},
                              .plain_unit = {},
                              .estimate_errors = false,
                              .recorder = &recorder},
                             hooks, silent_log())
            .summary;
    }
};

Sweep::Sweep(Scenario scenario, unit::Library& library, SweepPlan plan,
             std::span<const std::string> outcomes)
    : implementation_(new Implementation{.scenario = std::move(scenario),
                                         .library = library,
                                         .plan = std::move(plan),
                                         .assembly = {}}) {
    implementation_->assemble_first();
    implementation_->find_targets();
    implementation_->choose_kept(outcomes);
}

Sweep::~Sweep() = default;

const SweepPlan& Sweep::plan() const { return implementation_->plan; }
const Scenario& Sweep::scenario() const { return implementation_->scenario; }
const std::vector<DrawnVariable>& Sweep::drawn() const { return implementation_->drawn; }
const std::vector<double>& Sweep::drawn_times() const { return implementation_->kept.times; }

std::vector<std::string> Sweep::outcome_names() const {
    std::vector<std::string> names;
    for (const Outcome& outcome : implementation_->kept.outcomes) names.push_back(outcome.name);
    return names;
}

void Sweep::run(std::span<const std::size_t> runs, const SweepRunSettings& settings) {
    Implementation& it = *implementation_;
    WorkerPoolSettings pool{.items = runs.size(),
                            .workers = settings.parallel,
                            .limit = settings.limit,
                            .stop = settings.stop,
                            .pulse = settings.pulse};
    pool.begin = [&it, runs]() -> WorkerTask {
        const auto recorder = std::make_shared<CaseRecorder>(it.kept);
        return [&it, runs, recorder](std::size_t item, const std::atomic<bool>& stop) {
            const auto result = it.run(runs[item], *recorder, stop);
            return result ? std::optional(bytes_of(*result)) : std::nullopt;
        };
    };
    pool.done = [&](std::size_t item, std::string bytes) {
        settings.on_result(result_of(runs[item], std::move(bytes)));
    };
    pool.failed = [&](std::size_t item, std::string reason) {
        settings.on_result({.run = runs[item], .reason = std::move(reason)});
    };
    run_in_workers(pool);
}

} // namespace rubato::pipeline
