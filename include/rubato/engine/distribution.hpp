// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/id.hpp>
#include <rubato/engine/processes.hpp>
#include <rubato/scenario/description.hpp>
#include <rubato/unit/unit.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace rubato::engine {

/// Which process owns which unit. Every process has all units of the system: its own, and for those
/// of others objects that know what these can do and report. So each of them runs the whole
/// algorithm and decides by the same values.
class Distribution {
public:
    /// `processes` must outlive it. `owners`: ranks, by unit.
    Distribution(Processes& processes, std::vector<std::uint32_t> owners)
        : processes_(processes), owners_(std::move(owners)) {}

    Processes& processes() const { return processes_; }
    std::uint32_t owner(UnitId unit) const { return owners_[unit.value]; }
    bool owns(UnitId unit) const { return owner(unit) == processes_.rank(); }
    /// Whether this process records, and reports to the user.
    bool is_first() const { return processes_.rank() == 0; }

    struct Named {
        std::string name;
        const scenario::UnitDescription* description = nullptr; ///< outlives the unit
    };
    /// All units of the system, from those of this process; at the others there is null. What own
    /// units report is sent to all processes; the others are received. This must outlive them.
    std::vector<std::unique_ptr<unit::Unit>> share(std::vector<std::unique_ptr<unit::Unit>> own,
                                                   std::span<const Named> all);

    /// While it exists, units do not send what is read of them: it is exchanged together, or not
    /// at all.
    class Silence {
    public:
        explicit Silence(Distribution& distribution) : distribution_(distribution) {
            distribution_.is_silent_ = true;
        }
        ~Silence() { distribution_.is_silent_ = false; }
        Silence(const Silence&) = delete;
        Silence& operator=(const Silence&) = delete;

    private:
        Distribution& distribution_;
    };
    bool is_silent() const { return is_silent_; }

private:
    Processes& processes_;
    std::vector<std::uint32_t> owners_;
    bool is_silent_ = false;
};

} // namespace rubato::engine
