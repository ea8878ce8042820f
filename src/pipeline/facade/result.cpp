// SPDX-License-Identifier: Apache-2.0
#include "scenario.hpp"

#include <rubato/core/text.hpp>
#include <rubato/pipeline/run.hpp>
#include <rubato/pipeline/verdict.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <utility>

namespace rubato {

/// Columns one after the other, as programs read them.
struct Result::Data {
    std::vector<double> time;
    std::vector<std::string> names; ///< of all columns
    std::vector<std::string> units;
    std::vector<std::vector<double>> values; ///< of the columns; empty: a text
    std::vector<ValueType> types;
    std::vector<Event> events;
    Trust trust;
    engine::Summary summary;
    std::string message;

    std::size_t find(std::string_view name) const {
        const auto found = std::ranges::find(names, name);
        if (found == names.end())
            throw Error(format("\"{}\" was not recorded", name),
                        suggest(name, names, "recorded variables"));
        return static_cast<std::size_t>(found - names.begin());
    }
};

namespace {

/// Keeps a run in memory. Of an attempt that starts over nothing is left.
class MemoryRecorder final : public engine::Recorder {
public:
    void begin(std::span<const engine::Column> columns) override {
        columns_ = {columns.begin(), columns.end()};
        time.clear();
        events.clear();
        values.assign(columns_.size(), {});
    }
    void record(Time now) override {
        time.push_back(now.seconds);
        for (std::size_t c = 0; c < columns_.size(); ++c)
            if (storage_of(columns_[c].type) != Storage::string)
                values[c].push_back(number(columns_[c]));
    }
    void note(const engine::EventNote& note) override {
        events.push_back({note.time.seconds, note.microstep, std::string(note.unit),
                          std::string(note.variable), note.before, note.after});
    }
    void end() override {}

    const std::vector<engine::Column>& columns() const { return columns_; }

    std::vector<double> time;
    std::vector<std::vector<double>> values; ///< by column; empty: a text
    std::vector<Event> events;

private:
    static double number(const engine::Column& column) {
        switch (storage_of(column.type)) {
        case Storage::real: return *static_cast<const double*>(column.value);
        case Storage::integer: {
            const auto value = *static_cast<const std::int64_t*>(column.value);
            return column.type == ValueType::uint64
                       ? static_cast<double>(static_cast<std::uint64_t>(value))
                       : static_cast<double>(value);
        }
        case Storage::boolean: return *static_cast<const bool*>(column.value) ? 1 : 0;
        case Storage::string: break;
        }
        return 0;
    }

    std::vector<engine::Column> columns_;
};

/// Ends a run when the program asks for it.
class StoppableRun final : public pipeline::RunHooks {
public:
    explicit StoppableRun(const std::atomic<bool>* stop) : stop_(stop) {}

    engine::Summary execute(engine::Simulation& simulation, const engine::Observation& wanted,
                            report::RunRecorder*) override {
        engine::Observation observation = wanted;
        observation.stop = stop_;
        return simulation.run(observation);
    }

private:
    const std::atomic<bool>* stop_;
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

} // namespace

Result::Result(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

std::span<const double> Result::time() const { return data_->time; }
std::span<const std::string> Result::names() const { return data_->names; }
std::span<const Event> Result::events() const { return data_->events; }
const Trust& Result::trust() const { return data_->trust; }
std::uint64_t Result::steps() const { return data_->summary.steps; }
bool Result::is_complete() const { return data_->summary.end == engine::RunEnd::completed; }
const std::string& Result::message() const { return data_->message; }
const std::string& Result::unit(std::string_view name) const {
    return data_->units[data_->find(name)];
}

std::span<const double> Result::operator[](std::string_view name) const {
    const std::size_t column = data_->find(name);
    if (storage_of(data_->types[column]) == Storage::string)
        throw Error(
            format("\"{}\" is of type {}, not a number", name, to_string(data_->types[column])),
            "step through the simulation and read it by get<std::string>");
    return data_->values[column];
}

Result run(const Scenario& scenario, const RunOptions& options) {
    const Scenario::Implementation& loaded = *scenario.implementation_;
    pipeline::Assembly assembly =
        facade::assemble(loaded.scenario, overrides_of(options), *loaded.library, *loaded.log);
    MemoryRecorder recorder;
    pipeline::RunSettings settings{.stop_at_not_finite = loaded.strict, .recorder = &recorder};
    if (!options.results.empty()) settings.results = options.results;
    if (options.overwrite) settings.overwrite = pipeline::Overwrite::anything;
    StoppableRun hooks(options.stop_request);
    const pipeline::RunOutcome outcome =
        pipeline::run(std::move(assembly), *loaded.library, settings, hooks, *loaded.log);

    auto data = std::make_shared<Result::Data>();
    for (const engine::Column& column : recorder.columns()) {
        data->names.push_back(column.name);
        data->units.push_back(column.unit);
        data->types.push_back(column.type);
    }
    data->time = std::move(recorder.time);
    data->values = std::move(recorder.values);
    data->events = std::move(recorder.events);
    data->trust =
        facade::trust_of(pipeline::trust_of(outcome.simulation), outcome.summary, outcome.assembly);
    data->message = message_of(outcome.summary);
    data->summary = outcome.summary;
    return Result(std::move(data));
}

} // namespace rubato
