// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
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

/// What messages and patterns call the FMU.
constexpr auto unit_name = "model";

constexpr auto footer = R"(Examples:
  rubato simulate winch.fmu
  rubato simulate winch.fmu --stop 10 --step 0.01 --input in.csv --output out.csv
  rubato simulate winch.fmu --set k=3 --record x --record 'v.*' --tolerance 1e-6
  rubato simulate winch.fmu --type me --solver adams --tolerance 1e-8
  rubato simulate winch.fmu --isolate --time-limit 5
  rubato simulate --corpus fmus --time-limit 30 --threads 4

The input's first row names the columns: time, then inputs of the FMU or parameters that may change
during a run. Continuous inputs are linear between rows, all others held; two rows of the same time
are a jump. What is not given is what the FMU suggests (DefaultExperiment); else the run goes from 0
to 1 s in 500 steps.

With --isolate the FMU runs in a process of its own: if it crashes, exits, or takes longer for a call
than the time limit, the run ends with a message, and the results so far stay.

A corpus is a folder of FMUs, each with what is known of it beside it: winch_ref.csv (what it should
give), winch_in.csv (its input) and winch_ref.opt (lines such as "StopTime, 10"; with a StepSize above
0, models are solved by Euler with that step, as the reference was). Each FMU runs in a process of its
own, by model exchange or co-simulation if a folder above it is called me or cs; the exit code is 0
only if all pass:
  PASS       each variable is within 1 % of its range of the reference, at a time within 0.2 % of the
             span; and the reference is as near to the results. What this took is behind it: inputs
             held between rows, shorter steps (a tenth, a hundredth) of a co-simulation, or that the
             first row differs
  MISMATCH   it ran, but left that tube: the first variable and time
  REJECTED   it could not be run, or failed: what Rubato said
  CRASH      it ended the process: the signal
  TIMEOUT    it was not done within the time limit)";

void add_experiment(CLI::App& command, scenario::SingleRun& run) {
    const auto add = [&](const char* name, std::optional<double>& value, const char* help,
                         const char* text) {
        command.add_option(name, value, help)->option_text(text)->group("Settings");
    };
    add("--start", run.start, "time at which to start [s]", "T");
    add("--stop", run.stop, "time at which to stop [s]", "T");
    add("--step", run.step, "communication step [s]", "H");
    add("--tolerance", run.tolerance, "relative tolerance for the solver", "R");
    command
        .add_option("--set", run.settings, "value of a parameter or start value; may be repeated")
        ->option_text("NAME=VALUE")
        ->take_all()
        ->allow_extra_args(false)
        ->group("Settings");
    command.add_option("-i,--input", run.input, "a table of inputs over time")
        ->option_text("FILE.csv")
        ->group("Settings");
}

/// The value that a word of the command line means.
template <class Enum>
Enum read_word(const std::string& option, const std::string& text) {
    if (const auto value = scenario::find_word<Enum>(text)) return *value;
    std::vector<std::string> words;
    for (const auto& word : scenario::words<Enum>()) words.emplace_back(word.text);
    throw InputError(format("{} cannot be \"{}\"", option, text),
                     suggest(text, words, "its values"));
}

void add_interface(CLI::App& command, scenario::Unit& model) {
    command
        .add_option_function<std::string>(
            "--type",
            [&model](const std::string& text) {
                model.type = read_word<scenario::Interface>("--type", text);
            },
            "cs (co-simulation) or me (model exchange); default: cs if the FMU offers that")
        ->option_text("TYPE")
        ->group("Settings");
    command
        .add_option_function<std::string>(
            "--solver",
            [&model](const std::string& text) {
                model.solver.emplace().method = read_word<scenario::SolverMethod>("--solver", text);
            },
            "for model exchange: cvode (default), adams or euler")
        ->option_text("METHOD")
        ->group("Settings");
    model.can_reject_step = false; // alone it has no reason to, and saving states costs
    command
        .add_flag_callback(
            "--negotiate", [&model] { model.can_reject_step = true; },
            "save the state before each step, so that a step that the FMU rejects can be made "
            "shorter")
        ->group("Settings");
    command
        .add_flag_callback(
            "--isolate", [&model] { model.isolate.emplace(); },
            "run the FMU in a process of its own")
        ->group("Settings");
}

void add_results(CLI::App& command, SimulateOptions& options) {
    command
        .add_option("--record", options.run.record,
                    "what to record: x, 'v.*'; may be repeated; default: every output")
        ->option_text("PATTERN")
        ->take_all()
        ->allow_extra_args(false)
        ->group("Results");
    command
        .add_option("--record-columns-of", options.record_columns_of,
                    "record what is recorded in another file, such as a reference")
        ->option_text("FILE.csv")
        ->group("Results");
    command
        .add_option("--record-every", options.record_every, "record every n-th communication point")
        ->option_text("N")
        ->group("Results");
    command
        .add_option("--intermediate", options.intermediate,
                    "record up to so many instants within each step, too, if the FMU tells them")
        ->option_text("N")
        ->group("Results");
    command
        .add_option("-o,--output", options.output,
                    "where to write; default: results/<name>.csv; -: standard output")
        ->option_text("FILE.csv")
        ->group("Results");
    command
        .add_flag("--force", options.force,
                  "replace the file even if it does not hold earlier results of the FMU")
        ->group("Results");
    command.add_flag("--no-record", options.no_record, "write no results")->group("Results");
    add_strict_option(command, options.strictness);
}

/// Everything that says how one FMU is run is not for a corpus.
void add_corpus(CLI::App& command, CorpusOptions& options) {
    const auto settings = command.get_options({});
    CLI::Option* const corpus =
        command.add_option("--corpus", options.folder, "run all FMUs in a folder")
            ->option_text("FOLDER")
            ->group("Corpus");
    command
        .add_option("--threads", options.threads, "run so many FMUs of a corpus at the same time")
        ->option_text("N")
        ->check(CLI::Range(1, 1024))
        ->needs(corpus)
        ->group("Corpus");
    for (CLI::Option* const setting : settings) {
        const std::string& group = setting->get_group();
        if (group == "Settings" || group == "Results") corpus->excludes(setting);
    }
}

/// Of each FMU of a corpus, or of each call of an isolated one.
void add_time_limit(CLI::App& command, std::optional<double>& limit) {
    command
        .add_option(
            "--time-limit", limit,
            "seconds for each FMU of a corpus, or for each call with --isolate; default: 60")
        ->option_text("S")
        ->check(CLI::PositiveNumber);
}

int simulate(SimulateOptions& options, CorpusOptions& corpus, std::optional<double> time_limit) {
    const bool is_corpus = !corpus.folder.empty();
    auto& isolate = options.run.model.isolate;
    if (time_limit && !is_corpus && !isolate)
        throw InputError("--time-limit is for a corpus, or for an FMU in a process of its own",
                         "add --isolate");
    if (options.run.model.fmu && !is_corpus) {
        if (isolate && time_limit) isolate->time_limit = *time_limit;
        return simulate_one(options);
    }
    if (is_corpus && !options.run.model.fmu) {
        corpus.time_limit = time_limit.value_or(corpus.time_limit);
        return simulate_corpus(corpus);
    }
    throw InputError("simulate runs one FMU, or a corpus",
                     "write rubato simulate FILE.fmu, or rubato simulate --corpus FOLDER");
}

} // namespace

void add_simulate(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<SimulateOptions>();
    options->run.model.name = unit_name;
    auto corpus = std::make_shared<CorpusOptions>();
    auto time_limit = std::make_shared<std::optional<double>>();
    CLI::App& command = *app.add_subcommand(
        "simulate", "Run one FMU on its own, or a folder of FMUs against references");
    command
        .add_option_function<std::string>(
            "fmu",
            [options](const std::string& file) {
                options->run.model.fmu = file;
                options->run.model.where.file = file;
            },
            "the FMU")
        ->option_text("FILE.fmu");
    add_experiment(command, options->run);
    add_interface(command, options->run.model);
    add_results(command, *options);
    add_corpus(command, *corpus);
    add_time_limit(command, *time_limit);
    command.add_flag("-q,--quiet", options->quiet, "print only errors");
    command.add_flag("-v,--verbose", options->verbose, "print notes and what the FMU logs");
    command.footer(footer);
    command.callback([options, corpus, time_limit, &exit_code] {
        exit_code = simulate(*options, *corpus, *time_limit);
    });
}

} // namespace rubato::cli
