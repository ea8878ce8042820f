// SPDX-License-Identifier: Apache-2.0
#include "checkpoint.hpp"

#include <algorithm>

namespace rubato::engine {

bool can_all_roll_back(std::span<const std::unique_ptr<unit::Unit>> units) {
    return std::ranges::all_of(units, [](const auto& unit) { return unit->snapshots(); });
}

Checkpoint::Checkpoint(Plan& plan, std::span<const std::unique_ptr<unit::Unit>> units)
    : plan_(plan), slot_(plan.slots->take()) {
    for (const auto& unit : units) units_.push_back(unit->snapshots());
}

void Checkpoint::save() {
    for (unit::Snapshots* unit : units_) unit->save(slot_);
    auto archive = StateArchive::saving(values_);
    archive(plan_.buffers, plan_.histories);
}

void Checkpoint::restore() {
    for (unit::Snapshots* unit : units_) unit->restore(slot_);
    auto archive = StateArchive::restoring(values_);
    archive(plan_.buffers, plan_.histories);
}

} // namespace rubato::engine
