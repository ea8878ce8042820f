// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/csv.hpp>
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/single.hpp>

#include <algorithm>
#include <cmath>

namespace rubato::scenario {

namespace {

constexpr double steps_of_span = 500;
constexpr double span_of_nothing = 1;

std::optional<Value> parse_value(std::string_view text, ValueType type) {
    switch (storage_of(type)) {
    case Storage::real:
        if (const auto value = parse_real(text)) return *value;
        break;
    case Storage::integer:
        if (const auto value = parse_integer(text)) return *value;
        break;
    case Storage::boolean:
        if (text == "true" || text == "1") return true;
        if (text == "false" || text == "0") return false;
        break;
    case Storage::string: return std::string(text);
    }
    return std::nullopt;
}

bool is_parameter(const Variable& variable) {
    return variable.causality == Causality::parameter ||
           variable.causality == Causality::structural_parameter;
}

std::vector<std::string> settable_names(const UnitDescription& model) {
    std::vector<std::string> names;
    for (const Variable& variable : model.variables)
        if (is_parameter(variable) || variable.start) names.push_back(variable.name);
    return names;
}

void apply_setting(const std::string& text, const UnitDescription& model, Unit& unit,
                   Diagnostics& diagnostics) {
    const Location where{"--set " + text, 0, 0};
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
        diagnostics.error(where, "names no value", "write --set variable=value");
        return;
    }
    const std::string name = text.substr(0, equals);
    const std::string value_text = text.substr(equals + 1);
    const auto index = model.find_variable(name);
    if (!index) {
        diagnostics.error(where, format("the model has no variable \"{}\"", name),
                          suggest(name, settable_names(model), "those with a value"));
        return;
    }
    const Variable& variable = model.variables[*index];
    const auto value = parse_value(value_text, variable.type);
    if (!value) {
        diagnostics.error(where, format("\"{}\" is no value for {}, which is of type {}",
                                        value_text, name, to_string(variable.type)));
        return;
    }
    (is_parameter(variable) ? unit.parameters : unit.start).push_back({name, *value, where});
}

/// Chooses what nobody gave, and notes it.
class Chooser {
public:
    explicit Chooser(std::vector<DefaultedSetting>& chosen) : chosen_(chosen) {}

    double choose(const char* name, std::optional<double> given, std::optional<double> suggested,
                  double guess) {
        if (given) return *given;
        const double value = suggested.value_or(guess);
        chosen_.push_back({name, value, suggested.has_value()});
        return value;
    }

private:
    std::vector<DefaultedSetting>& chosen_;
};

std::optional<double> only_if(std::optional<double> value, bool condition) {
    return condition ? value : std::nullopt;
}

Experiment experiment_of(const SingleRun& run, const DefaultExperiment& suggested,
                         std::vector<DefaultedSetting>& defaults) {
    Chooser chooser(defaults);
    Experiment experiment;
    experiment.start = chooser.choose("start", run.start, suggested.start, 0);
    experiment.stop =
        chooser.choose("stop", run.stop, only_if(suggested.stop, suggested.stop > experiment.start),
                       experiment.start + span_of_nothing);
    const double span = experiment.stop - experiment.start;
    const bool fits = suggested.step > 0.0 && suggested.step <= span;
    experiment.step =
        chooser.choose("step", run.step, only_if(suggested.step, fits), span / steps_of_span);
    experiment.tolerance = run.tolerance;
    if (!run.tolerance && suggested.tolerance > 0.0) {
        experiment.tolerance = suggested.tolerance;
        defaults.push_back({"tolerance", *suggested.tolerance, true});
    }
    return experiment;
}

std::vector<std::string> input_names(const UnitDescription& model) {
    std::vector<std::string> names;
    for (const Variable& variable : model.variables)
        if (variable.causality == Causality::input) names.push_back(variable.name);
    return names;
}

void connect(Scenario& scenario, const SingleRun& run, const UnitDescription& model,
             std::span<const std::string> columns, Diagnostics& diagnostics) {
    const std::vector<std::string> inputs = input_names(model);
    const Location where{run.input->string(), 1, 0};
    for (const std::string& column : columns) {
        if (std::ranges::find(inputs, column) == inputs.end()) {
            diagnostics.warning(
                where, format("column \"{}\" is not used: the model has no such input", column),
                suggest(column, inputs, "its inputs"));
            continue;
        }
        scenario.connections.push_back(
            {std::string(input_unit), column, run.model.name, column, 1, 0, where});
    }
}

std::vector<std::string> recorded(const SingleRun& run, const UnitDescription& model) {
    std::vector<std::string> names;
    for (const std::string& pattern : run.record) names.push_back(run.model.name + "." + pattern);
    if (!names.empty()) return names;
    for (const Variable& variable : model.variables) {
        const bool is_scalar = variable.dimensions.empty() && variable.type != ValueType::clock;
        if (variable.causality == Causality::output && is_scalar)
            names.push_back(run.model.name + "." + variable.name);
    }
    if (names.empty()) names.push_back(run.model.name + ".*");
    return names;
}

} // namespace

Unit table_unit(std::string_view name, const std::filesystem::path& file) {
    Unit unit;
    unit.name = name;
    unit.table = file;
    unit.where = {file.string(), 0, 0};
    return unit;
}

SingleScenario single_scenario(const SingleRun& run, const UnitDescription& model,
                               std::span<const std::string> columns, Diagnostics& diagnostics) {
    SingleScenario result;
    Scenario& scenario = result.scenario;
    scenario.units.push_back(run.model);
    for (const std::string& setting : run.settings)
        apply_setting(setting, model, scenario.units.front(), diagnostics);
    if (run.input) {
        scenario.units.push_back(table_unit(input_unit, *run.input));
        connect(scenario, run, model, columns, diagnostics);
    }
    scenario.experiment = experiment_of(run, model.default_experiment, result.defaults);
    scenario.recording.variables = recorded(run, model);
    return result;
}

} // namespace rubato::scenario
