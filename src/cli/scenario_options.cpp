// SPDX-License-Identifier: Apache-2.0
#include "scenario_options.hpp"

#include "problems.hpp"

#include <rubato/private/format.hpp>
#include <rubato/report/text_table.hpp>
#include <rubato/scenario/conf.hpp>
#include <rubato/scenario/system.hpp>
#include <rubato/scenario/yaml.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <span>

namespace rubato::cli {
namespace {

using scenario::Override;

constexpr std::array<std::string_view, 14> sections = {
    "rubato",    "name",  "units",  "connections", "bonds",        "experiment",     "step-control",
    "algorithm", "loops", "events", "record",      "largest-step", "configurations", "clocks"};

std::string_view first_key(std::string_view path) { return path.substr(0, path.find('.')); }

/// `msd1.m` rather than `units.msd1.parameters.m`.
bool is_short_form(const Override& setting) {
    return std::ranges::find(sections, first_key(setting.path)) == sections.end() &&
           setting.path.find('.') != std::string::npos;
}

Override parse_setting(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        throw InputError(format("--set {} names no value", text),
                         "write --set path=value, such as --set experiment.step=0.1 or "
                         "--set msd1.m=2");
    return {text.substr(0, equals), text.substr(equals + 1)};
}

scenario::UnitDescription describe(const scenario::Unit& unit, const scenario::Scenario& scenario,
                                   unit::Library& library) {
    if (unit.is_only_declared()) return scenario::declared_description(unit);
    return library.describe(unit, scenario.file.parent_path());
}

/// The part of a unit that holds values for a variable. Where unit or variable are unknown, what
/// reads the scenario will say so.
std::string_view part_for(const std::string& unit_name, const std::string& variable,
                          const scenario::Scenario& scenario, unit::Library& library) {
    const auto unit = std::ranges::find(scenario.units, unit_name, &scenario::Unit::name);
    if (unit == scenario.units.end()) return "parameters";
    try {
        const auto description = describe(*unit, scenario, library);
        const auto index = description.find_variable(variable);
        const bool is_start = index && !is_parameter(description.variables[*index].causality);
        return is_start ? "start" : "parameters";
    } catch (const InputError&) {
        return "parameters"; // assembling reports what is wrong with the unit
    }
}

void expand(Override& setting, const scenario::Scenario& scenario, unit::Library& library) {
    const std::string unit(first_key(setting.path));
    const std::string variable = setting.path.substr(unit.size() + 1);
    const std::string_view part = part_for(unit, variable, scenario, library);
    setting.path = format("units.{}.{}.{}", unit, part, variable);
}

constexpr auto standard_input = "stdin";

/// All of a stream, but not more than a scenario may have, which its reader then says.
std::string read_some(std::istream& stream) {
    constexpr std::size_t most = std::size_t{32} << 20;
    std::string text;
    std::array<char, 1 << 16> part{};
    while (text.size() < most && (stream.read(part.data(), part.size()) || stream.gcount() > 0))
        text.append(part.data(), static_cast<std::size_t>(stream.gcount()));
    return text;
}

/// Where a scenario comes from. What is no plain file can be read only once.
class Source {
public:
    explicit Source(const std::string& file) : file_(file) {
        std::error_code absent;
        const bool is_stream = file == "-" || std::filesystem::is_fifo(file, absent) ||
                               std::filesystem::is_character_file(file, absent);
        if (!is_stream) return;
        std::ifstream named(file, std::ios::binary);
        std::istream& stream = file == "-" ? std::cin : named;
        text_ = read_some(stream);
        file_ = standard_input;
    }

    bool is_conf() const { return std::filesystem::path(file_).extension() == ".conf"; }
    scenario::Scenario read(std::span<const Override> overrides, Diagnostics& diagnostics) const {
        if (text_) return scenario::parse_yaml(*text_, file_, overrides, diagnostics);
        if (!is_conf()) return scenario::read_yaml(file_, overrides, diagnostics);
        scenario::Scenario scenario = scenario::read_conf(file_, diagnostics);
        if (overrides.empty() || diagnostics.has_errors()) return scenario;
        return scenario::with_overrides(scenario, overrides, diagnostics);
    }

private:
    std::string file_;
    std::optional<std::string> text_;
};

std::vector<Override> all_overrides(const ScenarioOptions& options, const Source& source,
                                    unit::Library& library) {
    std::vector<Override> overrides = options.overrides;
    for (const std::string& text : options.settings) overrides.push_back(parse_setting(text));
    if (std::ranges::none_of(overrides, is_short_form)) return overrides;
    Diagnostics reported_later;
    const scenario::Scenario scenario = source.read({}, reported_later);
    for (Override& setting : overrides)
        if (is_short_form(setting)) expand(setting, scenario, library);
    return overrides;
}

} // namespace

std::string yaml_quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + '"';
}

void add_scenario_options(CLI::App& command, ScenarioOptions& options) {
    command.add_option("scenario", options.file, "the scenario; - reads it from standard input")
        ->required()
        ->option_text("FILE.yaml|FILE.conf");
    command
        .add_option("--set", options.settings,
                    "change any setting: experiment.step=0.1, or a value of a unit: msd1.m=2")
        ->option_text("PATH=VALUE")
        ->take_all()
        ->allow_extra_args(false);
    add_strict_option(command, options.strictness);
}

void add_strict_option(CLI::App& command, unit::Strictness& strictness) {
    command.add_flag_callback(
        "--strict", [&strictness] { strictness = unit::Strictness::strict; },
        "refuse FMUs that break the standard anywhere (see rubato validate), and stop at recorded "
        "values that are NaN or infinite");
}

void add_experiment_options(CLI::App& command, ScenarioOptions& options) {
    const auto add = [&](const char* name, const char* path, const char* help, const char* type) {
        auto* option = command.add_option_function<std::string>(
            name,
            [&options, path](const std::string& value) {
                options.overrides.push_back({path, value});
            },
            help);
        option->option_text(type)->group("Settings");
    };
    add("--algorithm", "algorithm.recipe",
        "synthesized, jacobi, gauss-seidel, iterated-jacobi, iterated-gauss-seidel, "
        "adaptive-gauss-seidel, waveform-jacobi or waveform-gauss-seidel",
        "RECIPE");
    add("--reduction", "algorithm.reduction",
        "inputs that a synthesized loop guesses: minimum or maximum", "WHICH");
    command
        .add_option_function<std::vector<std::string>>(
            "--order",
            [&options](const std::vector<std::string>& names) {
                options.overrides.push_back(
                    {"algorithm.order", format("[{}]", fmt::join(names, ", "))});
            },
            "units in the order in which Gauss-Seidel steps them")
        ->delimiter(',')
        ->option_text("A,B")
        ->allow_extra_args(false)
        ->group("Settings");
    add("--iterations", "algorithm.iterations", "iterate exactly so often", "N");
    add("--loops", "loops.method",
        "how loops are solved: automatic, plain, relaxed, aitken, iqn-ils or newton", "METHOD");
    add("--threads", "algorithm.threads",
        "let units that nothing orders step at the same time, on so many threads", "N");
    add("--step", "experiment.step", "communication step [s]", "H");
    add("--step-control", "step-control.controller",
        "adapt the step: fixed, richardson, predictor, energy or divergence", "CONTROLLER");
    add("--step-tolerance", "step-control.tolerance",
        "of step control: error of exchanged values beside their size", "R");
    add("--minimum-step", "experiment.minimum-step", "shortest step that units may force [s]", "H");
    add("--start", "experiment.start", "time at which to start [s]", "T");
    add("--stop", "experiment.stop", "time at which to stop [s]", "T");
    add("--tolerance", "experiment.tolerance", "relative tolerance for the units' own solvers",
        "R");
}

pipeline::Assembly load_scenario(const ScenarioOptions& options, unit::Library& library,
                                 LogLevel least) {
    Diagnostics diagnostics;
    const Source source(options.file);
    scenario::Scenario scenario = source.read(all_overrides(options, source, library), diagnostics);
    throw_errors(diagnostics, options.file);
    if (options.ignore_written) scenario.written.reset();
    pipeline::Assembly assembly =
        pipeline::assemble(std::move(scenario), library, diagnostics, options.verification);
    if (assembly.verdict && assembly.verdict->outcome() == algorithm::Outcome::not_decided)
        throw NotDecided(InputError(diagnostics.all()).what());
    throw_errors(diagnostics, options.file);
    print_remarks(diagnostics, least);
    return assembly;
}

} // namespace rubato::cli
