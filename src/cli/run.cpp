// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "console_log.hpp"
#include "exit_code.hpp"
#include "interrupt.hpp"
#include "progress_bar.hpp"
#include "run_summary.hpp"
#include "scenario_options.hpp"
#include "terminal.hpp"

#include <rubato/algorithm/text.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/run_recorder.hpp>
#include <rubato/report/text_table.hpp>

#include <chrono>
#include <memory>
#include <optional>

namespace rubato::cli {
namespace {

using report::RunRecorder;
using report::RunStatus;

struct RunOptions {
    ScenarioOptions scenario;
    bool no_record = false;
    bool explain = false;
    bool quiet = false;
    bool verbose = false;
};

LogLevel least_level(const RunOptions& options) {
    if (options.quiet) return LogLevel::error;
    return options.verbose ? LogLevel::debug : LogLevel::warning;
}

std::filesystem::path results_file(const scenario::Scenario& scenario) {
    if (scenario.recording.file) return *scenario.recording.file;
    return std::filesystem::path("results") / (scenario.name + ".csv");
}

void explain(const engine::Assembly& assembly) {
    const Style style(stdout);
    const synthesis::Orchestration& orchestration = assembly.orchestration;
    print(stdout,
          style.bold(format("{}, {}\n\n", assembly.scenario.name, algorithm_name(assembly))));
    print(stdout, algorithm::to_text(orchestration.algorithm, orchestration.system));
    if (!orchestration.remarks.empty()) print(stdout, "\n");
    for (const std::string& remark : orchestration.remarks) print(stdout, remark + "\n");
}

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
                        const scenario::Recording& recording, const RunOptions& options, Log& log) {
    const Interrupt interrupt;
    std::optional<ProgressBar> progress;
    if (!options.quiet) progress.emplace([&] { return simulation.progress(); });
    try {
        return simulation.run(
            {recorder, static_cast<std::uint64_t>(recording.every), &interrupt.requested()});
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

int run(const RunOptions& options) {
    ConsoleLog log(least_level(options));
    unit::Library library(log);
    add_native_models(library);
    const engine::Assembly assembly =
        load_scenario(options.scenario, library, least_level(options));
    if (options.explain) {
        explain(assembly);
        return exit_code::success;
    }
    engine::Simulation simulation = engine::build(assembly, library, log);
    std::unique_ptr<RunRecorder> recorder;
    if (!options.no_record)
        recorder = std::make_unique<RunRecorder>(
            results_file(assembly.scenario),
            report::describe_run(
                assembly.scenario,
                algorithm::to_text(assembly.orchestration.algorithm, assembly.orchestration.system),
                RUBATO_VERSION));
    const auto started = std::chrono::steady_clock::now();
    const engine::Summary summary =
        execute(simulation, recorder.get(), assembly.scenario.recording, options, log);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - started;
    if (recorder) recorder->conclude(status_of(summary.end), summary.reached, message_of(summary));
    if (!options.quiet)
        print(stdout, summarize(assembly, summary, wall.count(), recorder.get(), Style(stdout)));
    return summary.end == engine::RunEnd::interrupted ? exit_code::interrupted : exit_code::success;
}

void add_recording_options(CLI::App& command, RunOptions& options) {
    auto& overrides = options.scenario.overrides;
    command
        .add_option_function<std::vector<std::string>>(
            "--record",
            [&overrides](const std::vector<std::string>& patterns) {
                std::vector<std::string> quoted;
                for (const std::string& pattern : patterns) quoted.push_back(yaml_quoted(pattern));
                overrides.push_back({"record.variables", format("[{}]", fmt::join(quoted, ", "))});
            },
            "what to record: msd1.x1, 'msd1.*'; may be repeated")
        ->option_text("PATTERN")
        ->take_all()
        ->allow_extra_args(false)
        ->group("Results");
    command
        .add_option_function<std::string>(
            "--record-every",
            [&overrides](const std::string& n) {
                overrides.push_back({"record.every", n});
            },
            "record every n-th communication point")
        ->option_text("N")
        ->group("Results");
    command
        .add_option_function<std::string>(
            "-o,--output",
            [&overrides](const std::string& file) {
                overrides.push_back({"record.file", yaml_quoted(file)});
            },
            "where to write; default: results/<name>.csv")
        ->option_text("FILE.csv")
        ->group("Results");
    command.add_flag("--no-record", options.no_record, "write no results")->group("Results");
}

} // namespace

void add_run(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<RunOptions>();
    CLI::App& command = *app.add_subcommand("run", "Run a scenario and record its results");
    add_scenario_options(command, options->scenario);
    add_experiment_options(command, options->scenario);
    add_recording_options(command, *options);
    command.add_flag_callback(
        "--unverified", [options] { options->scenario.check = engine::Check::trust; },
        "run the algorithm without checking it against the contracts");
    command.add_flag("--explain", options->explain, "print the algorithm and run nothing");
    command.add_flag("-q,--quiet", options->quiet, "print only errors");
    command.add_flag("-v,--verbose", options->verbose, "print notes and what the units log");
    command.footer("Examples:\n"
                   "  rubato run crane.yaml\n"
                   "  rubato run crane.yaml --algorithm gauss-seidel --step 0.1 --stop 20\n"
                   "  rubato run crane.yaml --set winch.mass=120 --record 'winch.*' -o heavy.csv\n"
                   "  rubato run crane.yaml --explain");
    command.callback([options, &exit_code] { exit_code = run(*options); });
}

} // namespace rubato::cli
