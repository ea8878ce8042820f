// SPDX-License-Identifier: Apache-2.0
#include "scenario.hpp"

#include <rubato/core/text.hpp>
#include <rubato/pipeline/advice.hpp>
#include <rubato/pipeline/formats.hpp>
#include <rubato/pipeline/native_models.hpp>
#include <rubato/pipeline/overrides.hpp>
#include <rubato/pipeline/verdict.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/yaml.hpp>

#include <algorithm>
#include <utility>

namespace rubato {

namespace {

constexpr auto setter = "set"; ///< who changes settings, for messages

std::vector<std::string> unit_names(const scenario::Scenario& scenario) {
    std::vector<std::string> names;
    for (const scenario::Unit& unit : scenario.units) names.push_back(unit.name);
    return names;
}

/// Throws an InputError unless the path is a setting or `unit.variable`, with a variable that the
/// unit has.
void check_name(std::string_view path, const scenario::Scenario& scenario, unit::Library& library) {
    const auto name = scenario::split_variable_path(path);
    const auto& sections = scenario::section_names();
    const bool is_setting =
        std::ranges::find(sections, path.substr(0, path.find('.'))) != sections.end();
    if (is_setting) return;
    if (!name)
        throw InputError(format("\"{}\" is neither a variable nor a setting", path),
                         "write unit.variable, or a path such as experiment.step");
    const auto unit = std::ranges::find(scenario.units, name->unit, &scenario::Unit::name);
    if (unit == scenario.units.end())
        throw InputError(
            format("cannot set \"{}\": the scenario has no unit \"{}\"", path, name->unit),
            suggest(name->unit, unit_names(scenario), "its units"));
    if (unit->is_only_declared()) return;
    if (const auto* const nested = std::get_if<scenario::NestedScenario>(&unit->origin)) {
        if (name->port.starts_with('/'))
            check_name(std::string_view(name->port).substr(1), *nested->scenario, library);
        return; // its interface is known when it is assembled
    }
    const scenario::UnitDescription& description =
        library.describe(*unit, scenario.file.parent_path());
    const auto find = [&](std::string_view variable) {
        return description.find_variable(variable);
    };
    if (scenario::find_part(description.variables, name->port, find)) return;
    std::vector<std::string> names;
    for (const scenario::Variable& variable : description.variables) names.push_back(variable.name);
    throw InputError(format("cannot set \"{}\": unit \"{}\" has no variable \"{}\"", path,
                            name->unit, name->port),
                     suggest(name->port, names, "its variables"));
}

} // namespace

Scenario::Scenario(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
Scenario::~Scenario() = default;
Scenario::Scenario(const Scenario& other)
    : implementation_(std::make_unique<Implementation>(*other.implementation_)) {}
Scenario::Scenario(Scenario&& other) noexcept = default;
Scenario& Scenario::operator=(const Scenario& other) {
    if (this != &other) implementation_ = std::make_unique<Implementation>(*other.implementation_);
    return *this;
}
Scenario& Scenario::operator=(Scenario&& other) noexcept = default;

const std::string& Scenario::name() const { return implementation_->scenario.name; }

std::string Scenario::to_yaml() const { return scenario::write_yaml(implementation_->scenario); }

void Scenario::set(std::string_view path, const Value& value) {
    set_yaml(path, scenario::to_yaml(value));
}

void Scenario::set_yaml(std::string_view path, std::string_view yaml) {
    check_name(path, implementation_->scenario, *implementation_->library);
    implementation_->change({std::string(path), std::string(yaml), setter});
}

std::vector<std::string> Scenario::units() const { return unit_names(implementation_->scenario); }

void Scenario::add_unit(std::string_view name, std::string_view yaml) {
    const auto names = unit_names(implementation_->scenario);
    if (std::ranges::find(names, name) != names.end())
        throw InputError(format("the scenario has a unit \"{}\" already", name),
                         "give the new one another name");
    const bool is_plain = !name.empty() && name.find_first_of("./") == std::string_view::npos;
    if (!is_plain)
        throw InputError(format("\"{}\" is no name for a unit", name),
                         "a name is not empty and holds neither \".\" nor \"/\"");
    implementation_->change({format("units.{}", name), std::string(yaml), "add"});
}

void Scenario::connect(std::string_view from, std::string_view to, std::string_view yaml) {
    const std::string name = scenario::to_yaml(Value(format("{} -> {}", from, to)));
    scenario::Scenario changed = implementation_->scenario;
    std::vector<scenario::Connection> connections = std::exchange(changed.connections, {});
    Diagnostics diagnostics;
    const scenario::Override setting{"connections", format("[{{{}: {}}}]", name, yaml), "connect"};
    scenario::apply({&setting, 1}, changed, diagnostics);
    diagnostics.throw_if_errors();
    connections.insert(connections.end(), changed.connections.begin(), changed.connections.end());
    implementation_->scenario.connections = std::move(connections);
}

void Scenario::Implementation::change(const scenario::Override& setting) {
    scenario::Scenario changed = scenario;
    Diagnostics diagnostics;
    pipeline::apply({&setting, 1}, changed, *library, diagnostics);
    diagnostics.throw_if_errors();
    scenario = std::move(changed);
}

namespace facade {

std::shared_ptr<unit::Library> make_library(const LoadOptions& options, Log& log) {
    auto library = std::make_shared<unit::Library>(log, files::ArchiveLimits{},
                                                   options.strict ? unit::Strictness::strict
                                                                  : unit::Strictness::lenient);
    for (const model::ModelType* type : options.models) library->add(*type);
    pipeline::add_native_models(*library);
    if (options.extend) options.extend(*library);
    return library;
}

Log& log_of(const LoadOptions& options) { return options.log ? *options.log : silent_log(); }

void log_remarks(const Diagnostics& diagnostics, Log& log) {
    for (const Diagnostic& diagnostic : diagnostics.all()) {
        if (diagnostic.severity == Severity::error) continue;
        const bool is_warning = diagnostic.severity == Severity::warning;
        log.write(is_warning ? LogLevel::warning : LogLevel::info, "", to_string(diagnostic));
    }
}

} // namespace facade

namespace {

Scenario make_loaded(scenario::Scenario scenario, const LoadOptions& options) {
    Log& log = facade::log_of(options);
    return facade::Access::make_scenario(
        {std::move(scenario), &log, facade::make_library(options, log), options.strict});
}

} // namespace

Scenario load_text(std::string_view text, const std::filesystem::path& file,
                   const LoadOptions& options) {
    Diagnostics diagnostics;
    scenario::Scenario scenario = pipeline::parse(text, file, diagnostics);
    diagnostics.throw_if_errors();
    facade::log_remarks(diagnostics, facade::log_of(options));
    return make_loaded(std::move(scenario), options);
}

Scenario load(const std::filesystem::path& file, const LoadOptions& options) {
    Diagnostics diagnostics;
    scenario::Scenario scenario = pipeline::read(file, diagnostics);
    diagnostics.throw_if_errors();
    facade::log_remarks(diagnostics, facade::log_of(options));
    return make_loaded(std::move(scenario), options);
}

Scenario copy_apart(const Scenario& scenario, const LoadOptions& options) {
    return make_loaded(facade::Access::of(scenario).scenario, options);
}

Scenario make_scenario(const std::filesystem::path& file, const LoadOptions& options) {
    scenario::Scenario scenario;
    scenario.file = file;
    scenario.name = file.stem().string();
    scenario.experiment.open = {true, true, true, true};
    return make_loaded(std::move(scenario), options);
}

std::string Trust::text() const {
    return format("{}{}{}", fmt::join(lines, "\n"), lines.empty() || advice.empty() ? "" : "\n",
                  fmt::join(advice, "\n"));
}

namespace facade {

void add_override(std::vector<scenario::Override>& overrides, std::string_view path,
                  const std::optional<double>& value) {
    if (value) overrides.push_back({std::string(path), scenario::to_yaml(Value(*value)), setter});
}

pipeline::Assembly assemble(scenario::Scenario scenario,
                            std::span<const scenario::Override> overrides, unit::Library& library,
                            Log& log, pipeline::Verification verification) {
    if (scenario.units.empty()) throw InputError("the scenario has no units", "add one");
    Diagnostics diagnostics;
    pipeline::apply(overrides, scenario, library, diagnostics);
    diagnostics.throw_if_errors();
    pipeline::Assembly assembly =
        pipeline::assemble(std::move(scenario), library, diagnostics, verification);
    diagnostics.throw_if_errors();
    log_remarks(diagnostics, log);
    return assembly;
}

Trust trust_of(const engine::Trust& trust, const engine::Summary& summary,
               const pipeline::Assembly& assembly) {
    pipeline::TrustVerdict verdict = pipeline::trust_verdict(trust, summary);
    Trust result;
    const auto public_grade = [](pipeline::Grade grade) {
        return static_cast<Trust::Grade>(static_cast<int>(grade) + 1); // after `unknown`
    };
    static_assert(public_grade(pipeline::Grade::good) == Trust::Grade::good);
    static_assert(public_grade(pipeline::Grade::unstable) == Trust::Grade::unstable);
    if (verdict.grade) result.grade = public_grade(*verdict.grade);
    result.lines = std::move(verdict.lines);
    result.advice = pipeline::advice(trust, assembly);
    for (const engine::CouplingError& each : trust.couplings)
        result.connections.push_back({each.from, each.to, each.unit, each.range, each.largest,
                                      each.when.seconds, each.relative(), each.jumps});
    for (const engine::BondBalance& each : trust.bonds)
        result.bonds.push_back({each.name, each.exchanged, each.created, each.relative()});
    return result;
}

} // namespace facade
} // namespace rubato
