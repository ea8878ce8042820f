// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "console_log.hpp"
#include "exit_code.hpp"
#include "scenario_options.hpp"
#include "terminal.hpp"

#include <rubato/algorithm/text.hpp>

#include <memory>

namespace rubato::cli {
namespace {

int synthesize(const ScenarioOptions& options) {
    ConsoleLog log(LogLevel::warning);
    unit::Library library(log);
    add_native_models(library);
    const engine::Assembly assembly = load_scenario(options, library, LogLevel::warning);
    const synthesis::Orchestration& orchestration = assembly.orchestration;
    print(stdout, algorithm::to_text(orchestration.algorithm, orchestration.system));
    for (const std::string& remark : orchestration.remarks) print(stderr, remark + "\n");
    return exit_code::success;
}

} // namespace

void add_synthesize(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<ScenarioOptions>();
    CLI::App& command =
        *app.add_subcommand("synthesize", "Print the algorithm that the contracts ask for");
    add_scenario_options(command, *options);
    add_experiment_options(command, *options);
    command.footer("Examples:\n"
                   "  rubato synthesize crane.yaml\n"
                   "  rubato synthesize crane.yaml --reduction maximum");
    command.callback([options, &exit_code] { exit_code = synthesize(*options); });
}

} // namespace rubato::cli
