// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "console_log.hpp"
#include "exit_code.hpp"
#include "scenario_options.hpp"
#include "terminal.hpp"

#include <rubato/core/text.hpp>
#include <rubato/distributed/partition.hpp>
#include <rubato/files/output_file.hpp>
#include <rubato/pipeline/native_models.hpp>
#include <rubato/pipeline/results_target.hpp>
#include <rubato/pipeline/transform.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/text_table.hpp>
#include <rubato/scenario/placement.hpp>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>

namespace rubato::cli {
namespace {

namespace fs = std::filesystem;

struct PlaceOptions {
    ScenarioOptions scenario;
    std::uint32_t ranks = 2;
    int measure = 0;                ///< communication steps; 0: none
    std::vector<std::string> costs; ///< "winch=5"
    std::string target;
    bool force = false;
};

using Ranks = std::vector<std::uint32_t>;

/// "a, b, c, …"
std::string names_on(const pipeline::Assembly& assembly, const Ranks& ranks, std::uint32_t rank) {
    constexpr std::size_t most = 8;
    std::vector<std::string> names;
    for (std::size_t u = 0; u < ranks.size() && names.size() <= most; ++u)
        if (ranks[u] == rank) names.push_back(assembly.scenario.units[u].name);
    if (names.size() > most) names.back() = "…";
    return format("{}", fmt::join(names, ", "));
}

/// Each process sends to as many others in a reduction.
std::uint32_t rounds_of(std::uint32_t ranks) {
    return static_cast<std::uint32_t>(std::bit_width(ranks - 1));
}

std::string summary(const pipeline::Assembly& assembly, const Ranks& ranks,
                    const pipeline::PlacementForecast& forecast) {
    constexpr std::size_t most = 64;
    const std::size_t count = forecast.units.size();
    double total = 0;
    for (const double cost : forecast.costs) total += cost;
    report::TextTable table({{"rank", report::Align::right},
                             {"units", report::Align::right},
                             {"cost", report::Align::right},
                             {""}});
    for (std::uint32_t rank = 0; rank < std::min(count, most); ++rank)
        table.add({format("{}", rank), format("{}", forecast.units[rank]),
                   format("{:.1f} %", 100 * forecast.costs[rank] / total),
                   names_on(assembly, ranks, rank)});
    std::string text = table.to_string();
    if (count > most) text += format("  … and {} more\n", count - most);
    const auto processes = static_cast<std::uint32_t>(count);
    text +=
        format("\n  balance   the rank with most work has {:.3g} times the mean: at most {:.3g} "
               "times as fast as one process\n",
               forecast.imbalance, static_cast<double>(count) / forecast.imbalance);
    text += format(
        "  messages  at most {} with {} in each exchange of values, {} to agree after steps\n",
        forecast.messages, report::plural(forecast.bytes, "byte"),
        count > 1 ? processes * rounds_of(processes) : 0);
    return text;
}

scenario::Scenario placed(const pipeline::Assembly& assembly, const Ranks& ranks) {
    scenario::Scenario scenario = assembly.scenario;
    std::vector<scenario::PlacedUnit> units;
    for (std::size_t u = 0; u < ranks.size(); ++u)
        units.push_back({scenario.units[u].name, ranks[u], {}});
    scenario.machines.clear();
    scenario::place(scenario.machines, units);
    return scenario;
}

/// nullopt: it is none.
std::optional<double> positive_number(std::string_view text) {
    double number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = problem == std::errc{} && end == text.data() + text.size();
    if (!is_number || !(number > 0) || !std::isfinite(number)) return std::nullopt;
    return number;
}

/// "winch=5"
void give_cost(const std::string& text, const scenario::Scenario& scenario,
               std::vector<double>& costs) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const auto cost =
        equals == std::string::npos ? std::nullopt : positive_number(text.substr(equals + 1));
    if (!cost)
        throw InputError(format("--cost {}: this is not a unit and a positive number", text),
                         "write --cost winch=5");
    std::vector<std::string> names;
    for (const scenario::Unit& unit : scenario.units) names.push_back(unit.name);
    const auto found = std::ranges::find(names, name);
    if (found == names.end())
        throw InputError(format("--cost {}: the scenario has no unit \"{}\"", text, name),
                         suggest(name, names, "its units"));
    costs[static_cast<std::size_t>(found - names.begin())] = *cost;
}

/// Nothing is replaced that somebody may need.
void check_target(const PlaceOptions& options) {
    std::error_code absent;
    if (options.target.empty() || pipeline::is_standard_output(options.target) ||
        !fs::exists(options.target, absent))
        return;
    if (fs::equivalent(options.target, options.scenario.file, absent))
        throw InputError(format("{} is the scenario itself", options.target),
                         "write to another file");
    if (!options.force)
        throw InputError(format("{} exists already", options.target),
                         "give another name, or --force to replace it");
}

void write(const PlaceOptions& options, const pipeline::Assembly& assembly, const Ranks& ranks) {
    const bool is_standard = pipeline::is_standard_output(options.target);
    const fs::path folder = is_standard ? fs::path() : fs::path(options.target).parent_path();
    const std::string text = format("# Written by rubato place -n {} from {}.\n{}", options.ranks,
                                    fs::path(options.scenario.file).filename().string(),
                                    pipeline::yaml_for_folder(placed(assembly, ranks), folder));
    if (is_standard)
        print(stdout, text);
    else
        files::write_atomically(options.target, text);
}

int place_units(const PlaceOptions& options) {
    check_target(options);
    ConsoleLog log(LogLevel::warning);
    unit::Library library(log, {}, options.scenario.strictness);
    pipeline::add_native_models(library);
    const pipeline::Assembly assembly = load_scenario(options.scenario, library, LogLevel::warning);
    pipeline::UnitGraph graph = pipeline::unit_graph(assembly);
    if (options.measure > 0)
        graph.costs = pipeline::measured_costs(assembly, library, options.measure);
    for (const std::string& each : options.costs) give_cost(each, assembly.scenario, graph.costs);
    const Ranks ranks =
        pipeline::placement_of(assembly, graph, options.ranks, distributed::partition);
    const bool is_standard = pipeline::is_standard_output(options.target);
    print(is_standard ? stderr : stdout,
          format("{} on {}\n\n{}", assembly.scenario.name, report::plural(options.ranks, "rank"),
                 summary(assembly, ranks, forecast(graph, ranks, options.ranks))));
    if (!options.target.empty()) write(options, assembly, ranks);
    return exit_code::success;
}

} // namespace

void add_place(Command& program, int& exit_code) {
    auto options = std::make_shared<PlaceOptions>();
    Command& command = program.add_command(
        "place", "Show which process of a distributed run has which unit, and what that costs");
    add_scenario_options(command, options->scenario);
    command.add_option("-n,--ranks", options->ranks, "number of processes (mpirun -n)")
        ->option_text("N")
        ->default_str(format("{}", options->ranks))
        ->check(must_be_positive);
    command
        .add_option("--measure", options->measure,
                    "measure what units cost in a run of so many communication steps")
        ->option_text("STEPS")
        ->default_str("each costs 1")
        ->check(must_be_positive);
    command
        .add_option("--cost", options->costs,
                    "what a step of a unit costs, relative to others: winch=5")
        ->option_text("UNIT=COST")
        ->take_all()
        ->allow_extra_args(false);
    command
        .add_option("-o,--output", options->target,
                    "write the scenario with this placement; -: standard output")
        ->option_text("FILE.yaml")
        ->default_str("none")
        ->group(group::output);
    command.add_flag("--force", options->force, "replace a file that exists")->group(group::output);
    add_experiment_options(command, options->scenario);
    command.manual.description = {
        "METIS divides the units so that each process has the same work and little is exchanged. "
        "Units that the scenario places (placement: {winch: 1}) stay there. What a unit costs is "
        "given, measured, or 1."};
    command.manual.sections = {override_section()};
    command.manual.examples = {
        {"rubato place grid.yaml -n 16", "Show the placement on 16 processes."},
        {"rubato place grid.yaml -n 16 --measure 100 -o placed.yaml",
         "Measure what units cost in 100 steps, and write the scenario with the placement. "
         "mpirun -n 16 rubato run placed.yaml runs it."}};
    command.callback([options, &exit_code] { exit_code = place_units(*options); });
}

} // namespace rubato::cli
