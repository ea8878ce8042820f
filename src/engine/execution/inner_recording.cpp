// SPDX-License-Identifier: Apache-2.0
#include "inner_recording.hpp"

#include <algorithm>
#include <bit>
#include <type_traits>
#include <utility>

namespace rubato::engine {

namespace {

/// Calls `body` with a column's value, in its type.
template <class Body>
void with_value(const ObservedValue& column, Body&& body) {
    with_type_of(column.storage, [&]<class T>() { body(*static_cast<T*>(column.value)); });
}

/// From the bits of a sample.
void assign(const ObservedValue& column, std::uint64_t bits) {
    with_value(column, [&]<class T>(T& value) {
        if constexpr (std::is_same_v<T, bool>)
            value = bits != 0;
        else if constexpr (!std::is_same_v<T, std::string>) // texts are not sampled
            value = std::bit_cast<T>(bits);
    });
}

} // namespace

InnerRecording::InnerRecording(const std::vector<ObservedValue>& columns)
    : columns_(columns), kept_(columns.size()) {
    keep();
}

std::unique_ptr<InnerRecording>
InnerRecording::make(const scenario::System& system,
                     std::span<const std::unique_ptr<unit::Unit>> units, const Compiled& compiled,
                     const Wish& wish) {
    std::unique_ptr<InnerRecording> recording(new InnerRecording(compiled.observed));
    if (wish.samples > 0) recording->choose_samples(system, units, wish.samples);
    if (wish.events) recording->sample_events(system, units);
    if (recording->outputs_ == nullptr) return nullptr;
    return recording;
}

void InnerRecording::choose_samples(const scenario::System& system,
                                    std::span<const std::unique_ptr<unit::Unit>> units,
                                    std::size_t most) {
    std::vector<ValueRef> sampled;
    for (std::size_t i = 0; i < system.observed.size(); ++i) {
        const scenario::Observed& entry = system.observed[i];
        unit::Unit& unit = *units[entry.unit.value];
        const scenario::Variable& variable = unit.description().variables[entry.variable];
        unit::IntermediateOutputs* const outputs = unit.intermediate_outputs();
        const bool can_be = variable.causality == scenario::Causality::output && outputs &&
                            outputs->provides(variable);
        if (!can_be || (outputs_ != nullptr && outputs_ != outputs)) continue;
        outputs_ = outputs;
        sampled.push_back(variable.reference);
        sampled_.push_back(static_cast<double*>(columns_[i].value));
    }
    if (outputs_ != nullptr) outputs_->sample(sampled, most);
}

/// Everything of the unit that is recorded, but for arrays, texts and what is sampled already.
void InnerRecording::sample_events(const scenario::System& system,
                                   std::span<const std::unique_ptr<unit::Unit>> units) {
    std::vector<unit::SampledOutput> sampled;
    for (std::size_t i = 0; i < system.observed.size(); ++i) {
        const scenario::Observed& entry = system.observed[i];
        unit::Unit& unit = *units[entry.unit.value];
        const scenario::Variable& variable = unit.description().variables[entry.variable];
        unit::IntermediateOutputs* const outputs = unit.intermediate_outputs();
        const bool is_sampled = std::ranges::find(sampled_, columns_[i].value) != sampled_.end();
        const bool can_be = outputs != nullptr && outputs->provides_events() && !is_sampled &&
                            columns_[i].storage != Storage::string && !variable.is_array() &&
                            variable.type != ValueType::clock && variable.clocks.empty();
        if (!can_be || (outputs_ != nullptr && outputs_ != outputs)) continue;
        outputs_ = outputs;
        sampled.push_back({variable.type, variable.reference});
        others_.push_back(columns_[i]);
    }
    constexpr std::size_t most_events = 64; // of one step
    if (outputs_ != nullptr && outputs_->provides_events())
        outputs_->sample_events(sampled, most_events);
}

void InnerRecording::keep() {
    for (std::size_t i = 0; i < columns_.size(); ++i)
        with_value(columns_[i], [&](const auto& value) { kept_[i] = value; });
}

void InnerRecording::swap_kept() {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        with_value(columns_[i], [&](auto& value) {
            std::swap(std::get<std::decay_t<decltype(value)>>(kept_[i]), value);
        });
    }
}

void InnerRecording::record(Recorder& recorder) {
    const unit::InnerSamples& samples = outputs_->samples();
    if (samples.count() == 0) return;
    swap_kept();
    for (std::size_t sample = 0; sample < samples.count(); ++sample) {
        const auto values = samples.values(sample);
        for (std::size_t i = 0; i < values.size(); ++i) *sampled_[i] = values[i];
        const auto others = samples.other_values(sample);
        for (std::size_t i = 0; i < others.size(); ++i) assign(others_[i], others[i]);
        recorder.record(samples.time(sample));
    }
    swap_kept();
}

} // namespace rubato::engine
