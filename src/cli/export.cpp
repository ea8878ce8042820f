// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "console_log.hpp"
#include "exit_code.hpp"
#include "problems.hpp"
#include "scenario_options.hpp"
#include "terminal.hpp"

#include <rubato/pipeline/export.hpp>
#include <rubato/pipeline/native_models.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace rubato::cli {
namespace {

struct ExportOptions {
    ScenarioOptions scenario;
    std::string target;
    std::string version = "2";
    bool force = false;
};

/// "2 outputs"
std::string counted(const scenario::UnitDescription& description, scenario::Causality causality) {
    const auto count =
        std::ranges::count(description.variables, causality, &scenario::Variable::causality);
    return format("{} {}{}", count, to_string(causality), count == 1 ? "" : "s");
}

void print_exported(const pipeline::Exported& exported, const std::string& target) {
    using scenario::Causality;
    const scenario::UnitDescription& description = exported.description;
    constexpr double megabyte = 1024.0 * 1024.0;
    std::string text =
        format("{}: {}, {}, {}; {:.1f} MB\n", target, counted(description, Causality::input),
               counted(description, Causality::output), counted(description, Causality::parameter),
               static_cast<double>(exported.bytes) / megabyte);
    if (!exported.contents.empty())
        text += format("  holds {}\n", fmt::join(exported.contents, ", "));
    print(stdout, text);
}

int export_package(const ExportOptions& options, const pipeline::Assembly& assembly,
                   unit::Library& library, const std::string& target) {
    Diagnostics diagnostics;
    const auto exported = pipeline::export_ssp(
        assembly, library, {.target = target, .overwrite = options.force}, diagnostics);
    throw_errors(diagnostics, options.scenario.file);
    print_remarks(diagnostics, LogLevel::warning);
    print(stdout, format("{}: an SSP 1.0 package of {} units\n  holds {}\n", target,
                         assembly.scenario.units.size(), fmt::join(exported->contents, ", ")));
    return exit_code::success;
}

int export_scenario(const ExportOptions& options) {
    ConsoleLog log(LogLevel::warning);
    unit::Library library(log, {}, options.scenario.strictness);
    pipeline::add_native_models(library);
    const pipeline::Assembly assembly = load_scenario(options.scenario, library, LogLevel::warning);
    const std::string target =
        options.target.empty() ? assembly.scenario.name + ".fmu" : options.target;
    Diagnostics diagnostics;
    if (std::filesystem::path(target).extension() == ".ssp")
        return export_package(options, assembly, library, target);
    const auto exported =
        pipeline::export_fmu(assembly, library,
                             {.target = target,
                              .version = options.version == "3" ? pipeline::ExportVersion::fmi3
                                                                : pipeline::ExportVersion::fmi2,
                              .overwrite = options.force},
                             diagnostics);
    throw_errors(diagnostics, options.scenario.file);
    print_remarks(diagnostics, LogLevel::warning);
    print_exported(*exported, target);
    return exit_code::success;
}

} // namespace

void add_export(Command& program, int& exit_code) {
    auto options = std::make_shared<ExportOptions>();
    Command& command = program.add_command(
        "export",
        "Write a scenario as one co-simulation FMU that needs no installed Rubato, or as an SSP");
    add_scenario_options(command, options->scenario);
    add_experiment_options(command, options->scenario);
    command.add_option("-o,--output", options->target, "FMU or SSP package to write")
        ->option_text("FILE.fmu|FILE.ssp")
        ->default_str("<name of the scenario>.fmu")
        ->group(group::output);
    CLI::Option* const version = command.add_option("--fmi", options->version, "version of FMI");
    version->option_text("VERSION")->default_str(options->version)->group(group::output);
    command.restrict_to(version, {"2", "3"});
    command.add_flag("--force", options->force, "replace a file that exists")->group(group::output);
    command.manual.description = {
        "The FMU holds the scenario, the FMUs and tables that it uses, and Rubato itself. Its "
        "variables are those of the section interface; without one, the inputs without connection, "
        "the outputs and the parameters of all units. Its steps are made by the algorithm of the "
        "scenario, in steps no longer than experiment.step.",
        "The FMU runs on this platform only.",
        "An SSP package (.ssp) holds the FMUs and their connections for other tools. What only "
        "Rubato knows is in an annotation, so that Rubato reads the same scenario from it."};
    command.manual.sections = {override_section()};
    command.manual.examples = {
        {"rubato export crane.yaml", "Write crane.fmu for FMI 2.0."},
        {"rubato export crane.yaml -o crane3.fmu --fmi 3", "Write an FMU for FMI 3.0."},
        {"rubato export crane.yaml -o crane.ssp", "Write an SSP 1.0 package."},
        {"rubato export crane.yaml --set winch.mass=20", "Give a parameter another start value."}};
    command.callback([options, &exit_code] { exit_code = export_scenario(*options); });
}

} // namespace rubato::cli
