// SPDX-License-Identifier: Apache-2.0
#include "fmi3_updates.hpp"

#include "fmi3_instance.hpp"
#include "fmu/input_derivatives.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

namespace rubato::unit {

using scenario::Causality;
using scenario::Variable;

namespace {

InputMotion start_motion(const std::vector<Variable>& variables) {
    InputMotion motion(inputs_set_within_steps(variables));
    for (const Variable& variable : variables) {
        const auto input = motion.find(variable.reference);
        if (input && variable.start && std::holds_alternative<double>(*variable.start))
            motion.set_value(*input, std::get<double>(*variable.start));
    }
    return motion;
}

struct LivingUpdates {
    std::mutex mutex;
    std::vector<Fmi3Updates*> all;
};

LivingUpdates& living_updates() {
    static LivingUpdates updates;
    return updates;
}

thread_local Fmi3Updates* under_way = nullptr; ///< whose step this thread is in

} // namespace

Fmi3Updates::Fmi3Updates(const scenario::UnitDescription& description)
    : inputs_(start_motion(description.variables)) {
    const auto references = inputs_.references();
    variables_.assign(references.begin(), references.end());
    for (const Variable& variable : description.variables)
        if (variable.intermediate && variable.causality == Causality::output)
            variables_.push_back(variable.reference);
    const std::lock_guard lock(living_updates().mutex);
    living_updates().all.push_back(this);
}

Fmi3Updates::~Fmi3Updates() {
    const std::lock_guard lock(living_updates().mutex);
    std::erase(living_updates().all, this);
}

Fmi3Updates* Fmi3Updates::find(const void* environment) noexcept {
    if (under_way != nullptr) return under_way;
    if (environment == nullptr) return nullptr;
    const std::lock_guard lock(living_updates().mutex);
    const auto& all = living_updates().all;
    const auto own = std::ranges::find(all, environment, &Fmi3Updates::instance_);
    return own == all.end() ? nullptr : *own;
}

void Fmi3Updates::follow(const Bulk& values) {
    if (values.type != ValueType::float64) return;
    values.for_each_variable([&](ValueRef reference, std::size_t first, std::size_t) {
        if (const auto input = inputs_.find(reference))
            inputs_.set_value(*input, values.reals()[first]);
    });
}

void Fmi3Updates::begin_step(Time from, Duration by) {
    thrown_ = nullptr;
    outer_ = std::exchange(under_way, this);
    inputs_.begin(from.seconds);
    samples_.begin(from, by);
}

/// Outputs are read before inputs are set, as the standard has it.
void Fmi3Updates::update(double time, bool set_requested, bool get_allowed,
                         bool step_finished) noexcept {
    if (thrown_) return;
    try {
        if (get_allowed && step_finished) {
            const std::span<double> values = samples_.add(Time{time});
            if (!values.empty())
                instance_->get(
                    {ValueType::float64, samples_.outputs(), values.data(), values.size()});
        }
        if (set_requested && inputs_.moves())
            instance_->set_reals(inputs_.references(), inputs_.values_at(time));
    } catch (...) {
        thrown_ = std::current_exception();
    }
}

void Fmi3Updates::leave_step() noexcept { under_way = outer_; }

void Fmi3Updates::rethrow_fault() {
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

void Fmi3Updates::end_step(Time reached) {
    rethrow_fault();
    samples_.end(reached);
    if (inputs_.moves())
        instance_->set_reals(inputs_.references(), inputs_.values_at(reached.seconds));
    inputs_.end(reached.seconds);
}

} // namespace rubato::unit
