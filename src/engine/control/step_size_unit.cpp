// SPDX-License-Identifier: Apache-2.0
#include "step_size_unit.hpp"

#include <rubato/core/bytes.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <limits>

namespace rubato::engine {

namespace {

std::vector<FollowedInput> followed(const scenario::StepSizeUnit& settings,
                                    const std::vector<double>& values) {
    std::vector<FollowedInput> inputs;
    for (std::size_t i = 0; i < settings.inputs.size(); ++i) {
        const scenario::StepSizeUnit::Input& input = settings.inputs[i];
        const bool knows_end = input.mode == scenario::ApproximationMode::interpolate;
        inputs.push_back({.slot = &values[i],
                          .nominal = input.nominal,
                          .order = static_cast<unsigned>(input.approximation),
                          .knows_end = knows_end,
                          .joins = !knows_end && input.join == scenario::Join::continuous});
    }
    return inputs;
}

/// Ports are numbered as the inputs.
scenario::System bonds_of(const scenario::StepSizeUnit& settings) {
    const auto port_of = [&](const std::string& name) {
        const auto input =
            std::ranges::find(settings.inputs, name, &scenario::StepSizeUnit::Input::name);
        return PortId{static_cast<std::uint32_t>(input - settings.inputs.begin())};
    };
    scenario::System system;
    for (const scenario::StepSizeUnit::Bond& each : settings.bonds) {
        scenario::Bond::Part part{.effort = {}, .flow = {}, .factor = each.factor};
        part.effort.to = port_of(each.effort);
        part.flow.to = port_of(each.flow);
        system.bonds.push_back({.name = each.name, .parts = {part}});
    }
    return system;
}

} // namespace

scenario::UnitDescription describe(const scenario::StepSizeUnit& settings) {
    scenario::UnitDescription result;
    result.model = "step-size";
    result.kind = "step-size";
    result.source = "step control";
    result.description = "gives the length of the next communication step";
    std::vector<std::uint32_t> inputs;
    const auto add = [&](const std::string& name, scenario::Causality causality) {
        scenario::Variable variable;
        variable.name = name;
        variable.causality = causality;
        variable.reference = static_cast<ValueRef>(result.variables.size());
        if (causality == scenario::Causality::input) variable.start = Value(0.0);
        result.variables.push_back(std::move(variable));
        return static_cast<std::uint32_t>(result.variables.size() - 1);
    };
    for (const scenario::StepSizeUnit::Input& input : settings.inputs)
        inputs.push_back(add(input.name, scenario::Causality::input));
    for (const char* const name : {"H", "t"}) {
        const std::uint32_t output = add(name, scenario::Causality::output);
        result.variables.back().unit = "s";
        const bool is_step = *name == 'H';
        result.dependencies.push_back(
            {output, is_step ? inputs : std::vector<std::uint32_t>{}, {}});
    }
    result.capabilities.variable_step = true;
    result.capabilities.snapshots = true;
    result.capabilities.serialization = true;
    return result;
}

StepSizeUnit::StepSizeUnit(std::string name, const scenario::StepSizeUnit& settings,
                           const scenario::UnitDescription& description)
    : Unit(std::move(name), description), settings_(settings), values_(settings.inputs.size()),
      bonds_(bonds_of(settings)), couplings_(followed(settings, values_)),
      estimator_(make_estimator(settings_.control, bonds_, couplings_, nullptr, {})) {}

unit::Abilities StepSizeUnit::abilities() noexcept {
    unit::Abilities all = unit::Abilities::none();
    all.snapshots = this;
    all.serialized_states = this;
    return all;
}

void StepSizeUnit::do_enter_initialization(const unit::Horizon& horizon) {
    const Duration span =
        horizon.stop ? *horizon.stop - horizon.start : Duration{std::numeric_limits<double>::max()};
    size_.emplace(settings_.control, Duration{settings_.first}, span);
}

void StepSizeUnit::do_set(const Bulk& values) {
    for (std::size_t i = 0; i < values.count; ++i) {
        const std::size_t variable = values.references[i];
        if (variable >= values_.size())
            fail("set", format("{} is no input", description().variables[variable].name));
        values_[variable] = values.reals()[i];
    }
}

void StepSizeUnit::do_get(const Bulk& values) {
    for (std::size_t i = 0; i < values.count; ++i) {
        const std::size_t variable = values.references[i];
        double& result = values.reals()[i];
        if (variable < values_.size())
            result = values_[variable];
        else
            result = variable == values_.size() ? next_step() : time().seconds;
    }
}

void StepSizeUnit::judge_step(Time now) {
    couplings_.sample(now);
    const double error = estimator_->estimate(couplings_, 0).error;
    size_->accept(made_, error, couplings_.order(0), was_cut_);
}

double StepSizeUnit::next_step() {
    if (!size_) return settings_.first;
    if (!has_stepped_) return size_->next().seconds;
    const StepSize::Memory before = size_->memory();
    judge_step(time());
    const double next = size_->next().seconds;
    size_->recall(before);
    return next;
}

unit::StepResult StepSizeUnit::do_step(Time from, Duration by) {
    if (has_stepped_) {
        judge_step(from);
        couplings_.accept(0);
    } else {
        couplings_.restart(from);
    }
    has_stepped_ = true;
    was_cut_ = by < size_->next();
    const Time end = from + by;
    made_ = end - from;
    return {end, unit::StepEnd::completed};
}

void StepSizeUnit::visit_state(StateArchive& archive) {
    archive(values_, couplings_, has_stepped_, made_, was_cut_);
    if (size_) archive(*size_);
}

void StepSizeUnit::save(std::uint32_t slot) {
    require(Call::save);
    if (slot >= saved_.size()) saved_.resize(slot + std::size_t{1});
    StateArchive archive = StateArchive::saving(saved_[slot]);
    visit_state(archive);
}

void StepSizeUnit::restore(std::uint32_t slot) {
    require(Call::restore);
    StateArchive archive = StateArchive::restoring(saved_.at(slot));
    visit_state(archive);
    recover();
}

void StepSizeUnit::serialize(std::uint32_t slot, std::vector<std::byte>& bytes) {
    const std::vector<std::byte>& state = saved_.at(slot);
    bytes.insert(bytes.end(), state.begin(), state.end());
}

void StepSizeUnit::deserialize(std::uint32_t slot, std::span<const std::byte> bytes) {
    std::vector<std::byte> own;
    StateArchive archive = StateArchive::saving(own);
    visit_state(archive);
    if (bytes.size() != own.size()) ByteReader::fail();
    if (slot >= saved_.size()) saved_.resize(slot + std::size_t{1});
    saved_[slot].assign(bytes.begin(), bytes.end());
}

} // namespace rubato::engine
