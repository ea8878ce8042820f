// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "console_log.hpp"
#include "exit_code.hpp"
#include "scenario_options.hpp"
#include "terminal.hpp"

#include <rubato/algorithm/events.hpp>
#include <rubato/pipeline/native_models.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/text_table.hpp>

#include <algorithm>
#include <iterator>
#include <memory>

namespace rubato::cli {
namespace {

std::string coverage_text(const algorithm::Verdict& verdict) {
    if (verdict.runs == 0) return "without exploring runs";
    const std::string runs = report::plural(verdict.runs, "run");
    switch (verdict.coverage) {
    case algorithm::Coverage::every_run:
        return format("all possible runs explored: {}", verdict.runs);
    case algorithm::Coverage::representatives:
        return format("{} explored, one for each class of equivalent runs", runs);
    case algorithm::Coverage::incomplete: break;
    }
    return format("only {} explored", runs);
}

void print_violation(const algorithm::Violation& violation, const Style& style) {
    print(stdout, "\n" + violation.message + "\n");
    if (!violation.hint.empty()) print(stdout, "  " + violation.hint + "\n");
    if (violation.trace.empty()) return;
    print(stdout, "  " + style.dim("trace:") + "\n");
    for (const std::string& line : violation.trace) print(stdout, "    " + line + "\n");
}

int verify(ScenarioOptions options) {
    ConsoleLog log(LogLevel::warning);
    unit::Library library(log, {}, options.strictness);
    pipeline::add_native_models(library);
    options.verification = pipeline::Verification::skip; // the verdict is what this command prints
    const pipeline::Assembly assembly = load_scenario(options, library, LogLevel::warning);
    const synthesis::Orchestration& orchestration = assembly.orchestration;
    algorithm::Verdict verdict = algorithm::verify(orchestration.system, orchestration.algorithm);
    std::ranges::move(algorithm::verify_events(assembly.scenario),
                      std::back_inserter(verdict.violations));
    const Style style(stdout);
    print(stdout,
          format("{}: {} ({})\n", options.file,
                 style.bold(std::string(to_string(verdict.outcome()))), coverage_text(verdict)));
    for (const algorithm::Violation& violation : verdict.violations)
        print_violation(violation, style);
    switch (verdict.outcome()) {
    case algorithm::Outcome::correct: return exit_code::success;
    case algorithm::Outcome::wrong: return exit_code::run_failed;
    case algorithm::Outcome::not_decided: break;
    }
    print_violation(*verdict.undecided, style);
    return exit_code::not_decided;
}

} // namespace

void add_verify(Command& program, int& exit_code) {
    auto options = std::make_shared<ScenarioOptions>();
    Command& command = program.add_command(
        "verify", "Verify the algorithm of a scenario against the contracts of its units");
    add_scenario_options(command, *options);
    add_experiment_options(command, *options);
    command.manual.sections = {override_section()};
    command.manual.examples = {
        {"rubato verify crane.yaml", "Verify the algorithm of a scenario."},
        {"rubato verify crane.yaml --algorithm gauss-seidel", "Verify another algorithm for it."}};
    command.manual.exit_codes = {{"0", "the algorithm is correct"},
                                 {"1", "the algorithm is wrong"},
                                 {"2", "the scenario has errors"},
                                 {"3", "it is not decided whether the algorithm is correct"}};
    command.callback([options, &exit_code] { exit_code = verify(*options); });
}

} // namespace rubato::cli
