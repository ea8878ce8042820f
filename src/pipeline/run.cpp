// SPDX-License-Identifier: Apache-2.0
#include "new_files.hpp"
#include "observation.hpp"
#include "recorders.hpp"

#include <rubato/algorithm/text.hpp>
#include <rubato/files/reader_gone.hpp>
#include <rubato/pipeline/run.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

namespace rubato::pipeline {
namespace {

using report::RunRecorder;
using report::RunStatus;

RunStatus status_of(engine::RunEnd end) {
    switch (end) {
    case engine::RunEnd::completed: return RunStatus::completed;
    case engine::RunEnd::terminated: return RunStatus::terminated;
    case engine::RunEnd::interrupted: return RunStatus::interrupted;
    }
    return RunStatus::failed;
}

std::string message_of(const engine::Summary& summary) {
    switch (summary.end) {
    case engine::RunEnd::completed: return "";
    case engine::RunEnd::terminated:
        return format("unit \"{}\" asked for the end", summary.ended_by);
    case engine::RunEnd::interrupted: return "interrupted by the user";
    }
    return "";
}

report::Metadata metadata_of(const Assembly& assembly) {
    const synthesis::Orchestration& orchestration = assembly.orchestration;
    report::Metadata metadata = report::describe_run(
        assembly.scenario, algorithm::to_text(orchestration.algorithm, orchestration.system),
        RUBATO_VERSION);
    metadata.assumed = assembly.assumed;
    return metadata;
}

/// FMUs may change the working directory: where results go is settled before.
report::ResultsTarget target_of(const std::filesystem::path& results, NewFiles& new_files) {
    if (report::is_file_or_new(results))
        for (const std::filesystem::path& file : files_of_results(results)) new_files.expect(file);
    return {.file = std::filesystem::absolute(results), .shown = results};
}

/// Null: no file is written.
std::unique_ptr<RunRecorder> make_recorder(const Assembly& assembly, const unit::Library& library,
                                           const RunSettings& settings, NewFiles& new_files) {
    if (!settings.is_first() || !settings.writes_results()) return nullptr;
    std::vector<std::filesystem::path> inputs = library.files();
    inputs.emplace_back(assembly.scenario.file);
    check_results_targets(settings.results, inputs, assembly.scenario, settings.overwrite);
    std::vector<report::ResultsTarget> targets;
    if (settings.descriptor)
        targets.push_back({.file = "standard output", .descriptor = settings.descriptor});
    for (const std::filesystem::path& results : settings.results)
        targets.push_back(target_of(results, new_files));
    return std::make_unique<RunRecorder>(targets, metadata_of(assembly));
}

/// Formats differ in what they can hold.
void report_left_out(const RunRecorder& recorder, Log& log) {
    constexpr std::size_t most_named = 5;
    for (const RunRecorder::Kept& kept : recorder.kept()) {
        const std::vector<std::string>& names = kept.left_out;
        if (names.empty()) continue;
        const auto named = std::span(names).first(std::min(names.size(), most_named));
        log.write(LogLevel::warning, {},
                  format("{} does not contain {}{}: its format has no texts; CSV has (-o FILE.csv)",
                         kept.file.string(), fmt::join(named, ", "),
                         named.size() < names.size()
                             ? format(" and {} more", names.size() - named.size())
                             : ""));
    }
}

/// Keeps what there is. The fault that ended the run is what the user must see, so one of writing
/// the metadata only goes to the log.
void conclude_failed(RunRecorder* recorder, const std::string& message, RunHooks& hooks, Log& log) {
    if (!recorder || !recorder->has_begun()) return;
    try {
        recorder->conclude(RunStatus::failed, message);
    } catch (const Error& fault) {
        log.write(LogLevel::error, "", fault.what());
    }
    report_left_out(*recorder, log);
    for (const RunRecorder::Kept& kept : recorder->kept())
        hooks.kept_results(kept.until, kept.file);
}

/// Reports that a unit rejected a step unexpectedly, and that the run starts over.
void report_start_over(const engine::StepRejected& rejection, Log& log) {
    const std::string_view text = rejection.what();
    const std::string_view what = text.substr(0, text.find('\n')); // without the hint
    log.write(LogLevel::warning, {},
              format("{}: the run starts over and saves the state of the unit before each step; "
                     "can-reject-step: true in the scenario does that from the start",
                     what));
}

/// Rows that went to a pipe or a terminal cannot be taken back.
bool can_start_over(const RunSettings& settings) {
    return !settings.descriptor && std::ranges::all_of(settings.results, report::is_file_or_new);
}

RunOutcome prepare(Assembly assembly, unit::Library& library, const RunSettings& settings,
                   NewFiles& new_files, Log& log) {
    auto recorder = make_recorder(assembly, library, settings, new_files);
    BuildOptions options{.estimate_errors = settings.estimate_errors,
                         .stop_at_not_finite = settings.stop_at_not_finite,
                         .points = {},
                         .processes = settings.processes,
                         .placement = settings.placement};
    if (Profile* const profile = settings.profile) {
        profile->clear();
        options.wrap = [profile](std::unique_ptr<unit::Unit> unit) {
            return profile->measured(std::move(unit));
        };
    }
    engine::Simulation simulation = build(assembly, library, log, options);
    return {.assembly = std::move(assembly),
            .simulation = std::move(simulation),
            .recorder = std::move(recorder)};
}

/// One attempt at a run. Records to the file, to the series and to whoever else wants it.
class Attempt {
public:
    Attempt(RunOutcome prepared, const RunSettings& settings)
        : settings_(settings), outcome_(std::move(prepared)) {}

    /// nullopt: to be started over with `next`.
    std::optional<RunOutcome> run(std::optional<Assembly>& next, RunHooks& hooks, Log& log) {
        RunRecorder* const file = outcome_.recorder.get();
        std::optional<PlainNames> plain;
        if (file && !settings_.plain_unit.empty()) plain.emplace(*file, settings_.plain_unit);
        Recorders all;
        all.add(plain ? static_cast<engine::Recorder*>(&*plain) : file);
        if (settings_.keep_series) outcome_.series = std::make_unique<engine::Series>();
        all.add(outcome_.series.get());
        all.add(settings_.recorder);
        RecordedElsewhere elsewhere;
        if (!settings_.is_first() && settings_.writes_results()) all.add(&elsewhere);
        engine::Observation observation =
            observation_of(outcome_.assembly.scenario, all.as_recorder(), settings_.keep_series);
        if (settings_.keep_series) observation.points = &outcome_.points;
        observation.pacing = settings_.pacing;
        const auto started = std::chrono::steady_clock::now();
        try {
            outcome_.summary = hooks.execute(outcome_.simulation, observation, file);
        } catch (const files::ReaderGone&) {
            throw; // it knows
        } catch (const engine::StepRejected& rejection) {
            if (can_start_over(settings_)) next = with_negotiation(outcome_.assembly, rejection);
            if (next) {
                report_start_over(rejection, log);
                return std::nullopt;
            }
            conclude_failed(file, rejection.what(), hooks, log);
            throw;
        } catch (const Error& fault) {
            conclude_failed(file, fault.what(), hooks, log);
            throw;
        }
        const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - started;
        outcome_.wall_seconds = wall.count();
        if (file) {
            file->conclude(status_of(outcome_.summary.end), message_of(outcome_.summary));
            report_left_out(*file, log);
        }
        return std::move(outcome_);
    }

private:
    const RunSettings& settings_;
    RunOutcome outcome_;
};

} // namespace

engine::Summary RunHooks::execute(engine::Simulation& simulation,
                                  const engine::Observation& observation, RunRecorder*) {
    return simulation.run(observation);
}

RunOutcome run(Assembly assembly, unit::Library& library, const RunSettings& wanted,
               RunHooks& hooks, Log& log) {
    NewFiles new_files(log);
    RunSettings settings = wanted;
    std::optional<Assembly> next = std::move(assembly);
    for (;;) {
        Assembly current = *std::exchange(next, std::nullopt);
        Attempt attempt(prepare(std::move(current), library, settings, new_files, log), settings);
        if (auto outcome = attempt.run(next, hooks, log)) return std::move(*outcome);
        settings.overwrite = Overwrite::anything; // what is there now, the first run has written
    }
}

} // namespace rubato::pipeline
