// SPDX-License-Identifier: Apache-2.0
#include "result.hpp"

#include <rubato/core/text.hpp>
#include <rubato/pipeline/run.hpp>
#include <rubato/pipeline/verdict.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/results_plot.hpp>

#include <algorithm>
#include <utility>

namespace rubato {

std::size_t Result::Data::find(std::string_view wanted) const {
    const auto found = std::ranges::find(names, wanted);
    if (found == names.end())
        throw Error(format("\"{}\" was not recorded", wanted),
                    suggest(wanted, names, "recorded variables"));
    return static_cast<std::size_t>(found - names.begin());
}

namespace {

/// Ends a run when the program asks for it.
class StoppableRun final : public pipeline::RunHooks {
public:
    StoppableRun(const RunOptions& options, facade::MemoryRecorder& recorder)
        : options_(options), recorder_(recorder) {}

    engine::Summary execute(engine::Simulation& simulation, const engine::Observation& wanted,
                            report::RunRecorder*) override {
        engine::Observation observation = wanted;
        observation.stop = options_.stop_request;
        if (!options_.progress) return simulation.run(observation);
        facade::Pulse pulse;
        stop_ = false;
        observation.stop = &stop_;
        recorder_.pulse = &pulse;
        recorder_.at_pulse = [&](double time) {
            const bool is_asked = options_.stop_request && *options_.stop_request;
            if (is_asked || !options_.progress(time, simulation.progress())) stop_ = true;
        };
        try {
            const engine::Summary summary = simulation.run(observation);
            recorder_.pulse = nullptr;
            return summary;
        } catch (...) {
            recorder_.pulse = nullptr;
            throw;
        }
    }

private:
    const RunOptions& options_;
    facade::MemoryRecorder& recorder_;
    std::atomic<bool> stop_ = false;
};

std::vector<scenario::Override> overrides_of(const RunOptions& options) {
    std::vector<scenario::Override> overrides;
    facade::add_override(overrides, "experiment.start", options.start);
    facade::add_override(overrides, "experiment.stop", options.stop);
    facade::add_override(overrides, "experiment.step", options.step);
    if (options.record.empty()) return overrides;
    std::vector<std::string> patterns;
    for (const std::string& pattern : options.record)
        patterns.push_back(scenario::to_yaml(Value(pattern)));
    overrides.push_back({"record.variables", format("[{}]", fmt::join(patterns, ", ")), "set"});
    return overrides;
}

std::string message_of(const engine::Summary& summary) {
    if (summary.end == engine::RunEnd::terminated)
        return format("unit \"{}\" asked for the end", summary.ended_by);
    return summary.end == engine::RunEnd::interrupted ? "interrupted by the program" : "";
}

/// Columns of this unit are named by the variable alone.
void shorten_names(std::vector<std::string>& names, const std::string& plain_unit) {
    if (plain_unit.empty()) return;
    const std::string prefix = plain_unit + ".";
    for (std::string& name : names)
        if (name.starts_with(prefix)) name.erase(0, prefix.size());
}

} // namespace

Result::Result(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

std::span<const double> Result::time() const { return data_->time; }
std::span<const std::string> Result::names() const { return data_->names; }
std::span<const Event> Result::events() const { return data_->events; }
const Trust& Result::trust() const { return data_->trust; }
std::uint64_t Result::steps() const { return data_->steps; }
bool Result::is_complete() const { return data_->is_complete; }
const std::string& Result::message() const { return data_->message; }
const std::string& Result::unit(std::string_view name) const {
    return data_->units[data_->find(name)];
}
std::string_view Result::type(std::string_view name) const {
    return to_string(data_->types[data_->find(name)]);
}

std::span<const double> Result::operator[](std::string_view name) const {
    const std::size_t column = data_->find(name);
    if (storage_of(data_->types[column]) == Storage::string)
        throw Error(
            format("\"{}\" is of type {}, not a number", name, to_string(data_->types[column])),
            "step through the simulation and read it by get<std::string>");
    return data_->values[column];
}

std::string Result::plot(std::span<const std::string> names) const {
    const std::vector<std::string> selected = report::select_names(data_->names, names);
    std::vector<report::Table::Column> columns = {{"time", data_->time}};
    report::Metadata metadata;
    for (const std::string& name : selected) {
        const std::span<const double> values = (*this)[name];
        columns.push_back({name, {values.begin(), values.end()}});
        metadata.columns.push_back({name, unit(name), std::string(type(name))});
    }
    report::Figure figure =
        report::plot_results(report::Table(std::move(columns)), metadata, selected);
    figure.title = data_->name;
    return report::to_svg(figure);
}

namespace facade {

Result run(pipeline::Assembly assembly, const Access::Loaded& loaded, const RunOptions& options,
           const std::string& plain_unit) {
    MemoryRecorder recorder;
    pipeline::RunSettings settings{
        .plain_unit = plain_unit, .stop_at_not_finite = loaded.strict, .recorder = &recorder};
    if (!options.results.empty()) settings.results = {options.results};
    if (options.overwrite) settings.overwrite = pipeline::Overwrite::anything;
    StoppableRun hooks(options, recorder);
    const std::string name = assembly.scenario.name;
    const auto take_recorded = [&] {
        auto data = std::make_shared<facade::ResultData>(recorder.take());
        data->name = name;
        shorten_names(data->names, plain_unit);
        return data;
    };
    try {
        const pipeline::RunOutcome outcome =
            pipeline::run(std::move(assembly), *loaded.library, settings, hooks, *loaded.log);
        auto data = take_recorded();
        data->trust =
            trust_of(pipeline::trust_of(outcome.simulation), outcome.summary, outcome.assembly);
        data->message = message_of(outcome.summary);
        data->steps = outcome.summary.steps;
        data->is_complete = outcome.summary.end == engine::RunEnd::completed;
        return Access::make_result(std::move(data));
    } catch (const Error& fault) {
        if (!options.so_far) throw;
        auto data = take_recorded();
        data->message = fault.what();
        data->steps = data->time.empty() ? 0 : data->time.size() - 1;
        options.so_far->emplace(Access::make_result(std::move(data)));
        throw;
    }
}

} // namespace facade

Result run(const Scenario& scenario, const RunOptions& options) {
    const facade::Access::Loaded& loaded = facade::Access::of(scenario);
    return facade::run(
        facade::assemble(loaded.scenario, overrides_of(options), *loaded.library, *loaded.log),
        loaded, options);
}

} // namespace rubato
