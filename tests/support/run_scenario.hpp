// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/models.hpp>
#include <rubato/pipeline/assembly.hpp>
#include <rubato/pipeline/formats.hpp>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace rubato::test {

/// Recorded values by name, with "time" among them.
using Trajectories = std::map<std::string, std::vector<double>>;

/// Keeps every number; true is 1, a text its hash.
class TrajectoryRecorder final : public engine::Recorder {
public:
    void begin(std::span<const engine::Column> columns) override {
        columns_ = {columns.begin(), columns.end()};
    }
    void record(Time time) override {
        trajectories["time"].push_back(time.seconds);
        for (const engine::Column& column : columns_) {
            trajectories[column.name].push_back(number(column));
        }
    }
    void end() override {}

    Trajectories trajectories;

private:
    static double number(const engine::Column& column) {
        switch (storage_of(column.type)) {
        case Storage::integer:
            return static_cast<double>(*static_cast<const std::int64_t*>(column.value));
        case Storage::boolean: return *static_cast<const bool*>(column.value) ? 1 : 0;
        case Storage::string:
            return static_cast<double>(
                std::hash<std::string>{}(*static_cast<const std::string*>(column.value)));
        default: return *static_cast<const double*>(column.value);
        }
    }

    std::vector<engine::Column> columns_;
};

struct CompletedRun {
    Trajectories trajectories;
    engine::Summary summary;
};

/// Runs a scenario file with settings changed; native models are those of models/.
inline CompletedRun completed_run(
    const std::string& file, const std::vector<scenario::Override>& overrides = {},
    const std::function<void(scenario::Scenario&)>& change = [](auto&) {}) {
    unit::Library library(silent_log());
    for (const model::ModelType* type : models::all()) library.add(*type);
    Diagnostics diagnostics;
    scenario::Scenario scenario = pipeline::read(file, overrides, diagnostics);
    diagnostics.throw_if_errors();
    change(scenario);
    const pipeline::Assembly assembly =
        pipeline::assemble(std::move(scenario), library, diagnostics);
    diagnostics.throw_if_errors();
    engine::Simulation simulation = pipeline::build(assembly, library, silent_log());
    TrajectoryRecorder recorder;
    const engine::Summary summary = simulation.run({.recorder = &recorder});
    return {std::move(recorder.trajectories), summary};
}

inline Trajectories run_scenario(
    const std::string& file, const std::vector<scenario::Override>& overrides = {},
    const std::function<void(scenario::Scenario&)>& change = [](auto&) {}) {
    return completed_run(file, overrides, change).trajectories;
}

} // namespace rubato::test
