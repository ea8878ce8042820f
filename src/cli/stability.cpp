// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "console_log.hpp"
#include "exit_code.hpp"
#include "scenario_options.hpp"
#include "terminal.hpp"

#include <rubato/core/text.hpp>
#include <rubato/pipeline/native_models.hpp>
#include <rubato/pipeline/stability.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/eigenvalue_plot.hpp>
#include <rubato/report/text_table.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>

namespace rubato::cli {
namespace {

using report::Align;
using report::human_number;
using report::plural;
using report::TextTable;
using stability::Linearization;
using stability::Mode;
using stability::Share;

struct StabilityOptions {
    ScenarioOptions scenario;
    std::optional<double> at;
    bool largest_step = false;
    std::filesystem::path output;
};

constexpr std::size_t most_modes = 8;
constexpr std::size_t most_shares = 5;
constexpr double gone = 1e-12; // magnitude of an eigenvalue that is 0 but for rounding

bool is_stable(double radius) { return radius <= pipeline::largest_stable_radius; }

/// "0.123456789": what can be compared with a formula.
std::string radius_text(double radius) { return format("{:.9g}", radius); }

/// What the mode does in time: λ = exp(s H).
std::vector<std::string> cells_of(const Mode& mode, double step) {
    const double size = std::abs(mode.eigenvalue);
    const double rate = std::log(size) / step;
    const double frequency = std::abs(std::arg(mode.eigenvalue)) / step / (2 * std::numbers::pi);
    std::string value = format("{:.6g}", mode.eigenvalue.real());
    if (mode.eigenvalue.imag() != 0) value += format(" ± {:.6g}i", mode.eigenvalue.imag());
    return {value, format("{:.9g}", size), size > 0 ? format("{:.4g}", rate) : "",
            format("{:.4g}", frequency), is_stable(size) ? "" : "unstable"};
}

std::string modes_text(const Linearization& map) {
    TextTable table({{"eigenvalue"},
                     {"magnitude", Align::right},
                     {"growth [1/s]", Align::right},
                     {"frequency [Hz]", Align::right},
                     {""}});
    std::size_t shown = 0; // of modes that last: others are gone after a step
    for (const Mode& mode : map.modes) {
        if (shown == most_modes || (shown > 0 && std::abs(mode.eigenvalue) < gone)) break;
        table.add(cells_of(mode, map.step.seconds));
        ++shown;
    }
    std::string text = table.to_string();
    if (shown < map.modes.size())
        text += format("  and {} of smaller magnitude\n", map.modes.size() - shown);
    return text;
}

std::string shares_text(const std::vector<Share>& shares) {
    TextTable table({{""}, {"", Align::right}});
    const std::size_t shown = std::min(shares.size(), most_shares);
    for (std::size_t i = 0; i < shown; ++i)
        table.add({shares[i].name, format("{:.1f} %", 100 * shares[i].part)});
    std::string text = table.to_string(4);
    if (shown < shares.size()) text += format("    and {} more\n", shares.size() - shown);
    return text;
}

std::string place_text(const Linearization& map) {
    if (map.modes.empty() || map.is_sampled) return "";
    const Mode& mode = map.modes.front();
    if (mode.connections.empty())
        return "\nno connection changes the largest eigenvalue: it is that of a unit by itself\n";
    if (std::abs(mode.eigenvalue) < gone) return "";
    return format(
        "\nwhere the largest eigenvalue comes from\n  connections: share of the change of "
        "the eigenvalue with their gains\n{}  units: sum over their inputs\n{}",
        shares_text(mode.connections), shares_text(mode.units));
}

std::string verdict_text(const Linearization& map, const Style& style) {
    const bool stable = is_stable(map.spectral_radius);
    std::string text =
        format("{}: spectral radius {}", stable ? style.green("stable") : style.red("unstable"),
               radius_text(map.spectral_radius));
    if (!stable)
        text += format("; perturbations grow {:.3g}-fold per second",
                       std::pow(map.spectral_radius, 1 / map.step.seconds));
    return text + "\n";
}

std::string step_text(const pipeline::LargestStep& found) {
    if (!found.stable) return "none";
    return (found.unstable ? "" : "≥ ") + format("{:.4g}", *found.stable);
}

/// The reason in the table: its first line.
std::string reason_text(const pipeline::LargestStep& found) {
    return found.reason.substr(0, found.reason.find('\n'));
}

std::string recipes_text(const std::vector<pipeline::RecipeStability>& rows,
                         const scenario::Scenario& scenario) {
    TextTable table({{"algorithm"},
                     {"spectral radius", Align::right},
                     {"largest stable step [s]", Align::right},
                     {""}});
    for (const pipeline::RecipeStability& row : rows) {
        const bool is_chosen = row.recipe == scenario.algorithm.recipe && !scenario.written;
        table.add({std::string(to_string(row.recipe)) + (is_chosen ? " (chosen)" : ""),
                   row.step.radius ? format("{:.6g}", *row.step.radius) : "", step_text(row.step),
                   reason_text(row.step)});
    }
    return format("\nlargest stable steps; radius with steps of {} s\n{}",
                  human_number(scenario.experiment.step), table.to_string());
}

void check_output(const std::filesystem::path& output) {
    if (output.empty() || output.extension() == ".svg") return;
    throw InputError(format("cannot write \"{}\": stability draws SVG", output.string()),
                     "use a file name that ends in .svg");
}

void draw(const Linearization& map, const pipeline::Assembly& assembly,
          const std::filesystem::path& output) {
    report::EigenvaluePlot plot{.title = assembly.scenario.name,
                                .subtitle = format("eigenvalues of a step of {} s at t = {} s, {}",
                                                   human_number(map.step.seconds),
                                                   human_number(map.time.seconds),
                                                   algorithm_label(assembly.scenario)),
                                .largest_stable = pipeline::largest_stable_radius};
    for (const Mode& mode : map.modes) plot.eigenvalues.push_back(mode.eigenvalue);
    report::write_svg(plot, output);
    print(stdout, format("\neigenvalues in {}\n", output.string()));
}

int analyze(const StabilityOptions& options) {
    check_output(options.output);
    ConsoleLog log(LogLevel::error);
    unit::Library library(log, {}, options.scenario.strictness);
    pipeline::add_native_models(library);
    const pipeline::Assembly assembly = load_scenario(options.scenario, library, LogLevel::warning);
    const pipeline::StabilitySettings settings{.at = options.at};
    const Linearization map = pipeline::linearize(assembly, library, silent_log(), settings);
    const Style style(stdout);
    print(stdout,
          format("{} at t = {} s, steps of {} s, {}\n{}\n", style.bold(assembly.scenario.name),
                 human_number(map.time.seconds), human_number(map.step.seconds),
                 algorithm_label(assembly.scenario), verdict_text(map, style)));
    print(stdout, modes_text(map) + place_text(map));
    print(stdout, format("\n{} perturbed, {} compared over {}; {} made\n",
                         plural(map.inputs, "input"), plural(map.observed, "value"),
                         plural(map.window, "step"), plural(map.steps, "step")));
    for (const std::string& remark : pipeline::remarks_of(map)) print(stdout, remark + "\n");
    if (!options.output.empty()) draw(map, assembly, options.output);
    if (options.largest_step)
        print(stdout, recipes_text(pipeline::compare_recipes(assembly.scenario, library,
                                                             silent_log(), settings),
                                   assembly.scenario));
    return exit_code::success;
}

} // namespace

void add_stability(Command& program, int& exit_code) {
    auto options = std::make_shared<StabilityOptions>();
    Command& command = program.add_command(
        "stability", "Find out whether the coupling is stable, and up to which step size");
    add_scenario_options(command, options->scenario);
    command
        .add_option("--at", options->at,
                    "time of the linearization [s]: the scenario is run up to there first")
        ->option_text("T")
        ->default_str("the start time")
        ->group(group::accuracy);
    command
        .add_flag("--largest-step", options->largest_step,
                  "also find the largest stable step of every algorithm")
        ->group(group::accuracy);
    command.add_option("-o,--output", options->output, "picture of the eigenvalues")
        ->option_text("FILE.svg")
        ->group(group::output);
    add_experiment_options(command, options->scenario);
    command.manual.description = {
        "Linearizes the map of one communication step, from all states of all units and all input "
        "histories to those a step later, and shows its eigenvalues. If one is larger than 1 in "
        "magnitude, errors grow from step to step, and the coupling is unstable. Inputs are "
        "perturbed for one step and the differences are followed: all units must be able to save "
        "and restore their states."};
    command.manual.sections = {override_section()};
    command.manual.examples = {
        {"rubato stability crane.yaml", "Show the eigenvalues at the start."},
        {"rubato stability crane.yaml --at 2 -o crane-modes.svg",
         "Draw the eigenvalues at t = 2 s."},
        {"rubato stability crane.yaml --largest-step",
         "Find the largest stable step of every algorithm."}};
    command.manual.exit_codes = {{"0", "the analysis is done, whether stable or not"},
                                 {"1", "units cannot be rolled back, or the run fails"},
                                 {"2", "the scenario or an option is wrong"}};
    command.callback([options, &exit_code] { exit_code = analyze(*options); });
}

} // namespace rubato::cli
