// SPDX-License-Identifier: Apache-2.0
#include "../variable_values.hpp"
#include "names.hpp"
#include "result.hpp"
#include "scenario.hpp"

#include <rubato/pipeline/verdict.hpp>
#include <rubato/private/format.hpp>
#include <rubato/unit/call_under_way.hpp>

#include <algorithm>
#include <utility>

namespace rubato {

namespace {

using facade::Place;
using scenario::Causality;
using scenario::Variability;

std::string_view kind_of(const Value& value) {
    return to_string(static_cast<Storage>(value.index()));
}

} // namespace

struct Simulation::Implementation {
    std::shared_ptr<unit::Library> library; ///< outlives the units
    pipeline::Assembly assembly;
    engine::Simulation simulation;
    facade::MemoryRecorder recorder;
    bool records = false;
    facade::Names names{assembly};

    /// Records the instant, if the program wants that.
    void record() {
        if (!records) return;
        const std::span<const engine::Column> columns = simulation.observe();
        if (recorder.data().names.empty()) recorder.begin(columns);
        recorder.record(simulation.time());
    }

    const scenario::Variable& variable(const Place& place) const {
        return assembly.descriptions[place.unit.value].variables[place.variable];
    }

    Value get(std::string_view name) {
        const Place& place = names.find(name);
        Value value;
        unit::calling_units([&] {
            value =
                pipeline::get_value(simulation.unit(place.unit), variable(place), place.element);
        });
        return value;
    }

    [[noreturn]] void refuse(std::string_view name, std::string_view type, const Value& value) {
        throw InputError(format("\"{}\" is of type {}, not {}", name,
                                to_string(variable(names.find(name)).type), type),
                         format("it is {}: read it by another get<…>", rubato::to_string(value)));
    }

    void set(std::string_view name, const Value& value) {
        const Place& place = names.find(name);
        require_settable(name, place);
        const scenario::Variable& target = variable(place);
        const auto converted = scenario::convert(value, target);
        if (!converted)
            throw InputError(format("the {} {} does not fit \"{}\", which is of type {}",
                                    kind_of(value), rubato::to_string(value), name,
                                    to_string(target.type)),
                             "give a value of its type, and within the range of it");
        unit::calling_units([&] {
            pipeline::set_value(simulation.unit(place.unit), target, place.element, *converted);
        });
    }

    /// Throws an InputError for what the simulation or the unit itself determines.
    void require_settable(std::string_view name, const Place& place) const {
        const scenario::Variable& target = variable(place);
        if (target.causality == Causality::input) {
            if (const auto source = find_source(place))
                throw InputError(
                    format("\"{}\" cannot be set: it is connected to \"{}\"", name, *source),
                    "remove the connection from the scenario, or set what the source "
                    "depends on");
            require_no_event_mode(name, place);
            return;
        }
        if (scenario::is_parameter(target.causality) && target.variability == Variability::tunable)
            return;
        throw InputError(format("\"{}\" cannot be set: it is neither an input nor a tunable "
                                "parameter",
                                name),
                         "set it in the scenario, before the simulation starts");
    }

    /// The output that an input is connected to in any configuration.
    std::optional<std::string> find_source(const Place& place) const {
        const scenario::System& system = simulation.system();
        const auto feeds = [&](const scenario::Link& link) {
            const scenario::Port& port = system.port(link.to);
            return port.unit == place.unit && port.variable == place.variable &&
                   place.element >= port.part.first &&
                   place.element < port.part.first + port.part.count;
        };
        const auto find = [&](const std::vector<scenario::Link>& links) {
            const auto link = std::ranges::find_if(links, feeds);
            return link == links.end() ? std::nullopt : std::optional(system.name_of(link->from));
        };
        for (const auto* links : {&system.links, &system.event_links})
            if (auto source = find(*links)) return source;
        for (const scenario::Configuration& configuration : system.configurations)
            if (auto source = find(configuration.links)) return source;
        return std::nullopt;
    }

    /// FMI 3.0, section 4.2.1.2: in step mode only continuous inputs may be set.
    void require_no_event_mode(std::string_view name, const Place& place) const {
        const scenario::Variable& target = variable(place);
        const bool is_continuous = target.variability == Variability::continuous &&
                                   storage_of(target.type) == Storage::real;
        const auto& unit = assembly.descriptions[place.unit.value];
        if (is_continuous || !unit.capabilities.event_mode) return;
        throw InputError(format("\"{}\" cannot be set between steps: it is discrete, and its unit "
                                "handles events",
                                name),
                         "connect it to a table or to another unit");
    }
};

struct SavedState::Data {
    engine::SavedRun run;
    const void* owner = nullptr; ///< the simulation
    std::size_t rows = 0;        ///< that had been recorded
};

SavedState::SavedState(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
double SavedState::time() const { return data_->run.time().seconds; }

Simulation::Simulation(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&& other) noexcept = default;
Simulation& Simulation::operator=(Simulation&& other) noexcept = default;

bool Simulation::step() {
    if (implementation_->simulation.has_ended()) return false;
    implementation_->simulation.step();
    implementation_->record();
    return true;
}

bool Simulation::has_ended() const { return implementation_->simulation.has_ended(); }

SavedState Simulation::save() {
    return SavedState(std::make_shared<const SavedState::Data>(
        SavedState::Data{implementation_->simulation.save(), implementation_.get(),
                         implementation_->recorder.rows()}));
}

void Simulation::restore(const SavedState& state) {
    if (state.data_->owner != implementation_.get())
        throw InputError("the saved state is of another simulation",
                         "restore what the same simulation has saved");
    implementation_->simulation.restore(state.data_->run);
    implementation_->recorder.truncate(state.data_->rows, state.time());
}

Result Simulation::result() const {
    if (!implementation_->records)
        throw InputError("the simulation records nothing", "start it with record = true");
    auto data = std::make_shared<facade::ResultData>(implementation_->recorder.data());
    data->name = implementation_->assembly.scenario.name;
    data->trust = trust();
    data->steps = implementation_->simulation.summary().steps;
    data->is_complete = has_ended();
    return facade::Access::make_result(std::move(data));
}

double Simulation::time() const { return implementation_->simulation.time().seconds; }

void Simulation::set(std::string_view name, const Value& value) {
    implementation_->set(name, value);
}

Trust Simulation::trust() const {
    return facade::trust_of(pipeline::trust_of(implementation_->simulation),
                            implementation_->simulation.summary(), implementation_->assembly);
}

template <>
double Simulation::get(std::string_view name) const {
    const Value value = implementation_->get(name);
    if (const auto* real = std::get_if<double>(&value)) return *real;
    if (const auto* integer = std::get_if<std::int64_t>(&value))
        return static_cast<double>(*integer);
    if (const auto* boolean = std::get_if<bool>(&value)) return *boolean ? 1 : 0;
    implementation_->refuse(name, "a number", value);
}

template <>
std::int64_t Simulation::get(std::string_view name) const {
    const Value value = implementation_->get(name);
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
    implementation_->refuse(name, "an integer", value);
}

template <>
bool Simulation::get(std::string_view name) const {
    const Value value = implementation_->get(name);
    if (const auto* boolean = std::get_if<bool>(&value)) return *boolean;
    implementation_->refuse(name, "a boolean", value);
}

template <>
std::string Simulation::get(std::string_view name) const {
    Value value = implementation_->get(name);
    if (auto* text = std::get_if<std::string>(&value)) return std::move(*text);
    implementation_->refuse(name, "a text", value);
}

template <>
Value Simulation::get(std::string_view name) const {
    return implementation_->get(name);
}

Simulation facade::Access::start(const Scenario& scenario, const StartOptions& options) {
    const Loaded& loaded = of(scenario);
    std::vector<scenario::Override> overrides;
    facade::add_override(overrides, "experiment.start", options.start);
    facade::add_override(overrides, "experiment.stop", options.stop);
    facade::add_override(overrides, "experiment.step", options.step);
    pipeline::Assembly assembly =
        facade::assemble(loaded.scenario, overrides, *loaded.library, *loaded.log);
    engine::Simulation simulation =
        pipeline::build(assembly, *loaded.library, *loaded.log,
                        {.estimate_errors = true, .stop_at_not_finite = loaded.strict});
    auto started = std::unique_ptr<Simulation::Implementation>(
        new Simulation::Implementation{loaded.library, std::move(assembly), std::move(simulation)});
    started->simulation.initialize();
    started->records = options.record;
    started->record();
    return Simulation(std::move(started));
}

Simulation start(const Scenario& scenario, const StartOptions& options) {
    return facade::Access::start(scenario, options);
}

} // namespace rubato
