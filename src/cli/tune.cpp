// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "console_log.hpp"
#include "exit_code.hpp"
#include "interrupt.hpp"
#include "scenario_options.hpp"
#include "terminal.hpp"

#include <rubato/core/text.hpp>
#include <rubato/files/output_file.hpp>
#include <rubato/pipeline/formats.hpp>
#include <rubato/pipeline/native_models.hpp>
#include <rubato/pipeline/tune.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/figure.hpp>
#include <rubato/report/text_table.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>
#include <thread>

namespace rubato::cli {
namespace {

using pipeline::Tried;
using pipeline::TuneCost;
using pipeline::Tuned;
using report::Align;
using report::human_count;
using report::human_duration;
using report::plural;
using report::TextTable;

struct TuneOptions {
    ScenarioOptions scenario;
    double tolerance = 1e-3;
    std::string budget = "60s";
    std::string minimize = "time";
    unsigned parallel = 0;
    std::filesystem::path output;
    std::filesystem::path picture;
    bool force = false;
    bool all = false;
};

/// "90", "90s", "2min", "1h"
double parse_budget(const std::string& text) {
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, fault] = std::from_chars(text.data(), end, value);
    const std::string_view unit(rest, static_cast<std::size_t>(end - rest));
    const double factor = unit.empty() || unit == "s" ? 1
                          : unit == "min"             ? 60
                          : unit == "h"               ? 3600
                                                      : 0;
    if (fault == std::errc{} && factor > 0 && value > 0 && std::isfinite(value))
        return factor * value;
    throw InputError(format("--budget {} is not a time", text),
                     "write a number and s, min or h: --budget 60s");
}

TuneCost cost_of(const std::string& text) {
    for (const TuneCost cost : {TuneCost::time, TuneCost::messages, TuneCost::unit_steps})
        if (to_string(cost) == text) return cost;
    return TuneCost::time; // the command line accepts no other value
}

/// Checked before the search begins.
void check_target(const TuneOptions& options) {
    namespace fs = std::filesystem;
    if (options.output.extension() != ".yaml" && options.output.extension() != ".yml")
        throw InputError(format("cannot write \"{}\": tune writes YAML", options.output.string()),
                         "use a file name that ends in .yaml");
    if (!options.picture.empty() && options.picture.extension() != ".svg")
        throw InputError(
            format("cannot write \"{}\": the picture is SVG", options.picture.string()),
            "use a file name that ends in .svg");
    std::error_code ignored;
    if (fs::equivalent(options.output, options.scenario.file, ignored))
        throw InputError(format("{} is the scenario that is to be tuned", options.output.string()),
                         "write to another file");
    if (fs::exists(options.output) && !options.force)
        throw InputError(format("{} exists", options.output.string()),
                         "write to another file, or overwrite it with --force");
}

std::string cost_text(const pipeline::Costs& costs, TuneCost cost) {
    if (cost == TuneCost::time) return human_duration(costs.seconds);
    return human_count(static_cast<std::uint64_t>(costs.of(cost)));
}

std::string error_text(double error) {
    return std::isfinite(error) ? format("{:.3g}", error) : "diverged";
}

TextTable cost_table() {
    return TextTable({{"error", Align::right},
                      {"time", Align::right},
                      {"messages", Align::right},
                      {"unit steps", Align::right},
                      {"algorithm"},
                      {""}});
}

void add_row(TextTable& table, const Tried& tried, std::string_view remark) {
    table.add({tried.fault.empty() ? error_text(tried.error) : "",
               tried.fault.empty() ? cost_text(tried.costs, TuneCost::time) : "",
               tried.fault.empty() ? cost_text(tried.costs, TuneCost::messages) : "",
               tried.fault.empty() ? cost_text(tried.costs, TuneCost::unit_steps) : "",
               to_string(tried.candidate),
               tried.fault.empty() ? std::string(remark) : tried.fault});
}

std::string front_text(const Tuned& tuned) {
    TextTable table = cost_table();
    for (const std::size_t i : tuned.front)
        add_row(table, tuned.tried[i], tuned.best == i ? "<- chosen" : "");
    return table.to_string();
}

std::string reference_text(const pipeline::TuneReference& reference) {
    std::string text = format("{}; half the step changes results by {:.2g}",
                              to_string(reference.candidate), reference.change);
    if (reference.other)
        text += format(", {} differs by {:.2g}", to_string(reference.other->recipe),
                       reference.difference);
    return text + (reference.is_sure ? "" : "; not sure: that is much beside the tolerance");
}

std::string search_text(const Tuned& tuned) {
    const auto failed =
        std::ranges::count_if(tuned.tried, [](const Tried& tried) { return !tried.fault.empty(); });
    return format("{}, {} of them without a result, {} given up early; {}",
                  plural(tuned.tried.size(), "run"), failed, plural(tuned.pruned, "way"),
                  tuned.stopped);
}

/// Why the winner won, for the scenario file.
std::string reasons(const Tuned& tuned, const TuneOptions& options) {
    const Tried& best = tuned.tried[*tuned.best];
    const Tried& given = tuned.tried.front();
    const TuneCost cost = cost_of(options.minimize);
    std::string text = format("# Tuned from {} by rubato tune --tolerance {} --minimize {}\n",
                              options.scenario.file, shortest(options.tolerance), options.minimize);
    const auto line = [&](std::string_view what, const Tried& tried) {
        text += format("#   {}: {}\n#     error {} ({}), {}, {} messages, {} unit steps\n", what,
                       to_string(tried.candidate), error_text(tried.error), tried.worst,
                       cost_text(tried.costs, TuneCost::time),
                       cost_text(tried.costs, TuneCost::messages),
                       cost_text(tried.costs, TuneCost::unit_steps));
    };
    line("chosen", best);
    if (*tuned.best != 0) line("before", given);
    const Tried* next = nullptr;
    for (std::size_t i = 1; i < tuned.tried.size(); ++i) {
        const Tried& other = tuned.tried[i];
        if (!other.is_within || other.candidate.recipe == best.candidate.recipe) continue;
        if (!next || other.costs.of(cost) < next->costs.of(cost)) next = &other;
    }
    if (next) line("best with another algorithm", *next);
    text +=
        format("#   errors are relative to the range of each variable, at communication points, "
               "against\n#     {}\n#   {}\n",
               reference_text(tuned.reference), search_text(tuned));
    return text;
}

void draw_front(const Tuned& tuned, const TuneOptions& options, const std::string& name) {
    const TuneCost cost = cost_of(options.minimize);
    report::Series all{.label = "tried", .line = report::Line::none, .markers = true, .color = 5};
    report::Series front{.label = "best for their cost", .markers = true, .color = 0};
    report::Series chosen{
        .label = "chosen", .line = report::Line::none, .markers = true, .color = 1};
    const auto add = [&](report::Series& series, const Tried& tried) {
        if (!tried.fault.empty() || !(tried.error > 0) || !(tried.error < 10)) return;
        series.x.push_back(tried.costs.of(cost));
        series.y.push_back(tried.error);
    };
    for (const Tried& tried : tuned.tried) add(all, tried);
    for (const std::size_t i : tuned.front) add(front, tuned.tried[i]);
    if (tuned.best) add(chosen, tuned.tried[*tuned.best]);
    report::Figure figure{.title = name,
                          .subtitle = format("error over cost of {}, tolerance {}",
                                             plural(tuned.tried.size(), "run"),
                                             shortest(options.tolerance)),
                          .x_label = cost == TuneCost::time ? "time [s]" : options.minimize,
                          .x_scale = report::Scale::logarithmic};
    figure.panels.push_back({.y_label = "largest relative error",
                             .series = {all, front, chosen},
                             .y_scale = report::Scale::logarithmic});
    report::write_svg(figure, options.picture);
}

/// The best that was found where nothing met the tolerance.
InputError nothing_within(const Tuned& tuned, double tolerance) {
    const auto least = std::ranges::min_element(tuned.tried, {}, &Tried::error);
    return InputError(
        format("nothing that was tried meets the tolerance of {}; the least error is {}, by {}",
               shortest(tolerance), error_text(least->error), to_string(least->candidate)),
        format("allow more error or more time ({}); rubato run --reference shows what limits it",
               tuned.stopped));
}

pipeline::TuneSettings settings_of(const TuneOptions& options, const Interrupt& interrupt) {
    const unsigned processors = std::max(1u, std::thread::hardware_concurrency());
    pipeline::TuneSettings settings{.tolerance = options.tolerance,
                                    .budget = parse_budget(options.budget),
                                    .minimize = cost_of(options.minimize),
                                    .parallel =
                                        options.parallel > 0 ? options.parallel : processors,
                                    .stop = &interrupt.requested()};
    if (is_terminal(stderr))
        settings.on_tried = [count = 0](const Tried& tried) mutable {
            print(stderr,
                  format("\r\033[K{} runs, the last: {}", ++count, to_string(tried.candidate)));
        };
    return settings;
}

void write_tuned(const Tuned& tuned, const TuneOptions& options, const scenario::Scenario& scenario,
                 unit::Library& library) {
    const pipeline::TuneCandidate& best = tuned.tried[*tuned.best].candidate;
    const scenario::Scenario result = pipeline::tuned_scenario(
        scenario, library, best, std::filesystem::absolute(options.output).parent_path());
    files::write_atomically(options.output,
                            reasons(tuned, options) +
                                pipeline::find_written_format("yaml")->write(result));
}

int tune(const TuneOptions& options) {
    check_target(options);
    ConsoleLog log(LogLevel::error);
    unit::Library library(log, {}, options.scenario.strictness);
    pipeline::add_native_models(library);
    (void)load_scenario(options.scenario, library, LogLevel::warning); // what is wrong with it
    const scenario::Scenario scenario = read_scenario(options.scenario, library);
    const Interrupt interrupt;
    const pipeline::TuneSettings settings = settings_of(options, interrupt);
    const Tuned tuned = pipeline::tune(scenario, library, settings);
    if (settings.on_tried) print(stderr, "\r\033[K");
    const Style style(stdout);
    print(stdout, format("{}: the least {} for each error\n{}\n", style.bold(scenario.name),
                         options.minimize, front_text(tuned)));
    if (options.all) {
        TextTable table = cost_table();
        for (const Tried& tried : tuned.tried) add_row(table, tried, "");
        print(stdout, format("all runs\n{}\n", table.to_string()));
    }
    print(stdout,
          format("reference: {}\n{}\n", reference_text(tuned.reference), search_text(tuned)));
    if (!options.picture.empty()) draw_front(tuned, options, scenario.name);
    if (!tuned.best) throw nothing_within(tuned, options.tolerance);
    write_tuned(tuned, options, scenario, library);
    const Tried& best = tuned.tried[*tuned.best];
    print(stdout,
          format("{}: {}, error {}, in {}\n", style.green("chosen"), to_string(best.candidate),
                 error_text(best.error), options.output.string()));
    return exit_code::success;
}

} // namespace

void add_tune(Command& program, int& exit_code) {
    auto options = std::make_shared<TuneOptions>();
    Command& command =
        program.add_command("tune", "Find the cheapest algorithm and step size within a tolerance");
    add_scenario_options(command, options->scenario);
    command
        .add_option("--tolerance", options->tolerance,
                    "largest error of a recorded variable, relative to its range")
        ->option_text("R")
        ->default_str(shortest(options->tolerance))
        ->group(group::accuracy);
    CLI::Option* const minimize =
        command.add_option("--minimize", options->minimize, "cost to minimize");
    minimize->option_text("COST")->default_str(options->minimize)->group(group::accuracy);
    command.restrict_to(minimize, {"time", "messages", "unit-steps"});
    command.add_option("--budget", options->budget, "time that the search may take: 60s, 5min, 1h")
        ->option_text("TIME")
        ->default_str(options->budget)
        ->group(group::general);
    command.add_option("--parallel", options->parallel, "runs at the same time")
        ->option_text("N")
        ->default_str("number of processors")
        ->check(must_be_positive)
        ->group(group::general);
    command.add_option("-o,--output", options->output, "scenario to write, with reasons")
        ->option_text("FILE.yaml")
        ->required()
        ->group(group::output);
    command.add_option("--picture", options->picture, "drawing of error over cost")
        ->option_text("FILE.svg")
        ->group(group::output);
    command.add_flag("--all", options->all, "show every run")->group(group::output);
    command.add_flag("--force", options->force, "overwrite the scenario to write")
        ->group(group::output);
    command.manual.description = {
        "Runs the scenario in many ways, each in a process of its own, and measures error and "
        "cost. "
        "It varies algorithm, order of the units, order of approximation, step size, step control, "
        "loop solver, iterations and sub-steps. Errors are measured against a reference with short "
        "steps, which is checked with half the step and with another algorithm."};
    command.manual.examples = {
        {"rubato tune crane.yaml --tolerance 1e-3 -o tuned.yaml",
         "Find the fastest way with an error of 0.1 %."},
        {"rubato tune crane.yaml --minimize unit-steps --budget 5min -o tuned.yaml",
         "Search for five minutes for the least number of steps of units."},
        {"rubato tune crane.yaml -o tuned.yaml --picture tuned.svg", "Draw error over cost."}};
    command.manual.exit_codes = {{"0", "a scenario within the tolerance has been written"},
                                 {"1", "the scenario does not run"},
                                 {"2", "an option is wrong, or nothing meets the tolerance"}};
    command.callback([options, &exit_code] { exit_code = tune(*options); });
}

} // namespace rubato::cli
