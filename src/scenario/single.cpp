// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/text.hpp>
#include <rubato/files/csv.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/single.hpp>

#include <algorithm>
#include <cmath>

namespace rubato::scenario {

namespace {

std::optional<Value> parse_value(std::string_view text, const Variable& variable) {
    switch (storage_of(variable.type)) {
    case Storage::real:
        if (const auto value = files::parse_real(text)) return *value;
        break;
    case Storage::integer:
        if (const auto value = files::parse_integer(text)) return *value;
        if (const auto item = variable.find_item(text)) return *item;
        break;
    case Storage::boolean:
        if (text == "true" || text == "1") return true;
        if (text == "false" || text == "0") return false;
        break;
    case Storage::string: return std::string(text);
    }
    return std::nullopt;
}

constexpr std::size_t npos = std::string::npos;

/// What stands between commas.
std::vector<std::string> words_of(std::string_view list) {
    std::vector<std::string> words;
    while (true) {
        const std::size_t comma = list.find(',');
        words.emplace_back(files::trimmed(list.substr(0, comma)));
        if (comma == npos) return words;
        list.remove_prefix(comma + 1);
    }
}

std::string items_hint(const std::string& word, const Variable& variable) {
    if (!variable.items) return {};
    std::vector<std::string> names;
    for (const EnumerationItem& item : *variable.items) names.push_back(item.name);
    return suggest(word, names, "its items");
}

std::vector<std::string> settable_names(const UnitDescription& model) {
    std::vector<std::string> names;
    for (const Variable& variable : model.variables)
        if (is_parameter(variable.causality) || variable.start || !variable.start_elements.empty())
            names.push_back(variable.name);
    return names;
}

void apply_setting(const std::string& text, const UnitDescription& model, Unit& unit,
                   Diagnostics& diagnostics) {
    const Location where{"--set " + text, 0, 0};
    const std::size_t equals = text.find('=');
    if (equals == npos || equals == 0) {
        diagnostics.error(where, "names no value", "write --set variable=value");
        return;
    }
    const std::string name = text.substr(0, equals);
    const std::string value_text = text.substr(equals + 1);
    const auto part = find_part(model.variables, name,
                                [&](std::string_view whole) { return model.find_variable(whole); });
    if (!part) {
        diagnostics.error(where, format("the model has no variable \"{}\"", name),
                          suggest(name, settable_names(model), "those with a value"));
        return;
    }
    const Variable& variable = model.variables[part->variable];
    const bool is_list = variable.is_array() && !part->element && value_text.find(',') != npos;
    std::vector<Value> values;
    for (const std::string& word : is_list ? words_of(value_text) : std::vector{value_text}) {
        auto value = parse_value(word, variable);
        if (!value) {
            diagnostics.error(where,
                              format("\"{}\" is no value for {}, which is of type {}", word, name,
                                     to_string(variable.type)),
                              items_hint(word, variable));
            return;
        }
        values.push_back(std::move(*value));
    }
    Assignment assignment{name, values.front(), where, {}};
    if (is_list) assignment.elements = std::move(values);
    (is_parameter(variable.causality) ? unit.parameters : unit.start)
        .push_back(std::move(assignment));
}

Experiment experiment_of(const SingleRun& run, const UnitDescription& model,
                         std::vector<DefaultedSetting>& defaults) {
    Experiment experiment;
    experiment.start = run.start.value_or(experiment.start);
    experiment.stop = run.stop.value_or(experiment.stop);
    experiment.step = run.step.value_or(experiment.step);
    experiment.tolerance = run.tolerance;
    experiment.open = {!run.start, !run.stop, !run.step, !run.tolerance};
    defaults = settle_experiment(experiment, std::span(&model, 1), std::nullopt);
    return experiment;
}

/// Inputs, and parameters that may change during a run.
bool can_be_fed(const Variable& variable) {
    return variable.causality == Causality::input || (variable.causality == Causality::parameter &&
                                                      variable.variability == Variability::tunable);
}

std::vector<std::string> input_names(const UnitDescription& model) {
    std::vector<std::string> names;
    for (const Variable& variable : model.variables)
        if (can_be_fed(variable)) names.push_back(variable.name);
    return names;
}

/// Whether an input can follow a table within steps. A model that cannot vary its steps cannot stop
/// at jumps, which would be smeared.
bool can_follow(const UnitDescription& model, const Variable& input) {
    return model.capabilities.input_derivatives > 0 && model.capabilities.variable_step &&
           input.type == ValueType::float64 && !input.is_array() && !input.derivative_of &&
           input.variability == Variability::continuous;
}

void connect(Scenario& scenario, const SingleRun& run, const UnitDescription& model,
             std::span<const std::string> columns, Diagnostics& diagnostics) {
    const std::vector<std::string> inputs = input_names(model);
    const Location where{run.input->string(), 1, 0};
    for (const std::string& column : columns) {
        const auto part = find_part(model.variables, column, [&](std::string_view whole) {
            return model.find_variable(whole);
        });
        if (!part || !can_be_fed(model.variables[part->variable])) {
            diagnostics.warning(
                where,
                format(
                    "column \"{}\" is not used: the model has no such input or tunable parameter",
                    column),
                suggest(column, inputs, "its inputs"));
            continue;
        }
        scenario.connections.push_back(
            {std::string(input_unit), column, run.model.name, column, 1, 0, where});
        if (can_follow(model, model.variables[part->variable]))
            scenario.units.front().inputs.push_back({.name = column,
                                                     .approximation = Approximation::linear,
                                                     .mode = ApproximationMode::interpolate,
                                                     .contract = {},
                                                     .where = where});
    }
}

std::vector<std::string> recorded(const SingleRun& run, const UnitDescription& model) {
    std::vector<std::string> names;
    for (const std::string& pattern : run.record) names.push_back(run.model.name + "." + pattern);
    if (!names.empty()) return names;
    for (const Variable& variable : model.variables) {
        if (variable.causality == Causality::output && variable.type != ValueType::clock)
            names.push_back(run.model.name + "." + variable.name);
    }
    if (names.empty()) names.push_back(run.model.name + ".*");
    return names;
}

} // namespace

Unit table_unit(std::string_view name, const std::filesystem::path& file) {
    Unit unit;
    unit.name = name;
    unit.origin = TableFile{file};
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
    if (run.model.solver && model.interface == Interface::co_simulation) {
        diagnostics.warning(
            {run.model.where.file, 0, 0},
            "the solver is not used: it is for model exchange, and co-simulation FMUs bring their "
            "own",
            std::ranges::find(model.interfaces, Interface::model_exchange) != model.interfaces.end()
                ? "--type me runs the FMU by model exchange"
                : "");
        scenario.units.front().solver.reset();
    }
    if (run.input) {
        scenario.units.push_back(table_unit(input_unit, *run.input));
        connect(scenario, run, model, columns, diagnostics);
    }
    scenario.experiment = experiment_of(run, model, result.defaults);
    scenario.recording.variables = recorded(run, model);
    return result;
}

} // namespace rubato::scenario
