// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "console_log.hpp"
#include "exit_code.hpp"
#include "interrupt.hpp"
#include "problems.hpp"
#include "scenario_options.hpp"
#include "terminal.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/files/output_file.hpp>
#include <rubato/pipeline/native_models.hpp>
#include <rubato/pipeline/sweep_results.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/text_table.hpp>
#include <rubato/scenario/sweep_settings.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <thread>

namespace rubato::cli {
namespace {

using pipeline::ExistingFolder;
using pipeline::Sweep;
using pipeline::SweepPlan;
using pipeline::SweepResults;
using report::Align;
using report::human_count;
using report::human_duration;
using report::human_number;
using report::plural;
using report::TextTable;

struct SweepOptions {
    ScenarioOptions scenario;
    std::vector<std::string> vary, outcomes;
    std::optional<int> samples, seed;
    unsigned threads = 0;
    std::optional<double> time_limit;
    std::filesystem::path output;
    bool resume = false, force = false, quiet = false;
};

/// What the section of the scenario says, unless the command line says it.
scenario::SweepSettings settings_of(const SweepOptions& options) {
    scenario::SweepSettings settings;
    const std::filesystem::path file = options.scenario.file;
    if (file.extension() == ".yaml" || file.extension() == ".yml") {
        Diagnostics diagnostics;
        settings = scenario::parse_sweep(files::read_file(file), file, diagnostics);
        throw_errors(diagnostics, file.string());
    }
    if (!options.vary.empty()) {
        settings.vary = options.vary;
        settings.samples.reset(); // of what the section varies
    }
    if (!options.outcomes.empty()) settings.outcomes = options.outcomes;
    if (options.samples) settings.samples = options.samples;
    if (options.seed) settings.seed = *options.seed;
    return settings;
}

SweepPlan plan_of(const scenario::SweepSettings& settings) {
    std::vector<pipeline::Variation> variations;
    for (const std::string& text : settings.vary)
        variations.push_back(pipeline::parse_variation(text));
    if (settings.samples && *settings.samples < 1)
        throw InputError(format("--samples is {}: at least one sample", *settings.samples));
    if (settings.seed < 0)
        throw InputError(format("--seed is {}: it must not be negative", settings.seed));
    std::optional<std::size_t> samples;
    if (settings.samples) samples = static_cast<std::size_t>(*settings.samples);
    return {std::move(variations), samples, static_cast<std::uint64_t>(settings.seed)};
}

/// Shows how far a sweep is, on a terminal only.
class SweepProgress {
public:
    SweepProgress(const SweepResults& results, std::size_t all, bool is_quiet)
        : results_(results), all_(all), is_shown_(!is_quiet && is_terminal(stderr)) {}
    ~SweepProgress() {
        if (is_shown_) print(stderr, "\r\033[K");
    }
    SweepProgress(const SweepProgress&) = delete;
    SweepProgress& operator=(const SweepProgress&) = delete;

    void advance() { ++done_; }

    void show() {
        using Clock = std::chrono::steady_clock;
        constexpr std::chrono::milliseconds period{200};
        const auto now = Clock::now();
        if (!is_shown_ || now - shown_ < period) return;
        shown_ = now;
        const double elapsed = std::chrono::duration<double>(now - begun_).count();
        std::string text = format("\r\033[K{} of {}", human_count(done_), plural(all_, "run"));
        if (results_.failed() > 0) text += format(", {} failed", human_count(results_.failed()));
        if (done_ > 0)
            text += format(", {} left", human_duration(elapsed * static_cast<double>(all_ - done_) /
                                                       static_cast<double>(done_)));
        print(stderr, text);
    }

private:
    const SweepResults& results_;
    std::size_t all_, done_ = 0;
    bool is_shown_;
    std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now(),
                                          shown_ = begun_;
};

std::string statistics_text(const SweepResults& results) {
    constexpr std::size_t most = 30;
    const auto all = results.statistics();
    TextTable table({{"outcome"},
                     {"runs", Align::right},
                     {"mean", Align::right},
                     {"std. dev.", Align::right},
                     {"min", Align::right},
                     {"5 %", Align::right},
                     {"median", Align::right},
                     {"95 %", Align::right},
                     {"max", Align::right}});
    for (const auto& one : std::span(all).first(std::min(most, all.size()))) {
        std::vector<std::string> cells = {one.name, human_count(one.count)};
        if (one.count > 0)
            for (const double value :
                 {one.mean, one.deviation, one.min, one.low, one.median, one.high, one.max})
                cells.push_back(human_number(value));
        table.add(std::move(cells));
    }
    std::string text = table.to_string();
    if (all.size() > most) text += format("  and {} more in statistics.csv\n", all.size() - most);
    return text;
}

std::string failures_text(const SweepResults& results) {
    constexpr std::size_t most = 5;
    if (results.failed() == 0) return "";
    const auto reasons = results.reasons();
    std::string text = format("{} failed:\n", plural(results.failed(), "run"));
    std::size_t shown = 0;
    for (const auto& [reason, count] : reasons) {
        if (shown++ == most) {
            text += format("  and {} more reasons in outcomes.csv\n", reasons.size() - most);
            break;
        }
        text += format("  {} {}\n", human_count(count), reason);
    }
    return text;
}

void make_runs(const SweepOptions& options, Sweep& sweep, SweepResults& results) {
    const Interrupt interrupt;
    const std::vector<std::size_t> runs = results.missing();
    const unsigned processors = std::max(1U, std::thread::hardware_concurrency());
    SweepProgress progress(results, runs.size(), options.quiet);
    const auto keep = [&](pipeline::CaseResult&& result) {
        results.add(std::move(result));
        progress.advance();
    };
    sweep.run(runs, {.parallel = options.threads > 0 ? options.threads : processors,
                     .limit = options.time_limit,
                     .stop = &interrupt.requested(),
                     .on_result = keep,
                     .pulse = [&] { progress.show(); }});
}

int run_sweep(const SweepOptions& options) {
    if (options.resume && options.force)
        throw InputError("--resume and --force exclude each other");
    if (options.time_limit && !(*options.time_limit > 0))
        throw InputError(
            format("--time-limit is {}: it must be above 0", human_number(*options.time_limit)));
    const scenario::SweepSettings settings = settings_of(options);
    ConsoleLog log(LogLevel::error);
    unit::Library library(log, {}, options.scenario.strictness);
    pipeline::add_native_models(library);
    (void)load_scenario(options.scenario, library, LogLevel::warning); // what is wrong with it
    SweepPlan plan = plan_of(settings);
    Sweep sweep(read_scenario(options.scenario, library), library, std::move(plan),
                settings.outcomes);
    const ExistingFolder existing = options.resume  ? ExistingFolder::resume
                                    : options.force ? ExistingFolder::replace
                                                    : ExistingFolder::refuse;
    SweepResults results(options.output, sweep, existing);
    const auto begun = std::chrono::steady_clock::now();
    const std::size_t wanted = results.missing().size();
    make_runs(options, sweep, results);
    results.conclude();
    const std::size_t left = results.missing().size();
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    const std::string folder = options.output.string();
    if (left > 0) {
        print(stderr, format("stopped: {} left; rubato sweep … -o {} --resume continues\n",
                             plural(left, "run"), folder));
        return exit_code::interrupted;
    }
    if (!options.quiet)
        print(stdout, statistics_text(results) + failures_text(results) +
                          format("{} in {}, in {}\n", plural(wanted, "run"),
                                 human_duration(seconds), folder));
    return results.failed() > 0 ? exit_code::run_failed : exit_code::success;
}

void add_sweep_options(Command& command, SweepOptions& options) {
    command
        .add_option("--vary", options.vary,
                    "what to vary, as --set names it, and its values: FROM:TO:STEP, a list A,B,C, "
                    "random:LOW:HIGH or lhs:LOW:HIGH (Latin hypercube); with a number of samples "
                    "lhs:N:LOW:HIGH")
        ->option_text("PATH=VALUES")
        ->take_all()
        ->allow_extra_args(false)
        ->default_str("section sweep of the scenario")
        ->group(group::experiment);
    command.add_option("--samples", options.samples, "number of samples of random and lhs")
        ->option_text("N")
        ->group(group::experiment);
    command.add_option("--seed", options.seed, "seed of the random numbers")
        ->option_text("N")
        ->default_str("1")
        ->group(group::experiment);
    command
        .add_option(
            "--outcome", options.outcomes,
            "what to tabulate of each run: last:VARIABLE, min:VARIABLE, max:VARIABLE, or "
            "\"when:VARIABLE>NUMBER\" for the first time at which that holds; variables may "
            "be patterns")
        ->option_text("OUTCOME")
        ->take_all()
        ->allow_extra_args(false)
        ->default_str("last, min and max of every recorded variable")
        ->group(group::output);
    command
        .add_option("--threads", options.threads,
                    "runs at the same time; the results do not depend on it")
        ->option_text("N")
        ->default_str("number of processors")
        ->check(must_be_positive)
        ->group(group::general);
    command.add_option("--time-limit", options.time_limit, "time that one run may take [s]")
        ->option_text("T")
        ->default_str("none")
        ->group(group::general);
    command.add_option("-o,--output", options.output, "folder to create, for the results")
        ->option_text("FOLDER")
        ->required()
        ->group(group::output);
    command.add_flag("--resume", options.resume, "continue a sweep that was stopped")
        ->group(group::output);
    command.add_flag("--force", options.force, "replace a sweep in the folder")
        ->group(group::output);
    command.add_flag("-q,--quiet", options.quiet, "print neither progress nor statistics")
        ->group(group::output);
}

} // namespace

void add_sweep(Command& program, int& exit_code) {
    auto options = std::make_shared<SweepOptions>();
    Command& command = program.add_command("sweep", "Run a scenario many times with other values");
    add_scenario_options(command, options->scenario);
    add_sweep_options(command, *options);
    command.manual.description = {
        "Runs the scenario for each combination of listed values and each sample. Runs are made in "
        "processes of their own, several at the same time; each process loads the FMUs once. A run "
        "that fails, crashes or exceeds the time limit is a row with its reason.",
        "The folder gets outcomes.csv with a row for each run, statistics.csv, and the ensemble "
        "over time as ensemble.csv and ensemble.svg: the median, and bands of 5 % to 95 % and 25 % "
        "to 75 % of the runs."};
    command.manual.examples = {
        {"rubato sweep crane.yaml --vary winch.k=1:10:0.5 -o sweep",
         "Make 19 runs, one for each value."},
        {"rubato sweep crane.yaml --vary winch.k=lhs:1:10 --vary load.m=lhs:50:200 --samples 100 "
         "-o sweep",
         "Make 100 runs, a Latin hypercube of two variables."},
        {"rubato sweep crane.yaml --vary load.m=50:200:10 --outcome 'max:load.*' "
         "--outcome 'when:load.x>0.5' -o sweep",
         "Tabulate the largest values, and when the load passes 0.5."},
        {"rubato sweep crane.yaml --vary winch.k=1:10:0.5 -o sweep --resume",
         "Continue after Ctrl-C."}};
    command.manual.exit_codes = {{"0", "all runs were made"},
                                 {"1", "some runs failed: outcomes.csv has their reasons"},
                                 {"130", "interrupted; --resume makes the runs that are left"}};
    command.callback([options, &exit_code] { exit_code = run_sweep(*options); });
}

} // namespace rubato::cli
