// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/log.hpp>
#include <rubato/engine/processes.hpp>
#include <rubato/engine/reference.hpp>
#include <rubato/pipeline/assembly.hpp>
#include <rubato/pipeline/profile.hpp>
#include <rubato/pipeline/results_target.hpp>
#include <rubato/report/run_recorder.hpp>
#include <rubato/unit/library.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rubato::pipeline {

/// How a run is made and what is kept of it.
struct RunSettings {
    /// Files, each in the format that its extension names; empty: none is written.
    std::vector<std::filesystem::path> results;
    std::optional<int> descriptor; ///< open, gets the results, too, called "standard output"
    std::string plain_unit;        ///< columns of this unit are named by the variable alone
    Overwrite overwrite = Overwrite::earlier_results;
    bool estimate_errors = true;          ///< for the verdict
    bool stop_at_not_finite = false;      ///< at values that are NaN or infinite
    bool keep_series = false;             ///< real columns and communication points, in memory
    engine::Recorder* recorder = nullptr; ///< another one that records, too; null: none
    Profile* profile = nullptr;           ///< measures the calls of units; null: nothing does
    engine::Pacing* pacing = nullptr;     ///< when steps may begin; null: at once
    /// That run it together, each by this function; the first one records. Null: this one does alone.
    engine::Processes* processes = nullptr;
    std::vector<std::uint32_t> placement = {}; ///< of units on them: ranks, by unit

    bool writes_results() const { return !results.empty() || descriptor; }
    /// Whether this process records.
    bool is_first() const { return !processes || processes->rank() == 0; }
};

/// What a program adds to runs: progress, interrupts, messages.
class RunHooks {
public:
    virtual ~RunHooks() = default;
    /// Runs a simulation to its end. `recorder` writes the results; null: nothing does.
    virtual engine::Summary execute(engine::Simulation& simulation,
                                    const engine::Observation& observation,
                                    report::RunRecorder* recorder);
    /// The run has failed, and its results up to some time are in a file.
    virtual void kept_results(Time /*until*/, const std::filesystem::path& /*file*/) {}
};

/// A run that has ended. The columns of the recorder show the values of the simulation.
struct RunOutcome {
    Assembly assembly; ///< that was run: the one given, or one that negotiates steps
    engine::Simulation simulation;
    engine::Summary summary;
    std::unique_ptr<report::RunRecorder> recorder; ///< null: no file was written
    std::unique_ptr<engine::Series> series;        ///< null: not asked for
    std::vector<Time> points;                      ///< with the series
    double wall_seconds = 0;
};

/// Builds and runs until the end, a fault or an interrupt, and concludes the results. A run in
/// which a unit rejects a step starts over with negotiated steps, if they can be. Faults pass
/// through after the results are concluded.
RunOutcome run(Assembly assembly, unit::Library& library, const RunSettings& settings,
               RunHooks& hooks, Log& log);

} // namespace rubato::pipeline
