// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/composite/interface.hpp>
#include <rubato/engine/recorder.hpp>
#include <rubato/unit/unit.hpp>

#include <memory>
#include <span>
#include <vector>

namespace rubato::composite {

/// A variable of an inner unit.
struct Target {
    unit::Unit* unit = nullptr;
    ValueRef reference = 0;
};

/// Finds the variables of inner units that those of the whole stand for. Allocates nothing once it
/// is made.
class ExternalVariables {
public:
    /// The units must outlive it.
    ExternalVariables(const Interface& interface,
                      std::span<const std::unique_ptr<unit::Unit>> units);

    std::span<const Target> targets(ValueRef variable) const {
        return std::span(targets_).subspan(first_[variable],
                                           first_[variable + 1] - first_[variable]);
    }
    /// What the simulation records is read there, which is up to date.
    void read_from(std::span<const engine::Column> columns) { columns_ = columns; }
    bool is_recorded(ValueRef variable) const { return interface_.columns[variable].has_value(); }
    void get(const Bulk& values);
    /// Every variable that a reference stands for.
    void set(const Bulk& values);

private:
    /// Calls `use` with a unit and the values of neighbouring variables that are first targets in
    /// it.
    template <class Use>
    void for_each_run(const Bulk& values, Use&& use);

    const Interface& interface_;
    std::span<const engine::Column> columns_;
    std::vector<Target> targets_;      ///< in the order of the variables
    std::vector<std::uint32_t> first_; ///< by variable, and one more
    std::vector<ValueRef> references_; ///< of a run
};

/// Where value number `index` of a bulk is.
void* value_at(const Bulk& values, std::size_t index);

} // namespace rubato::composite
