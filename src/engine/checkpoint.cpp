// SPDX-License-Identifier: Apache-2.0
#include "checkpoint.hpp"

#include <algorithm>

namespace rubato::engine {

bool can_all_roll_back(std::span<const std::unique_ptr<unit::Unit>> units) {
    return std::ranges::all_of(units, [](const auto& unit) { return unit->snapshots(); });
}

Checkpoint::Checkpoint(Plan& plan, std::span<const std::unique_ptr<unit::Unit>> units,
                       std::uint32_t slot)
    : plan_(plan), slot_(slot), reals_(plan.buffers.reals), integers_(plan.buffers.integers),
      booleans_(std::make_unique<bool[]>(plan.buffers.boolean_count)),
      strings_(plan.buffers.strings), histories_(plan.histories) {
    for (const auto& unit : units) units_.push_back(unit->snapshots());
}

void Checkpoint::save() {
    for (unit::Snapshots* unit : units_) unit->save(slot_);
    const Buffers& now = plan_.buffers;
    reals_ = now.reals;
    integers_ = now.integers;
    std::copy_n(now.booleans.get(), now.boolean_count, booleans_.get());
    strings_ = now.strings;
    histories_ = plan_.histories;
}

void Checkpoint::restore() {
    for (unit::Snapshots* unit : units_) unit->restore(slot_);
    Buffers& now = plan_.buffers;
    std::ranges::copy(reals_, now.reals.begin()); // others point to them
    std::ranges::copy(integers_, now.integers.begin());
    std::copy_n(booleans_.get(), now.boolean_count, now.booleans.get());
    std::ranges::copy(strings_, now.strings.begin());
    plan_.histories = histories_;
}

} // namespace rubato::engine
