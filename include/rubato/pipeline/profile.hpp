// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/unit/unit.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace rubato::pipeline {

/// What calls of a unit took.
struct UnitTime {
    double seconds = 0; ///< of the wall clock
    std::uint64_t calls = 0;
    std::uint64_t steps = 0; ///< of these
};

/// Where the wall time of a run goes: measures the calls of each unit. Units of scenarios within are
/// measured by themselves and as part of theirs.
class Profile {
public:
    /// A unit around this one, which is measured. The profile must outlive it.
    std::unique_ptr<unit::Unit> measured(std::unique_ptr<unit::Unit> unit);
    void clear() { times_.clear(); }

    struct Entry {
        std::string unit;
        UnitTime time;
        std::size_t level = 0; ///< 0: a unit of the scenario itself
        double begin = 0;      ///< [s], if all calls came one after the other, in this order
    };
    /// The most costly unit first, those within a unit behind it.
    std::vector<Entry> entries() const;

private:
    std::map<std::string, UnitTime> times_; ///< by path of the unit
};

} // namespace rubato::pipeline
