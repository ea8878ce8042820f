// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "run_assembly.hpp"
#include "scenario_options.hpp"
#include "simulate_corpus.hpp"
#include "simulate_one.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/words.hpp>

#include <memory>
#include <string>

namespace rubato::cli {
namespace {

/// Name of the FMU in messages and patterns.
constexpr auto unit_name = "model";

Manual simulate_manual() {
    Manual manual;
    manual.sections = {
        {"Input file",
         {"The first row of the input file names the columns: time, then inputs of the FMU or "
          "parameters that may change during a run. Continuous inputs are interpolated linearly "
          "between rows, all others are held; two rows with the same time are a jump."},
         {}},
        {"Corpus",
         {"A corpus is a folder of FMUs. Files in the folder of an FMU winch.fmu describe its run: "
          "winch_ref.csv (expected results), winch_in.csv (input) and winch_ref.opt (lines such as "
          "\"StopTime, 10\"; with a StepSize above 0, models are solved by Euler with that step "
          "size, as the reference was). Each FMU runs in a separate process, as model exchange or "
          "co-simulation if a parent folder is named me or cs. The exit code is 0 only if all "
          "FMUs pass:"},
         {{"PASS",
           "the results agree with the reference: each variable within 1 % of its range, "
           "at a time within 0.2 % of the duration, and the reverse; followed by what it took: "
           "inputs held between rows, shorter steps (a tenth, a hundredth) of a "
           "co-simulation, or a first row that differs"},
          {"MISMATCH", "the FMU ran, but the results left this tube: first variable and time"},
          {"REJECTED", "the FMU could not be run, or failed: message of Rubato"},
          {"CRASH", "the FMU ended the process: signal"},
          {"TIMEOUT", "the FMU exceeded the time limit"}}}};
    manual.examples = {
        {"rubato simulate winch.fmu", "Run an FMU with its default experiment."},
        {"rubato simulate winch.fmu --stop 10 --step 0.01 --input in.csv --output out.csv",
         "Run it with inputs from a file."},
        {"rubato simulate winch.fmu --set k=3 --record x --record 'v.*' --tolerance 1e-6",
         "Set a parameter, and choose the variables to record."},
        {"rubato simulate winch.fmu --type me --solver adams --tolerance 1e-8",
         "Solve a model-exchange FMU with the Adams method."},
        {"rubato simulate winch.fmu --isolate --time-limit 5",
         "Run an FMU that may crash or hang."},
        {"rubato simulate --corpus fmus --time-limit 30 --threads 4",
         "Compare all FMUs of a folder with their references."}};
    return manual;
}

void add_experiment(Command& command, scenario::SingleRun& run) {
    const auto add = [&](const char* name, std::optional<double>& value, const char* text,
                         const char* argument, const char* default_value) {
        return command.add_option(name, value, text)
            ->option_text(argument)
            ->default_str(default_value)
            ->group(group::experiment);
    };
    add("--start", run.start, "start time [s]", "T", "as the FMU suggests, else 0");
    add("--stop", run.stop, "stop time [s]", "T", "as the FMU suggests, else 1 s after the start");
    add("--step", run.step, "communication step size [s]", "H",
        "as the FMU suggests, else 1/500 of the duration");
    command.add_option("-i,--input", run.input, "table of inputs over time")
        ->option_text("FILE.csv")
        ->group(group::experiment);
    command.add_option("--set", run.settings, "parameter or start value")
        ->option_text("NAME=VALUE")
        ->take_all()
        ->allow_extra_args(false)
        ->group(group::experiment);
    add("--tolerance", run.tolerance, "relative tolerance of the solver", "R",
        "as the FMU suggests; model exchange: else 1e-6")
        ->group(group::accuracy);
}

template <class Enum>
std::vector<std::string> texts_of() {
    std::vector<std::string> texts;
    for (const auto& word : scenario::words<Enum>()) texts.emplace_back(word.text);
    return texts;
}

/// The value of an option whose values are those of an enumeration.
template <class Enum>
Enum parse_choice(const std::string& option, const std::string& text) {
    if (const auto value = scenario::find_word<Enum>(text)) return *value;
    throw InputError(format("{} cannot be \"{}\"", option, text),
                     suggest(text, texts_of<Enum>(), "its values"));
}

void add_interface(Command& command, scenario::Unit& model) {
    CLI::Option* const type = command.add_option_function<std::string>(
        "--type",
        [&model](const std::string& text) {
            model.type = parse_choice<scenario::Interface>("--type", text);
        },
        "interface to use, co-simulation or model exchange");
    type->option_text("TYPE")->default_str("cs if the FMU has it")->group(group::algorithm);
    command.set_choices(type, texts_of<scenario::Interface>());
    CLI::Option* const solver = command.add_option_function<std::string>(
        "--solver",
        [&model](const std::string& text) {
            model.solver.emplace().method = parse_choice<scenario::SolverMethod>("--solver", text);
        },
        "solver for model exchange");
    solver->option_text("METHOD")
        ->default_str(std::string(to_string(scenario::SolverSettings().method)))
        ->group(group::algorithm);
    command.set_choices(solver, texts_of<scenario::SolverMethod>());
    model.can_reject_step = false; // a single unit has no reason to, and saving states costs time
    command
        .add_flag_callback(
            "--negotiate", [&model] { model.can_reject_step = true; },
            "save the state before each step, so that a step that the FMU rejects can be repeated "
            "with a smaller step size")
        ->group(group::algorithm);
    command
        .add_flag_callback(
            "--isolate", [&model] { model.isolate.emplace(); },
            "run the FMU in a separate process: if it crashes, exits or exceeds the time limit of "
            "a call, the run ends with a message and keeps the results")
        ->group(group::algorithm);
}

void add_results(Command& command, SimulateOptions& options) {
    command.add_option("--record", options.run.record, "variables to record: x, 'v.*'")
        ->option_text("PATTERN")
        ->default_str("every output")
        ->take_all()
        ->allow_extra_args(false)
        ->group(group::output);
    command
        .add_option("--record-columns-of", options.record_columns_of,
                    "record the variables that another results file contains, such as a reference")
        ->option_text("FILE")
        ->group(group::output);
    command
        .add_option("--record-every", options.record_every, "record every N-th communication point")
        ->option_text("N")
        ->default_str(std::to_string(options.record_every))
        ->group(group::output);
    command
        .add_option("--intermediate", options.intermediate,
                    "record up to N additional times within each step, if the FMU provides "
                    "intermediate outputs")
        ->option_text("N")
        ->default_str(std::to_string(options.intermediate))
        ->group(group::output);
    command.add_option("-o,--output", options.output, results_option_text())
        ->option_text("FILE")
        ->default_str("results/<name>.csv")
        ->take_all()
        ->allow_extra_args(false)
        ->group(group::output);
    command
        .add_flag("--force", options.force,
                  "overwrite the results file even if it does not contain earlier results of this "
                  "FMU")
        ->group(group::output);
    command.add_flag("--no-record", options.no_record, "do not write results")
        ->group(group::output);
    add_strict_option(command, options.strictness);
}

/// Options for the run of one FMU cannot be used with a corpus.
void add_corpus(Command& command, CorpusOptions& options) {
    const auto before = command.get_options({});
    CLI::Option* const corpus =
        command
            .add_option("--corpus", options.folder,
                        "run all FMUs in a folder, and compare the results with references")
            ->option_text("FOLDER")
            ->group(group::corpus);
    command.add_option("--threads", options.threads, "number of FMUs to run at the same time")
        ->option_text("N")
        ->default_str(std::to_string(options.threads))
        ->check(CLI::Range(1, 1024))
        ->needs(corpus)
        ->group(group::corpus);
    for (CLI::Option* const option : before) {
        const bool is_for_all = option->get_positional() || option->check_lname("strict") ||
                                option->get_group() == group::general;
        if (!is_for_all) corpus->excludes(option);
    }
}

/// Of each FMU of a corpus, or of each call of an isolated FMU.
void add_time_limit(Command& command, std::optional<double>& limit) {
    command
        .add_option("--time-limit", limit,
                    "time limit for each FMU of a corpus, or for each call with --isolate [s]")
        ->option_text("S")
        ->default_str(shortest(scenario::IsolationSettings().time_limit))
        ->check(must_be_positive)
        ->group(group::corpus);
}

int simulate(SimulateOptions& options, CorpusOptions& corpus, std::optional<double> time_limit) {
    const bool is_corpus = !corpus.folder.empty();
    auto& isolate = options.run.model.isolate;
    if (time_limit && !is_corpus && !isolate)
        throw InputError("--time-limit needs --corpus or --isolate",
                         "add --isolate to limit the time of each call of the FMU");
    const bool is_one = !options.run.model.is_only_declared();
    if (is_one && !is_corpus) {
        if (isolate && time_limit) isolate->time_limit = *time_limit;
        return simulate_one(options);
    }
    if (is_corpus && !is_one) {
        corpus.time_limit = time_limit.value_or(corpus.time_limit);
        return simulate_corpus(corpus);
    }
    throw InputError("simulate runs one FMU or a corpus",
                     "write rubato simulate FILE.fmu, or rubato simulate --corpus FOLDER");
}

} // namespace

void add_simulate(Command& program, int& exit_code) {
    auto options = std::make_shared<SimulateOptions>();
    options->run.model.name = unit_name;
    auto corpus = std::make_shared<CorpusOptions>();
    auto time_limit = std::make_shared<std::optional<double>>();
    Command& command = program.add_command(
        "simulate", "Run one FMU alone, or compare a folder of FMUs with references");
    command
        .add_option_function<std::string>(
            "fmu",
            [options](const std::string& file) {
                options->run.model.origin = scenario::FmuFile{file};
                options->run.model.where.file = file;
            },
            "FMU to run")
        ->option_text("FILE.fmu");
    add_experiment(command, options->run);
    add_interface(command, options->run.model);
    add_results(command, *options);
    add_corpus(command, *corpus);
    add_time_limit(command, *time_limit);
    command.add_flag("-q,--quiet", options->quiet, "print only errors");
    command.add_flag("-v,--verbose", options->verbose, "print notes and log messages of the FMU");
    command.manual = simulate_manual();
    command.callback([options, corpus, time_limit, &exit_code] {
        exit_code = simulate(*options, *corpus, *time_limit);
    });
}

} // namespace rubato::cli
