// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "exit_code.hpp"
#include "problems.hpp"
#include "terminal.hpp"

#include <rubato/pipeline/import.hpp>
#include <rubato/private/format.hpp>

#include <filesystem>
#include <memory>

namespace rubato::cli {
namespace {

struct ImportOptions {
    std::string system;
    std::string target;
    std::string variant;
    bool force = false;
};

int import_system(const ImportOptions& options) {
    std::filesystem::path target = options.target;
    if (target.empty())
        target = std::filesystem::path(options.system).filename().replace_extension(".yaml");
    Diagnostics diagnostics;
    const auto imported = pipeline::import_system(
        options.system,
        {.target = target, .read = {.variant = options.variant}, .overwrite = options.force},
        diagnostics);
    throw_errors(diagnostics, options.system);
    print_remarks(diagnostics, LogLevel::warning);
    const scenario::Scenario& scenario = imported->scenario;
    std::string text = format("{}: {} units, {} connections\n", target.string(),
                              scenario.units.size(), scenario.connections.size());
    for (const std::filesystem::path& file : imported->copied)
        text += format("  with {}\n", file.string());
    print(stdout, text);
    return exit_code::success;
}

} // namespace

void add_import(Command& program, int& exit_code) {
    auto options = std::make_shared<ImportOptions>();
    Command& command = program.add_command(
        "import", "Write a system of another tool (SSP, OSP, Maestro, MasterSim) as a scenario");
    command.add_option("system", options->system, "file or folder of the system")
        ->required()
        ->option_text("FILE");
    command.add_option("-o,--output", options->target, "scenario to write")
        ->option_text("FILE.yaml")
        ->default_str("<name of the system>.yaml")
        ->group(group::output);
    command
        .add_option("--variant", options->variant,
                    "description to read of an SSP package that has several")
        ->option_text("NAME.ssd")
        ->default_str("SystemStructure.ssd");
    command.add_flag("--force", options->force, "replace files that exist")->group(group::output);
    command.manual.description = {
        "rubato run reads systems of other tools as they are. This command shows what it makes of "
        "them: the scenario is complete, and what has no exact counterpart stands in comments at "
        "its head. FMUs of a package are stored in a folder next to the scenario."};
    command.manual.examples = {
        {"rubato import crane.ssp", "Write crane.yaml, with the FMUs in the folder crane."},
        {"rubato import OspSystemStructure.xml -o ship.yaml", "Import a system of OSP."}};
    command.callback([options, &exit_code] { exit_code = import_system(*options); });
}

} // namespace rubato::cli
