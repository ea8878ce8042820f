// SPDX-License-Identifier: Apache-2.0
#include "simulate_one.hpp"

#include "console_log.hpp"
#include "fmu_file.hpp"
#include "own_output.hpp"
#include "problems.hpp"
#include "run_assembly.hpp"
#include "terminal.hpp"

#include <rubato/core/text.hpp>
#include <rubato/pipeline/single.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/result_formats.hpp>

#include <vector>

namespace rubato::cli {
namespace {

using scenario::SingleScenario;
using scenario::UnitDescription;

LogLevel least_level(const SimulateOptions& options) {
    if (options.quiet) return LogLevel::error;
    return options.verbose ? LogLevel::debug : LogLevel::warning;
}

/// Adds the variables that the columns of a results file name, if the model has them.
void record_columns(const std::filesystem::path& file, const UnitDescription& model,
                    std::vector<std::string>& record) {
    const report::Table table = report::read_results(file);
    std::vector<std::string> unknown;
    for (const auto& column : std::span(table.columns()).subspan(1))
        (model.find_variable(column.name) ? record : unknown).push_back(column.name);
    if (!unknown.empty())
        print(stderr, format("not recorded, because the model has no such variables: {}\n",
                             fmt::join(unknown, ", ")));
}

/// "start 0 s, stop 10 s"
std::string listed(const std::vector<scenario::DefaultedSetting>& settings, bool from_model) {
    std::string text;
    for (const scenario::DefaultedSetting& setting : settings) {
        if (setting.from_model != from_model) continue;
        text += format("{}{} {}{}", text.empty() ? "" : ", ", setting.name, shortest(setting.value),
                       setting.name == "tolerance" ? "" : " s");
    }
    return text;
}

void print_defaults(const std::vector<scenario::DefaultedSetting>& settings) {
    const std::string suggested = listed(settings, true);
    const std::string guessed = listed(settings, false);
    if (!suggested.empty()) print(stderr, format("as the FMU suggests: {}\n", suggested));
    if (!guessed.empty()) print(stderr, format("not given, so assumed: {}\n", guessed));
}

} // namespace

int simulate_one(const SimulateOptions& options) {
    const auto& fmu = std::get<scenario::FmuFile>(options.run.model.origin).file;
    require_fmu(fmu);
    const OwnOutput own;
    ConsoleLog log(least_level(options));
    unit::Library library(log, {}, options.strictness);
    scenario::SingleRun run = options.run;
    const UnitDescription& model = library.describe(run.model, {});
    if (options.record_columns_of) record_columns(*options.record_columns_of, model, run.record);
    const std::string file = fmu.string();
    Diagnostics diagnostics;
    SingleScenario single = pipeline::make_single(run, library, diagnostics);
    throw_errors(diagnostics, file);
    single.scenario.recording.every = options.record_every;
    single.scenario.recording.intermediate = options.intermediate;
    if (!options.quiet) print_defaults(single.defaults);
    pipeline::Assembly assembly =
        pipeline::assemble(std::move(single.scenario), library, diagnostics);
    assembly.assumed = single.defaults;
    throw_errors(diagnostics, file);
    print_remarks(diagnostics, least_level(options));
    RunOutput output{.results = {},
                     .plain_unit = run.model.name,
                     .quiet = options.quiet,
                     .strict = options.strictness == unit::Strictness::strict,
                     .force = options.force,
                     .summary = own.stream()};
    if (!options.no_record) {
        output.results = options.output;
        if (output.results.empty())
            output.results = {std::filesystem::path("results") / (assembly.scenario.name + ".csv")};
    }
    return run_assembly(assembly, library, output, log);
}

} // namespace rubato::cli
