// SPDX-License-Identifier: Apache-2.0
#include "run_assembly.hpp"

#include "exit_code.hpp"
#include "interrupt.hpp"
#include "progress_bar.hpp"
#include "run_summary.hpp"
#include "terminal.hpp"

#include <rubato/algorithm/text.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/run_recorder.hpp>
#include <rubato/report/text_table.hpp>

#include <chrono>
#include <memory>
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
    void end() override { inner_.end(); }

private:
    engine::Recorder& inner_;
    std::string prefix_;
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
void conclude_failed(RunRecorder& recorder, Time reached, const std::string& message, Log& log) {
    if (!recorder.has_begun()) return;
    try {
        recorder.conclude(RunStatus::failed, reached, message);
    } catch (const Error& fault) {
        log.write(LogLevel::error, "", fault.what());
    }
    print(stderr, format("the results up to t = {} s are in {}\n",
                         report::human_number(reached.seconds), recorder.file().string()));
}

/// Runs to the end, to a fault or until the user interrupts.
engine::Summary execute(engine::Simulation& simulation, RunRecorder* recorder,
                        const scenario::Recording& recording, const RunOutput& output, Log& log) {
    const Interrupt interrupt;
    std::optional<PlainNames> plain;
    if (recorder && !output.plain_unit.empty()) plain.emplace(*recorder, output.plain_unit);
    engine::Recorder* const seen = plain ? static_cast<engine::Recorder*>(&*plain) : recorder;
    std::optional<ProgressBar> progress;
    if (!output.quiet) progress.emplace([&] { return simulation.progress(); });
    try {
        return simulation.run(
            {seen, static_cast<std::uint64_t>(recording.every), &interrupt.requested()});
    } catch (const Error& fault) {
        progress.reset();
        if (recorder) conclude_failed(*recorder, simulation.summary().reached, fault.what(), log);
        throw;
    }
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

} // namespace

int run_assembly(const engine::Assembly& assembly, unit::Library& library, const RunOutput& output,
                 Log& log) {
    engine::Simulation simulation = engine::build(assembly, library, log);
    std::unique_ptr<RunRecorder> recorder;
    if (output.results)
        recorder = std::make_unique<RunRecorder>(
            *output.results,
            report::describe_run(
                assembly.scenario,
                algorithm::to_text(assembly.orchestration.algorithm, assembly.orchestration.system),
                RUBATO_VERSION));
    const auto started = std::chrono::steady_clock::now();
    const engine::Summary summary =
        execute(simulation, recorder.get(), assembly.scenario.recording, output, log);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - started;
    if (recorder) recorder->conclude(status_of(summary.end), summary.reached, message_of(summary));
    if (!output.quiet)
        print(stdout, summarize(assembly, summary, wall.count(), recorder.get(), Style(stdout)));
    return summary.end == engine::RunEnd::interrupted ? exit_code::interrupted : exit_code::success;
}

} // namespace rubato::cli
