// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "console_log.hpp"
#include "exit_code.hpp"
#include "scenario_options.hpp"
#include "terminal.hpp"

#include <rubato/algorithm/text.hpp>
#include <rubato/algorithm/written.hpp>
#include <rubato/pipeline/formats.hpp>
#include <rubato/pipeline/native_models.hpp>

#include <CLI/Validators.hpp>

#include <memory>

namespace rubato::cli {
namespace {

struct SynthesizeOptions {
    ScenarioOptions scenario;
    std::string format = "text";
};

std::string formatted(const pipeline::Assembly& assembly, const std::string& format) {
    const synthesis::Orchestration& orchestration = assembly.orchestration;
    if (format == "text") return algorithm::to_text(orchestration.algorithm, orchestration.system);
    if (orchestration.orders.size() > 1)
        throw InputError("an adaptive order cannot be written as a scenario",
                         "use --format text, or --algorithm gauss-seidel and one --order");
    scenario::Scenario scenario = scenario::with_contracts(assembly.scenario, orchestration.system);
    scenario.written = algorithm::write_algorithm(orchestration.algorithm, orchestration.system);
    const pipeline::Format& written = *pipeline::find_written_format(format);
    if (written.losses) {
        for (const std::string& loss : written.losses(scenario))
            print(stderr, "left out, the format ." + format + " cannot express it: " + loss + "\n");
    }
    return written.write(scenario);
}

/// Text, and all scenario formats that can be written.
std::vector<std::string> format_names() {
    std::vector<std::string> names = {"text"};
    for (const pipeline::Format& each : pipeline::formats())
        if (each.write) names.emplace_back(each.name);
    return names;
}

int synthesize(SynthesizeOptions options) {
    ConsoleLog log(LogLevel::warning);
    unit::Library library(log, {}, options.scenario.strictness);
    pipeline::add_native_models(library);
    options.scenario.ignore_written = true;
    const pipeline::Assembly assembly = load_scenario(options.scenario, library, LogLevel::warning);
    const synthesis::Orchestration& orchestration = assembly.orchestration;
    print(stdout, formatted(assembly, options.format));
    for (const std::string& remark : orchestration.remarks) print(stderr, remark + "\n");
    return exit_code::success;
}

} // namespace

void add_synthesize(Command& program, int& exit_code) {
    auto options = std::make_shared<SynthesizeOptions>();
    Command& command = program.add_command(
        "synthesize", "Print the algorithm that follows from the contracts of the units");
    add_scenario_options(command, options->scenario);
    add_experiment_options(command, options->scenario);
    CLI::Option* const form = command.add_option(
        "--format", options->format, "print the algorithm, or the whole scenario in a file format");
    form->option_text("FORMAT")->default_str(options->format)->group(group::output);
    command.restrict_to(form, format_names());
    command.manual.sections = {override_section()};
    command.manual.examples = {{"rubato synthesize crane.yaml", "Print the algorithm as text."},
                               {"rubato synthesize crane.yaml --reduction maximum",
                                "Print it with every input of a loop guessed."},
                               {"rubato synthesize crane.conf --format yaml",
                                "Convert a scenario, with its algorithm, to YAML."}};
    command.callback([options, &exit_code] { exit_code = synthesize(*options); });
}

} // namespace rubato::cli
