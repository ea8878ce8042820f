// SPDX-License-Identifier: Apache-2.0
#include "loop_derivatives.hpp"

#include "program/plan.hpp"

#include <algorithm>

namespace rubato::engine {

std::unique_ptr<LoopDerivatives> LoopDerivatives::make(const Plan& plan,
                                                       const FixedPointLoop& loop) {
    auto result = std::unique_ptr<LoopDerivatives>(new LoopDerivatives(plan.buffers.reals.size()));
    return result->add(plan, loop) ? std::move(result) : nullptr;
}

bool LoopDerivatives::add(const Plan& plan, const FixedPointLoop& loop) {
    for (const Instruction& range : loop.iterate) {
        for (std::uint32_t i = range.first; i < range.first + range.count; ++i) {
            const bool is_done =
                (range.opcode == Opcode::set && add_set(plan.sets[i])) ||
                (range.opcode == Opcode::get && add_get(plan.gets[i], plan.buffers.reals.data()));
            if (!is_done) return false;
        }
    }
    return std::ranges::all_of(
        units_, [](const Fed& fed) { return fed.inputs.empty() || fed.derivatives != nullptr; });
}

std::uint32_t LoopDerivatives::index_of(unit::Unit& unit) {
    const auto found = std::ranges::find(known_, &unit);
    const auto index = static_cast<std::uint32_t>(found - known_.begin());
    if (found == known_.end()) {
        known_.push_back(&unit);
        units_.push_back({.derivatives = unit.directional_derivatives()});
    }
    return index;
}

namespace {

bool is_converted(const SetExtras& extras, std::size_t index) {
    return std::ranges::any_of(extras.conversions,
                               [&](const ConvertedValue& value) { return value.index == index; });
}

} // namespace

bool LoopDerivatives::add_set(const SetCall& call) {
    if (call.bulk.type != ValueType::float64) return storage_of(call.bulk.type) != Storage::real;
    if (!call.bulk.parts.empty()) return false;
    if (call.extras && !call.extras->approximations.empty()) return false;
    if (stages_.empty() || !stages_.back().gives.empty()) stages_.emplace_back();
    const std::uint32_t unit = index_of(*call.unit);
    Fed& fed = units_[unit];
    for (std::size_t i = 0; i < call.bulk.count; ++i) {
        const auto known = std::ranges::find(fed.inputs, call.bulk.references[i]);
        const auto input = static_cast<std::uint32_t>(known - fed.inputs.begin());
        if (known == fed.inputs.end()) {
            fed.inputs.push_back(call.bulk.references[i]);
            fed.changes.push_back(0);
        }
        Take take{.from = call.sources[i], .unit = unit, .input = input};
        if (call.extras)
            for (const Scaling& scaling : call.extras->scalings)
                if (scaling.index == i) take.factor = scaling.factor;
        if (call.extras && is_converted(*call.extras, i)) take.factor = 0; // it is discrete
        stages_.back().takes.push_back(take);
    }
    return true;
}

bool LoopDerivatives::add_get(const GetCall& call, const double* slots) {
    if (call.bulk.type != ValueType::float64) return storage_of(call.bulk.type) != Storage::real;
    if (!call.bulk.parts.empty()) return false;
    if (stages_.empty()) stages_.emplace_back();
    const auto first = static_cast<const double*>(call.bulk.data) - slots;
    stages_.back().gives.push_back(
        {index_of(*call.unit), static_cast<std::uint32_t>(first), call.bulk.references});
    return true;
}

bool LoopDerivatives::get(const FixedPointLoop& loop, std::size_t j, std::span<double> column) {
    const auto& values = loop.values[static_cast<std::size_t>(Storage::real)];
    std::ranges::fill(changes_, 0.0);
    for (Fed& fed : units_) std::ranges::fill(fed.changes, 0.0);
    changes_[values[j].now] = changes_[values[j].before] = 1;
    for (const Stage& stage : stages_) {
        for (const Take& take : stage.takes)
            units_[take.unit].changes[take.input] = take.factor * changes_[take.from];
        if (!std::ranges::all_of(stage.gives, [&](const Give& outputs) { return give(outputs); }))
            return false;
    }
    for (std::size_t i = 0; i < values.size(); ++i) column[i] = changes_[values[i].now];
    return true;
}

bool LoopDerivatives::give(const Give& outputs) {
    Fed& fed = units_[outputs.unit];
    const auto result = std::span(changes_).subspan(outputs.to, outputs.outputs.size());
    if (std::ranges::all_of(fed.changes, [](double change) { return change == 0; })) {
        std::ranges::fill(result, 0.0);
        return true;
    }
    return fed.derivatives->directional_derivative(outputs.outputs, fed.inputs, fed.changes,
                                                   result) == unit::Evaluation::done;
}

} // namespace rubato::engine
