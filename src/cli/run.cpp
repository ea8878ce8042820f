// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "console_log.hpp"
#include "exit_code.hpp"
#include "own_output.hpp"
#include "run_assembly.hpp"
#include "run_summary.hpp"
#include "scenario_options.hpp"
#include "terminal.hpp"

#include <rubato/algorithm/text.hpp>
#include <rubato/pipeline/native_models.hpp>
#include <rubato/private/format.hpp>

#include <memory>

namespace rubato::cli {
namespace {

struct RunOptions {
    ScenarioOptions scenario;
    bool no_record = false;
    bool explain = false;
    bool quiet = false;
    bool verbose = false;
    bool trust = false;
    bool reference = false;
    bool force = false;
};

LogLevel least_level(const RunOptions& options) {
    if (options.quiet) return LogLevel::error;
    return options.verbose ? LogLevel::debug : LogLevel::warning;
}

std::filesystem::path results_file(const scenario::Scenario& scenario) {
    if (scenario.recording.file) return *scenario.recording.file;
    return std::filesystem::path("results") / (scenario.name + ".csv");
}

void explain(const pipeline::Assembly& assembly, std::FILE* stream) {
    const Style style(stream);
    const synthesis::Orchestration& orchestration = assembly.orchestration;
    print(stream,
          style.bold(format("{}, {}\n\n", assembly.scenario.name, algorithm_name(assembly))));
    print(stream, algorithm::to_text(orchestration.algorithm, orchestration.system));
    if (!orchestration.remarks.empty()) print(stream, "\n");
    for (const std::string& remark : orchestration.remarks) print(stream, remark + "\n");
}

int run(const RunOptions& options) {
    const OwnOutput own;
    ConsoleLog log(least_level(options));
    unit::Library library(log, {}, options.scenario.strictness);
    pipeline::add_native_models(library);
    const pipeline::Assembly assembly =
        load_scenario(options.scenario, library, least_level(options));
    if (options.explain) {
        explain(assembly, own.stream());
        return exit_code::success;
    }
    if (options.reference && assembly.scenario.recording.intermediate > 0)
        throw InputError("--reference compares communication points, but record.intermediate asks "
                         "for more",
                         "leave one of them out");
    RunOutput output{.results = {},
                     .plain_unit = {},
                     .quiet = options.quiet,
                     .strict = options.scenario.strictness == unit::Strictness::strict,
                     .force = options.force,
                     .trust = options.trust,
                     .reference = options.reference,
                     .summary = own.stream()};
    if (!options.no_record) output.results = results_file(assembly.scenario);
    return run_assembly(assembly, library, output, log);
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
            "--record-interval",
            [&overrides](const std::string& interval) {
                overrides.push_back({"record.interval", interval});
            },
            "record at start + n·interval [s]: steps end there")
        ->option_text("DT")
        ->group("Results");
    command
        .add_option_function<std::string>(
            "-o,--output",
            [&overrides](const std::string& file) {
                overrides.push_back({"record.file", yaml_quoted(file)});
            },
            "where to write; default: results/<name>.csv; -: standard output")
        ->option_text("FILE.csv")
        ->group("Results");
    command
        .add_flag("--force", options.force,
                  "replace the file even if it does not hold earlier results of the scenario")
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
        "--unverified",
        [options] { options->scenario.verification = pipeline::Verification::skip; },
        "run the algorithm without checking it against the contracts");
    command.add_flag("--trust", options->trust,
                     "show what the verdict on the result comes from: errors of connections, "
                     "energy of bonds");
    command
        .add_option_function<std::string>(
            "--reference",
            [options](const std::string& step) {
                if (step != "H/2") throw CLI::ValidationError("--reference", "give H/2");
                options->reference = true;
            },
            "repeat with steps of half and a quarter of the length, and show the observed order "
            "and the error of each recorded variable")
        ->option_text("H/2");
    command.add_flag("--explain", options->explain, "print the algorithm and run nothing");
    command.add_flag("-q,--quiet", options->quiet, "print only errors");
    command.add_flag("-v,--verbose", options->verbose, "print notes and what the units log");
    command.footer("Examples:\n"
                   "  rubato run crane.yaml\n"
                   "  rubato run crane.yaml --algorithm gauss-seidel --step 0.1 --stop 20\n"
                   "  rubato run crane.yaml --set winch.mass=120 --record 'winch.*' -o heavy.csv\n"
                   "  rubato run crane.yaml --step-control predictor --step-tolerance 1e-4\n"
                   "  rubato run crane.yaml --trust --reference H/2\n"
                   "  rubato run crane.yaml --explain");
    command.callback([options, &exit_code] { exit_code = run(*options); });
}

} // namespace rubato::cli
