// SPDX-License-Identifier: Apache-2.0
#include "inner_recording.hpp"

#include <type_traits>
#include <utility>

namespace rubato::engine {

namespace {

/// Calls `body` with a column's value, in its type.
template <class Body>
void with_value(const ObservedValue& column, Body&& body) {
    switch (column.storage) {
    case Storage::real: return body(*static_cast<double*>(column.value));
    case Storage::integer: return body(*static_cast<std::int64_t*>(column.value));
    case Storage::boolean: return body(*static_cast<bool*>(column.value));
    case Storage::string: return body(*static_cast<std::string*>(column.value));
    }
}

} // namespace

InnerRecording::InnerRecording(const std::vector<ObservedValue>& columns)
    : columns_(columns), kept_(columns.size()) {
    keep();
}

std::unique_ptr<InnerRecording>
InnerRecording::make(const scenario::System& system,
                     std::span<const std::unique_ptr<unit::Unit>> units, const Compiled& compiled,
                     std::size_t most) {
    std::unique_ptr<InnerRecording> recording(new InnerRecording(compiled.observed));
    std::vector<ValueRef> watched;
    unit::Unit* owner = nullptr;
    for (std::size_t i = 0; i < system.observed.size(); ++i) {
        const scenario::Observed& entry = system.observed[i];
        unit::Unit& unit = *units[entry.unit.value];
        const scenario::Variable& variable = unit.description().variables[entry.variable];
        const unit::IntermediateOutputs* outputs = unit.intermediate_outputs();
        const bool can_be = variable.causality == scenario::Causality::output && outputs &&
                            outputs->tells(variable);
        if (!can_be || (owner != nullptr && owner != &unit)) continue;
        owner = &unit;
        watched.push_back(variable.reference);
        recording->sampled_.push_back(static_cast<double*>(compiled.observed[i].value));
    }
    if (owner == nullptr) return nullptr;
    recording->outputs_ = owner->intermediate_outputs();
    recording->outputs_->watch(watched, most);
    return recording;
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
        recorder.record(samples.time(sample));
    }
    swap_kept();
}

} // namespace rubato::engine
