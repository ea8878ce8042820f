// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "console_log.hpp"
#include "distributed_run.hpp"
#include "exit_code.hpp"
#include "own_output.hpp"
#include "run_assembly.hpp"
#include "run_options.hpp"
#include "run_summary.hpp"
#include "terminal.hpp"

#include <rubato/algorithm/text.hpp>
#include <rubato/core/text.hpp>
#include <rubato/files/csv.hpp>
#include <rubato/pipeline/native_models.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

namespace rubato::cli {
namespace {

LogLevel least_level(const RunOptions& options) {
    if (options.quiet) return LogLevel::error;
    return options.verbose ? LogLevel::debug : LogLevel::warning;
}

std::vector<std::filesystem::path> results_files(const RunOptions& options,
                                                 const scenario::Scenario& scenario) {
    if (options.no_record) return {};
    if (!options.results.empty()) return options.results;
    if (scenario.recording.file) return {*scenario.recording.file};
    return {std::filesystem::path("results") / (scenario.name + ".csv")};
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

/// Ranks, by unit: those of the federates that have claimed them.
std::vector<std::uint32_t> claimed(const distributed::Federation& federation,
                                   const pipeline::Assembly& assembly) {
    std::vector<std::uint32_t> owners;
    for (const auto& unit : assembly.scenario.units) {
        const auto has_it = [&](const distributed::Member& member) {
            return std::ranges::count(member.units, unit.name) > 0;
        };
        const auto found = std::ranges::find_if(federation.members(), has_it);
        if (found == federation.members().end())
            throw InputError(format("no federate has unit \"{}\"", unit.name));
        owners.push_back(static_cast<std::uint32_t>(found - federation.members().begin()));
    }
    return owners;
}

/// What is exchanged with federates of other tools; null: nothing is.
std::unique_ptr<distributed::ForeignExchange>
foreign_exchange(const RunOptions& options, const pipeline::Assembly& assembly,
                 distributed::Federation* federation, const std::vector<std::uint32_t>& owners,
                 Log& log) {
    const scenario::System& system = assembly.orchestration.system;
    if (!distributed::ForeignExchange::is_needed(system)) return nullptr;
    const scenario::Scenario& scenario = assembly.scenario;
    if (!federation) {
        log.write(LogLevel::warning, {},
                  format("{}: hla has no effect, since the run is no federation (--hla){}",
                         to_string(scenario.hla.where),
                         system.hla_inputs.empty() ? "" : "; its inputs keep their start values"));
        return nullptr;
    }
    if (options.reference)
        throw InputError("--reference repeats the run, but federates of other tools cannot go back",
                         "leave it out, or remove the section hla");
    if (scenario.experiment.start < 0)
        throw InputError(format("{}: experiment.start is {} s, but logical time begins at 0",
                                to_string(scenario.experiment.where),
                                shortest(scenario.experiment.start)),
                         "let the scenario begin at 0 or later, or remove the section hla");
    return std::make_unique<distributed::ForeignExchange>(*federation, system, owners, log);
}

} // namespace

int run_scenario(const RunOptions& options, engine::Processes* processes,
                 distributed::Federation* federation) {
    const OwnOutput own;
    const bool is_first = !processes || processes->rank() == 0;
    ConsoleLog console(least_level(options));
    ProcessLog log(console, is_first);
    unit::Library library(log, {}, options.scenario.strictness);
    pipeline::add_native_models(library);
    const pipeline::Assembly assembly =
        load_scenario(options.scenario, library, is_first ? least_level(options) : LogLevel::error);
    if (options.explain) {
        if (is_first) explain(assembly, own.stream());
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
                     .profile = options.profile,
                     .real_time = options.real_time,
                     .summary = own.stream(),
                     .processes = processes,
                     .placement = {}};
    if (processes) {
        require_same_inputs(*processes, assembly, library);
        output.placement =
            federation ? claimed(*federation, assembly) : place(*processes, assembly);
    }
    const auto foreign = foreign_exchange(options, assembly, federation, output.placement, log);
    output.foreign = foreign.get();
    log.let_units_write();
    output.results = results_files(options, assembly.scenario);
    return run_assembly(assembly, library, output, log);
}

namespace {

void add_recording_options(Command& command, RunOptions& options) {
    auto& overrides = options.scenario.overrides;
    command
        .add_option_function<std::vector<std::string>>(
            "--record",
            [&overrides](const std::vector<std::string>& patterns) {
                std::vector<std::string> quoted;
                for (const std::string& pattern : patterns) quoted.push_back(yaml_quoted(pattern));
                overrides.push_back({"record.variables", format("[{}]", fmt::join(quoted, ", "))});
            },
            "variables to record: msd1.x1, 'msd1.*'")
        ->option_text("PATTERN")
        ->default_str("every output")
        ->take_all()
        ->allow_extra_args(false)
        ->group(group::output);
    command
        .add_option_function<std::string>(
            "--record-every",
            [&overrides](const std::string& n) {
                overrides.push_back({"record.every", n});
            },
            "record every N-th communication point")
        ->option_text("N")
        ->default_str("1")
        ->group(group::output);
    command
        .add_option_function<std::string>(
            "--record-interval",
            [&overrides](const std::string& interval) {
                overrides.push_back({"record.interval", interval});
            },
            "record at times start + n·DT [s]; communication steps end at these times")
        ->option_text("DT")
        ->group(group::output);
    command.add_option("-o,--output", options.results, results_option_text())
        ->option_text("FILE")
        ->default_str("results/<name>.csv")
        ->take_all()
        ->allow_extra_args(false)
        ->group(group::output);
    command
        .add_flag("--force", options.force,
                  "overwrite the results file even if it does not contain earlier results of this "
                  "scenario")
        ->group(group::output);
    command.add_flag("--no-record", options.no_record, "do not write results")
        ->group(group::output);
}

void add_accuracy_options(Command& command, RunOptions& options) {
    command
        .add_flag("--trust", options.trust,
                  "show the details behind the accuracy verdict: errors of the connections, energy "
                  "of the power bonds")
        ->group(group::accuracy);
    CLI::Option* const reference = command.add_option_function<std::string>(
        "--reference", [&options](const std::string&) { options.reference = true; },
        "repeat the run with half and a quarter of the step size; show the observed order of "
        "convergence and the error of each recorded variable");
    reference->option_text("H/2")->group(group::accuracy);
    command.restrict_to(reference, {"H/2"});
}

void add_pacing_option(Command& command, RunOptions& options) {
    command
        .add_option_function<std::string>(
            "--real-time",
            [&options](const std::string& text) {
                options.real_time = text.empty() ? 1.0 : files::parse_real(text);
                if (options.real_time && *options.real_time > 0 &&
                    std::isfinite(*options.real_time))
                    return;
                throw InputError(format("--real-time {} is not a positive number", text),
                                 "write simulated seconds per second, after the scenario: "
                                 "rubato run crane.yaml --real-time 2");
            },
            "let simulated time pass like the time of the wall clock, or FACTOR times as fast; the "
            "summary shows which steps were late")
        ->option_text("[FACTOR]")
        ->expected(0, 1)
        ->group(group::experiment);
}

Manual run_manual() {
    Manual manual;
    manual.sections = {override_section()};
    manual.examples = {
        {"rubato run crane.yaml", "Run a scenario; the results go to results/crane.csv."},
        {"rubato run crane.yaml --algorithm gauss-seidel --step 0.1 --stop 20",
         "Run it with another algorithm, step size and stop time."},
        {"rubato run crane.yaml --set winch.mass=120 --record 'winch.*' -o heavy.csv",
         "Change a parameter, and record the variables of one unit in another file."},
        {"rubato run crane.yaml --step-control predictor --step-tolerance 1e-4",
         "Adapt the step size to a tolerance."},
        {"rubato run crane.yaml --trust --reference H/2",
         "Show how accurate the result is, also by runs with smaller steps."},
        {"rubato run crane.yaml -o crane.mat -o crane.csv",
         "Write the results for OpenModelica and Dymola, and as CSV."},
        {"rubato run crane.yaml --real-time 2", "Run twice as fast as real time."},
        {"rubato run crane.yaml --profile", "Show which units take how much of the time."},
        {"rubato run crane.yaml --explain", "Print the algorithm."}};
    return manual;
}

} // namespace

void add_run(Command& program, int& exit_code) {
    auto options = std::make_shared<RunOptions>();
    Command& command = program.add_command("run", "Run a scenario and record its results");
    add_scenario_options(command, options->scenario);
    add_experiment_options(command, options->scenario);
    command
        .add_flag_callback(
            "--unverified",
            [options] { options->scenario.verification = pipeline::Verification::skip; },
            "run the algorithm without verification against the contracts of the units")
        ->group(group::algorithm);
    command
        .add_flag("--hla", options->hla.is_wanted,
                  "run as the master of an HLA federation; its other federates are started by "
                  "rubato federate")
        ->group(group::federation);
    add_federation_options(command, options->hla);
    add_accuracy_options(command, *options);
    add_recording_options(command, *options);
    add_pacing_option(command, *options);
    command
        .add_flag("--profile", options->profile,
                  "measure the calls of each unit, and show where the wall time of the run goes")
        ->group(group::output);
    command.add_flag("--explain", options->explain, "print the algorithm; do not run it")
        ->group(group::output);
    command.add_flag("-q,--quiet", options->quiet, "print only errors");
    command.add_flag("-v,--verbose", options->verbose, "print notes and log messages of the units");
    command.manual = run_manual();
    command.callback([options, &exit_code] {
        if (options->hla.is_wanted && !options->explain) {
            exit_code = run_as_master(*options);
            return;
        }
        exit_code =
            in_processes([&](engine::Processes* all) { return run_scenario(*options, all); });
    });
}

} // namespace rubato::cli
