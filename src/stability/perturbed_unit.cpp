// SPDX-License-Identifier: Apache-2.0
#include "perturbed_unit.hpp"

#include <algorithm>

namespace rubato::stability {

unit::Abilities PerturbedUnit::abilities() noexcept {
    const unit::Abilities inner = forwarded();
    return {
        .snapshots = inner.snapshots,
        .serialized_states = inner.serialized_states,
        .input_derivatives = inner.input_derivatives,
        .event_mode = inner.event_mode,
        .intermediate_outputs = inner.intermediate_outputs,
        .directional_derivatives = inner.directional_derivatives,
        .solver_statistics = inner.solver_statistics,
        .direct_calls = nullptr,
    };
}

/// Calls `use` with the place of each perturbed value and what is added to it.
template <class Use>
void PerturbedUnit::for_each_perturbed(const Bulk& values, Use&& use) const {
    values.for_each_variable([&](ValueRef reference, std::size_t first, std::size_t count) {
        for (const auto& [element, by] : by_)
            if (element.reference == reference && element.index < count)
                use(first + element.index, by);
    });
}

/// Elements of an array are set by reading and writing the whole of it: what was added is taken
/// off, so that it is not added twice.
void PerturbedUnit::do_get(const Bulk& values) {
    Decorator::do_get(values);
    if (by_.empty() || storage_of(values.type) != Storage::real) return;
    for_each_perturbed(values, [&](std::size_t at, double by) { values.reals()[at] -= by; });
}

void PerturbedUnit::record(const Bulk& values) {
    const std::span<const double> given = values.reals();
    values.for_each_variable([&](ValueRef reference, std::size_t first, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            const Element element{reference, static_cast<std::uint32_t>(i)};
            auto known = std::ranges::find(inputs_, element, &Input::element);
            if (known == inputs_.end()) known = inputs_.insert(known, {element, 0});
            known->value = given[first + i];
        }
    });
}

void PerturbedUnit::do_set(const Bulk& values) {
    const bool is_real = storage_of(values.type) == Storage::real;
    if (is_real && is_recording_) record(values);
    if (!is_real || by_.empty()) return Decorator::do_set(values);
    changed_.assign(values.reals().begin(), values.reals().end());
    for_each_perturbed(values, [&](std::size_t at, double by) { changed_[at] += by; });
    Bulk perturbed = values;
    perturbed.data = changed_.data();
    Decorator::do_set(perturbed);
}

} // namespace rubato::stability
