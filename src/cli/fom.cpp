// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "console_log.hpp"
#include "exit_code.hpp"
#include "scenario_options.hpp"
#include "terminal.hpp"

#include <rubato/distributed/fom.hpp>
#include <rubato/files/output_file.hpp>
#include <rubato/pipeline/native_models.hpp>
#include <rubato/pipeline/results_target.hpp>
#include <rubato/private/format.hpp>

#include <filesystem>
#include <memory>

namespace rubato::cli {
namespace {

struct FomOptions {
    ScenarioOptions scenario;
    std::string target = "-";
    bool force = false;
};

int write_fom(const FomOptions& options) {
    const bool is_standard = pipeline::is_standard_output(options.target);
    std::error_code absent;
    if (!is_standard && !options.force && std::filesystem::exists(options.target, absent))
        throw InputError(format("{} exists already", options.target),
                         "give another name, or --force to replace it");
    ConsoleLog log(LogLevel::warning);
    unit::Library library(log, {}, options.scenario.strictness);
    pipeline::add_native_models(library);
    const pipeline::Assembly assembly = load_scenario(options.scenario, library, LogLevel::warning);
    const std::string fom =
        distributed::federation_fom(assembly.scenario.name, assembly.orchestration.system);
    if (is_standard)
        print(stdout, fom);
    else
        files::write_atomically(options.target, fom);
    return exit_code::success;
}

} // namespace

void add_fom(Command& program, int& exit_code) {
    auto options = std::make_shared<FomOptions>();
    Command& command = program.add_command(
        "fom", "Write the FOM module by which HLA federates of other tools join a scenario");
    add_scenario_options(command, options->scenario);
    command.add_option("-o,--output", options->target, "FOM module; -: standard output")
        ->option_text("FILE.xml")
        ->default_str("-")
        ->group(group::output);
    command.add_flag("--force", options->force, "replace a file that exists")->group(group::output);
    command.manual.description = {
        "The module (IEEE 1516.2-2010) has the object classes and attributes of the scenario's "
        "section hla, and those that federates of Rubato use among each other. No run-time "
        "infrastructure is needed to write it."};
    command.manual.examples = {
        {"rubato fom plant.yaml -o plant.xml", "Write the FOM module of a scenario."},
        {"rubato fom plant.yaml", "Print it."}};
    command.callback([options, &exit_code] { exit_code = write_fom(*options); });
}

} // namespace rubato::cli
