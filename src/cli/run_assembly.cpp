// SPDX-License-Identifier: Apache-2.0
#include "run_assembly.hpp"

#include "crash_guard.hpp"
#include "exit_code.hpp"
#include "folder_watch.hpp"
#include "interrupt.hpp"
#include "progress_bar.hpp"
#include "reference_run.hpp"
#include "reference_text.hpp"
#include "results_target.hpp"
#include "run_summary.hpp"
#include "run_watch.hpp"
#include "terminal.hpp"
#include "trust_text.hpp"

#include <rubato/algorithm/text.hpp>
#include <rubato/engine/reference.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/reader_gone.hpp>
#include <rubato/report/run_recorder.hpp>
#include <rubato/report/text_table.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

namespace rubato::cli {
namespace {

using report::RunRecorder;
using report::RunStatus;

/// Takes the unit's name off its columns.
class PlainNames final : public engine::Recorder {
public:
    PlainNames(engine::Recorder& inner, const std::string& unit)
        : inner_(inner), prefix_(unit + ".") {}

    void begin(std::span<const engine::Column> columns) override {
        std::vector<engine::Column> renamed(columns.begin(), columns.end());
        for (engine::Column& column : renamed)
            if (column.name.starts_with(prefix_)) column.name.erase(0, prefix_.size());
        inner_.begin(renamed);
    }
    void record(Time time) override { inner_.record(time); }
    void note(const engine::EventNote& note) override { inner_.note(note); }
    void end() override { inner_.end(); }

private:
    engine::Recorder& inner_;
    std::string prefix_;
};

/// Tells two.
class Both final : public engine::Recorder {
public:
    Both(engine::Recorder* first, engine::Recorder& second) : first_(first), second_(second) {}

    void begin(std::span<const engine::Column> columns) override {
        if (first_) first_->begin(columns);
        second_.begin(columns);
    }
    void record(Time time) override {
        if (first_) first_->record(time);
        second_.record(time);
    }
    void note(const engine::EventNote& note) override {
        if (first_) first_->note(note);
    }
    void end() override {
        if (first_) first_->end();
        second_.end();
    }

private:
    engine::Recorder* first_; ///< null: only the second
    engine::Recorder& second_;
};

RunStatus status_of(engine::RunEnd end) {
    switch (end) {
    case engine::RunEnd::completed: return RunStatus::completed;
    case engine::RunEnd::terminated: return RunStatus::terminated;
    case engine::RunEnd::interrupted: return RunStatus::interrupted;
    }
    return RunStatus::failed;
}

/// Keeps what there is. The fault that ended the run is what the user must see, so one of writing
/// the metadata only goes to the log.
void conclude_failed(RunRecorder& recorder, const std::string& message, Log& log) {
    if (!recorder.has_begun()) return;
    try {
        recorder.conclude(RunStatus::failed, message);
    } catch (const Error& fault) {
        log.write(LogLevel::error, "", fault.what());
    }
    print(stderr,
          format("the results up to t = {} s are in {}\n",
                 report::human_number(recorder.last_written().seconds), recorder.file().string()));
}

/// Runs to the end, to a fault or until the user interrupts.
engine::Summary execute(engine::Simulation& simulation, RunRecorder* recorder,
                        engine::Observation observation, const RunOutput& output) {
    const Interrupt interrupt;
    observation.stop = &interrupt.requested();
    const SavedAtCrash saved(recorder);
    const RunWatch watch(interrupt);
    std::optional<ProgressBar> progress;
    if (!output.quiet)
        progress.emplace([&] { return simulation.progress(); }, calls_under_way_text);
    return simulation.run(observation);
}

/// Whether there is one unit, tables apart.
bool is_alone(const scenario::Scenario& scenario) {
    return std::ranges::count_if(scenario.units, [](const scenario::Unit& unit) {
               return !unit.table.has_value();
           }) == 1;
}

/// `reference`: communication points are compared, so that nothing else is recorded.
engine::Observation observation_of(const scenario::Scenario& scenario, engine::Recorder* recorder,
                                   bool reference) {
    const scenario::Recording& recording = scenario.recording;
    engine::Observation observation{.recorder = recorder,
                                    .every = static_cast<std::uint64_t>(recording.every)};
    if (recording.interval) observation.interval = Duration{*recording.interval};
    observation.intermediate = static_cast<std::size_t>(recording.intermediate);
    observation.events_within_steps = is_alone(scenario) && !reference;
    return observation;
}

report::Metadata describe(const engine::Assembly& assembly) {
    const synthesis::Orchestration& orchestration = assembly.orchestration;
    report::Metadata metadata = report::describe_run(
        assembly.scenario, algorithm::to_text(orchestration.algorithm, orchestration.system),
        RUBATO_VERSION);
    metadata.assumed = assembly.assumed;
    return metadata;
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

/// Null: nothing is recorded. Results that go to standard output have it to themselves. FMUs may
/// change the working directory: where results go is settled before.
std::unique_ptr<RunRecorder> make_recorder(const engine::Assembly& assembly,
                                           const unit::Library& library, RunOutput& output,
                                           FolderWatch& watch) {
    if (!output.results) return nullptr;
    const std::filesystem::path& results = *output.results;
    report::Metadata metadata = describe(assembly);
    if (is_standard_output(results)) {
        std::FILE* const stream = std::exchange(output.summary, stderr);
        return std::make_unique<RunRecorder>("standard output", ::fileno(stream),
                                             std::move(metadata));
    }
    if (report::is_file_or_new(results)) {
        watch.expect(results);
        watch.expect(report::metadata_file_of(results));
        watch.expect(report::events_file_of(results));
        std::vector<std::filesystem::path> inputs = library.files();
        inputs.emplace_back(assembly.scenario.file);
        check_results_target(results, inputs, assembly.scenario,
                             output.force ? Overwrite::anything : Overwrite::earlier_results);
    }
    return std::make_unique<RunRecorder>(std::filesystem::absolute(results), std::move(metadata),
                                         results);
}

/// Reports that a unit rejected a step unexpectedly, and that the run starts over.
void tell_of_start_over(const engine::StepRejected& rejection, Log& log) {
    const std::string_view text = rejection.what();
    const std::string_view what = text.substr(0, text.find('\n')); // without the hint
    log.write(LogLevel::warning, {},
              format("{}: the run starts over and saves the state of the unit before each step; "
                     "can-reject-step: true in the scenario does that from the start",
                     what));
}

/// One run of an assembly, with its results.
class Run {
public:
    Run(const engine::Assembly& assembly, unit::Library& library, RunOutput& output,
        FolderWatch& watch, Log& log)
        : assembly_(assembly), library_(library), output_(output), log_(log),
          recorder_(make_recorder(assembly, library, output, watch)) {}

    /// The exit code, or none: then it is to be started over with `next`.
    std::optional<int> run(std::optional<engine::Assembly>& next);

private:
    /// None: it is to be started over.
    std::optional<engine::Summary> execute_recorded(engine::Simulation& simulation,
                                                    const engine::Observation& observation,
                                                    std::optional<engine::Assembly>& next) const;
    void show(const engine::Simulation& simulation, const engine::Summary& summary,
              double wall) const;
    void show_reference(const engine::Series& series, std::span<const Time> points,
                        const engine::Trust& trust) const;
    /// Rows that went to a pipe or a terminal cannot be taken back.
    bool can_start_over() const { return !recorder_ || report::is_file_or_new(*output_.results); }

    const engine::Assembly& assembly_;
    unit::Library& library_;
    const RunOutput& output_;
    Log& log_;
    std::unique_ptr<RunRecorder> recorder_; ///< null: nothing is recorded
};

std::optional<engine::Summary> Run::execute_recorded(engine::Simulation& simulation,
                                                     const engine::Observation& observation,
                                                     std::optional<engine::Assembly>& next) const {
    try {
        return execute(simulation, recorder_.get(), observation, output_);
    } catch (const report::ReaderGone&) {
        throw; // it knows
    } catch (const engine::StepRejected& rejection) {
        if (can_start_over()) next = engine::with_negotiation(assembly_, rejection);
        if (!next) {
            if (recorder_) conclude_failed(*recorder_, rejection.what(), log_);
            throw;
        }
        tell_of_start_over(rejection, log_);
        return std::nullopt;
    } catch (const Error& fault) {
        if (recorder_) conclude_failed(*recorder_, fault.what(), log_);
        throw;
    }
}

void Run::show(const engine::Simulation& simulation, const engine::Summary& summary,
               double wall) const {
    const Style style(output_.summary);
    const engine::Trust trust = simulation.trust();
    if (!output_.quiet)
        print(output_.summary, summarize(assembly_, summary, trust, wall, recorder_.get(), style));
    if (output_.trust)
        print(output_.summary, trust_text(trust, summary, assembly_.scenario, style));
}

void Run::show_reference(const engine::Series& series, std::span<const Time> points,
                         const engine::Trust& trust) const {
    const Reference reference = compare_with_shorter_steps(
        assembly_, library_, log_, series, points, [&](auto& other, const auto& observed) {
            (void)execute(other, nullptr, observed, output_);
        });
    print(output_.summary, reference_text(reference, assembly_, trust, Style(output_.summary)));
}

std::optional<int> Run::run(std::optional<engine::Assembly>& next) {
    engine::Simulation simulation = engine::build(
        assembly_, library_, log_,
        {.estimate_errors = !output_.quiet || output_.trust, .stop_at_not_finite = output_.strict});
    std::optional<PlainNames> plain;
    if (recorder_ && !output_.plain_unit.empty()) plain.emplace(*recorder_, output_.plain_unit);
    engine::Recorder* const file =
        plain ? static_cast<engine::Recorder*>(&*plain) : recorder_.get();
    engine::Series series;
    Both both(file, series);
    std::vector<Time> points;
    engine::Observation observation =
        observation_of(assembly_.scenario, output_.reference ? &both : file, output_.reference);
    if (output_.reference) observation.points = &points;

    const auto started = std::chrono::steady_clock::now();
    const auto summary = execute_recorded(simulation, observation, next);
    if (!summary) return std::nullopt;
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - started;
    if (recorder_) recorder_->conclude(status_of(summary->end), message_of(*summary));
    show(simulation, *summary, wall.count());
    if (output_.reference && summary->end == engine::RunEnd::completed)
        show_reference(series, points, simulation.trust());
    return summary->end == engine::RunEnd::interrupted ? exit_code::interrupted
                                                       : exit_code::success;
}

} // namespace

int run_assembly(const engine::Assembly& assembly, unit::Library& library, const RunOutput& wanted,
                 Log& log) {
    FolderWatch watch(log);
    RunOutput output = wanted;
    std::optional<engine::Assembly> next;
    std::optional<int> code = Run(assembly, library, output, watch, log).run(next);
    output.force = true; // what is there now, the first run has written
    while (!code) {
        const engine::Assembly again = std::move(*next);
        next.reset();
        code = Run(again, library, output, watch, log).run(next);
    }
    return *code;
}

} // namespace rubato::cli
