// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan.hpp"

#include <rubato/scenario/system.hpp>

#include <set>
#include <span>
#include <utility>

namespace rubato::engine {

/// A unit's variable of some type, found by its reference, or a part of one.
struct Variable {
    UnitId unit;
    ValueType type = ValueType::float64;
    ValueRef reference = 0;
    Part part = {};
};

inline Variable variable_of(const scenario::Port& port) {
    return {port.unit, port.type, port.reference, port.part};
}

/// Notes how the n-th value of a set is made from that in a slot. Gives the slot that it is copied
/// from.
std::uint32_t add_source(SetExtras& extras, std::uint32_t index, std::uint32_t slot,
                         const scenario::Link& link, const std::optional<TypeChange>& change);

/// Collects slots and the calls on them. The calls are bound last, when the buffers have their size
/// and stay where they are.
class Calls {
public:
    Calls(Plan& plan, std::span<const std::unique_ptr<unit::Unit>> units)
        : plan_(plan), units_(units) {}

    /// The first of `count` neighbours.
    std::uint32_t add_slots(Storage storage, std::size_t count = 1) {
        std::uint32_t& used = slot_counts_[static_cast<std::size_t>(storage)];
        return std::exchange(used, used + static_cast<std::uint32_t>(count));
    }
    /// Extends the last call if the slots are neighbours and it is not to `start_new`.
    void add_get(const Variable& variable, std::uint32_t slot, bool start_new);
    /// Writes from slots of its own, to be filled from `sources`, of which there is one per value.
    /// The variables are of one unit and one type.
    void add_set(std::span<const Variable> variables, std::span<const std::uint32_t> sources,
                 SetExtras extras);
    void add_step(UnitId unit) { plan_.steps.push_back({&unit_of(unit)}); }
    void add_snapshot(UnitId unit);
    /// The state of every unit will be saved.
    void expect_all_saved() {
        for (const auto& unit : units_) plan_.saved_units.insert(unit.get());
    }

    /// Allocates the buffers and points every call at its slots.
    void bind();

private:
    struct PendingBulk {
        ValueType type = ValueType::float64;
        std::uint32_t first_slot = 0;
        std::uint32_t count = 0;
        std::vector<ValueRef> references;
        std::vector<Part> parts;

        /// Neighbouring parts of an array become one.
        void add(const Variable& variable);
    };

    unit::Unit& unit_of(UnitId id) const { return *units_[id.value]; }
    void allocate_buffers();
    Bulk bulk(PendingBulk&& pending);
    void bind_set(std::size_t index);

    Plan& plan_;
    std::span<const std::unique_ptr<unit::Unit>> units_;
    std::array<std::uint32_t, 4> slot_counts_{};           ///< by storage
    std::vector<PendingBulk> pending_gets_, pending_sets_; ///< in the order of the plan's tables
    std::vector<std::size_t> first_source_;                ///< by set call
};

} // namespace rubato::engine
