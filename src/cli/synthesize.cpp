// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "console_log.hpp"
#include "exit_code.hpp"
#include "scenario_options.hpp"
#include "terminal.hpp"

#include <rubato/pipeline/native_models.hpp>
#include <rubato/pipeline/synthesized.hpp>

#include <CLI/Validators.hpp>

#include <memory>

namespace rubato::cli {
namespace {

struct SynthesizeOptions {
    ScenarioOptions scenario;
    std::string format = "text";
};

int synthesize(SynthesizeOptions options) {
    ConsoleLog log(LogLevel::warning);
    unit::Library library(log, {}, options.scenario.strictness);
    pipeline::add_native_models(library);
    options.scenario.ignore_written = true;
    const pipeline::Assembly assembly = load_scenario(options.scenario, library, LogLevel::warning);
    const synthesis::Orchestration& orchestration = assembly.orchestration;
    std::vector<std::string> losses;
    print(stdout, pipeline::write_synthesized(assembly, options.format, losses));
    for (const std::string& loss : losses)
        print(stderr,
              "left out, the format ." + options.format + " cannot express it: " + loss + "\n");
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
    command.restrict_to(form, pipeline::synthesized_formats());
    command.manual.sections = {override_section()};
    command.manual.examples = {{"rubato synthesize crane.yaml", "Print the algorithm as text."},
                               {"rubato synthesize crane.yaml --reduction maximum",
                                "Print it with every input of a loop guessed."},
                               {"rubato synthesize crane.conf --format yaml",
                                "Convert a scenario, with its algorithm, to YAML."}};
    command.callback([options, &exit_code] { exit_code = synthesize(*options); });
}

} // namespace rubato::cli
