// SPDX-License-Identifier: Apache-2.0
#include "scenario.hpp"

#include <rubato/algorithm/events.hpp>
#include <rubato/algorithm/verify.hpp>
#include <rubato/analysis.hpp>
#include <rubato/core/text.hpp>
#include <rubato/pipeline/export.hpp>
#include <rubato/pipeline/operation_graph.hpp>
#include <rubato/pipeline/single.hpp>
#include <rubato/pipeline/synthesized.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/settings.hpp>
#include <rubato/scenario/system.hpp>
#include <rubato/scenario/words.hpp>
#include <rubato/unit/validation.hpp>

#include <algorithm>
#include <utility>

namespace rubato {

namespace {

using facade::Access;

VariableInfo info_of(const scenario::Variable& variable) {
    VariableInfo info{.name = variable.name,
                      .type = std::string(to_string(variable.type)),
                      .causality = std::string(to_string(variable.causality)),
                      .variability = std::string(to_string(variable.variability)),
                      .unit = variable.unit,
                      .description = variable.description,
                      .start = variable.start,
                      .minimum = variable.minimum,
                      .maximum = variable.maximum,
                      .nominal = variable.nominal,
                      .shape = {}};
    for (const scenario::Dimension& dimension : variable.dimensions)
        info.shape.push_back(dimension.size);
    return info;
}

UnitInfo info_of(const scenario::UnitDescription& description) {
    UnitInfo info{.model = description.model,
                  .kind = description.kind,
                  .source = description.source,
                  .description = description.description,
                  .tool = description.generation_tool,
                  .variables = {},
                  .can_save = description.capabilities.snapshots,
                  .start = description.default_experiment.start,
                  .stop = description.default_experiment.stop,
                  .step = description.default_experiment.step,
                  .tolerance = description.default_experiment.tolerance};
    for (const scenario::Variable& variable : description.variables)
        info.variables.push_back(info_of(variable));
    return info;
}

/// The assembly of a scenario as it is; errors are thrown.
pipeline::Assembly assemble(const Scenario& scenario, pipeline::Verification verification,
                            bool ignore_written = false) {
    const Access::Loaded& loaded = Access::of(scenario);
    scenario::Scenario copy = loaded.scenario;
    if (ignore_written) copy.written.reset();
    return facade::assemble(std::move(copy), {}, *loaded.library, *loaded.log, verification);
}

} // namespace

UnitInfo describe(const Scenario& scenario, std::string_view unit) {
    const Access::Loaded& loaded = Access::of(scenario);
    const auto& units = loaded.scenario.units;
    const auto found = std::ranges::find(units, unit, &scenario::Unit::name);
    if (found == units.end())
        throw InputError(format("there is no unit \"{}\"", unit),
                         suggest(unit, scenario.units(), "the units"));
    if (found->is_only_declared()) return info_of(scenario::declared_description(*found));
    if (std::holds_alternative<scenario::NestedScenario>(found->origin)) {
        const pipeline::Assembly assembly = assemble(scenario, pipeline::Verification::skip);
        return info_of(assembly.descriptions[static_cast<std::size_t>(found - units.begin())]);
    }
    return info_of(loaded.library->describe(*found, loaded.scenario.file.parent_path()));
}

UnitInfo inspect(const std::filesystem::path& fmu, const LoadOptions& options) {
    const auto library = facade::make_library(options, facade::log_of(options));
    return info_of(library->describe(fmu));
}

bool Check::is_correct() const {
    return std::ranges::none_of(
        problems, [](const Diagnostic& each) { return each.severity == Severity::error; });
}

Check check(const Scenario& scenario) {
    const Access::Loaded& loaded = Access::of(scenario);
    Diagnostics diagnostics;
    Check result;
    if (loaded.scenario.units.empty()) {
        diagnostics.error({}, "the scenario has no units", "add one");
    } else {
        pipeline::Assembly assembly =
            pipeline::assemble(loaded.scenario, *loaded.library, diagnostics);
        result.remarks = std::move(assembly.orchestration.remarks);
    }
    result.problems = diagnostics.all();
    return result;
}

std::string synthesize(const Scenario& scenario, std::string_view format,
                       std::vector<std::string>* losses) {
    const pipeline::Assembly assembly =
        assemble(scenario, pipeline::Verification::perform, /*ignore_written=*/true);
    std::vector<std::string> lost;
    std::string text = pipeline::write_synthesized(assembly, format, lost);
    if (losses) *losses = std::move(lost);
    return text;
}

Verification verify(const Scenario& scenario) {
    const pipeline::Assembly assembly = assemble(scenario, pipeline::Verification::skip);
    const synthesis::Orchestration& orchestration = assembly.orchestration;
    algorithm::Verdict verdict = algorithm::verify(orchestration.system, orchestration.algorithm);
    std::ranges::move(algorithm::verify_events(assembly.scenario),
                      std::back_inserter(verdict.violations));
    const auto counterexample = [](const algorithm::Violation& violation) {
        return Counterexample{violation.message, violation.hint, violation.trace};
    };
    Verification result;
    result.outcome = static_cast<Verification::Outcome>(verdict.outcome());
    static_assert(static_cast<int>(algorithm::Outcome::not_decided) ==
                  static_cast<int>(Verification::Outcome::not_decided));
    for (const algorithm::Violation& violation : verdict.violations)
        result.counterexamples.push_back(counterexample(violation));
    if (verdict.undecided) result.undecided = counterexample(*verdict.undecided);
    result.runs = verdict.runs;
    return result;
}

std::string graph(const Scenario& scenario, const GraphOptions& options) {
    static const std::vector<std::string> formats = {"svg", "dot"};
    if (std::ranges::find(formats, options.format) == formats.end())
        throw InputError(format("a graph cannot be written as \"{}\"", options.format),
                         suggest(options.format, formats, "the formats"));
    const pipeline::Assembly assembly =
        assemble(scenario, pipeline::Verification::skip, /*ignore_written=*/true);
    const report::Diagram diagram =
        pipeline::draw_graph(assembly, {options.of, options.configuration}).diagram;
    return options.format == "dot" ? report::to_dot(diagram) : report::to_svg(diagram);
}

std::string diagram(const Scenario& scenario) {
    return report::to_svg(pipeline::draw_system(assemble(scenario, pipeline::Verification::skip)));
}

std::vector<Violation> validate(const std::filesystem::path& fmu) {
    std::vector<Violation> violations;
    for (const unit::Finding& finding : unit::validate(fmu)) {
        const unit::RuleText& rule = unit::text_of(finding.rule);
        violations.push_back({std::string(rule.id), finding.where, finding.message, finding.hint,
                              std::string(to_string(rule.treatment)),
                              std::string(rule.consequence)});
    }
    return violations;
}

Result simulate(const std::filesystem::path& fmu, const SimulateOptions& options,
                const LoadOptions& load) {
    Log& log = facade::log_of(load);
    const auto library = facade::make_library(load, log);
    scenario::SingleRun run{.model = {},
                            .input = options.input,
                            .start = options.start,
                            .stop = options.stop,
                            .step = options.step,
                            .tolerance = options.tolerance,
                            .settings = options.settings,
                            .record = options.record};
    run.model.name = "model";
    run.model.origin = scenario::FmuFile{fmu};
    if (options.interface) {
        run.model.type = scenario::find_word<scenario::Interface>(*options.interface);
        if (!run.model.type)
            throw InputError(format("\"{}\" is no interface of FMUs", *options.interface),
                             "say cs (co-simulation) or me (model exchange)");
    }
    Diagnostics diagnostics;
    scenario::SingleScenario single = pipeline::make_single(run, *library, diagnostics);
    diagnostics.throw_if_errors();
    pipeline::Assembly assembly =
        pipeline::assemble(std::move(single.scenario), *library, diagnostics);
    assembly.assumed = single.defaults;
    diagnostics.throw_if_errors();
    facade::log_remarks(diagnostics, log);
    return facade::run(std::move(assembly), {{}, &log, library, load.strict}, options.run,
                       run.model.name);
}

std::uintmax_t export_fmu(const Scenario& scenario, const std::filesystem::path& target,
                          const ExportOptions& options) {
    if (options.fmi != 2 && options.fmi != 3)
        throw InputError(format("FMI {} is no version that can be exported", options.fmi),
                         "say 2 or 3");
    const pipeline::Assembly assembly = assemble(scenario, pipeline::Verification::perform);
    const Access::Loaded& loaded = Access::of(scenario);
    Diagnostics diagnostics;
    const auto exported =
        pipeline::export_fmu(assembly, *loaded.library,
                             {.target = target,
                              .version = options.fmi == 3 ? pipeline::ExportVersion::fmi3
                                                          : pipeline::ExportVersion::fmi2,
                              .overwrite = options.overwrite},
                             diagnostics);
    diagnostics.throw_if_errors();
    facade::log_remarks(diagnostics, *loaded.log);
    return exported->bytes;
}

std::vector<SettingInfo> settings() {
    std::vector<SettingInfo> all;
    for (scenario::Setting& each : scenario::settings())
        all.push_back({each.section + "." + each.key, std::move(each.type), std::move(each.choices),
                       std::move(each.default_value), std::move(each.meaning)});
    return all;
}

std::string_view version() { return RUBATO_VERSION; }

} // namespace rubato
