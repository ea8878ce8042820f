// SPDX-License-Identifier: Apache-2.0
#include "unit_prober.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>
#include <rubato/probe/probe.hpp>

#include <algorithm>
#include <deque>
#include <iterator>

namespace rubato::probe {

namespace {

/// Probes all units of a simulation that can be.
class Prober {
public:
    explicit Prober(engine::Simulation& simulation) : simulation_(simulation) {
        const scenario::System& system = simulation.system();
        for (std::size_t u = 0; u < system.units.size(); ++u) {
            const auto id = nth<UnitId>(u);
            unit::Unit& unit = simulation.unit(id);
            if (unit.snapshots()) {
                probers_.emplace_back(system, id, unit);
                units_.push_back(&unit);
            } else {
                result_.obstacles.push_back({Obstacle::Kind::no_snapshots, id, {}, {}, {}});
            }
        }
    }

    Probing run(const ProbeOptions& options) {
        try {
            simulation_.begin_initialization();
            if (!options.while_initializing || probe_at({simulation_.time(), true})) {
                simulation_.end_initialization();
                probe_steps(options.after_steps);
            }
        } catch (const Error& fault) {
            result_.fault = fault.what();
        }
        for (const UnitProber& prober : probers_)
            std::ranges::move(prober.refusals(), std::back_inserter(result_.refusals));
        return std::move(result_);
    }

private:
    void probe_steps(const std::vector<std::uint64_t>& after_steps) {
        std::uint64_t done = 0;
        for (const std::uint64_t after : after_steps) {
            bool is_new = done == after;
            for (; done < after && !simulation_.has_ended(); ++done) {
                simulation_.step();
                is_new = true;
            }
            // A unit that asks for the end leaves the others in the midst of a step.
            if (!is_new || !simulation_.summary().ended_by.empty()) return;
            if (!probe_at({simulation_.time(), false})) return;
        }
    }

    /// Whether the run can go on: no unit has failed for good.
    bool probe_at(const Instant& when) {
        result_.instants.push_back(when);
        for (UnitProber& prober : probers_) prober.probe(when, result_);
        return std::ranges::none_of(
            units_, [](const unit::Unit* unit) { return unit->phase() == unit::Phase::failed; });
    }

    engine::Simulation& simulation_;
    std::deque<UnitProber> probers_;
    std::vector<unit::Unit*> units_; ///< in the order of `probers_`
    Probing result_;
};

} // namespace

std::string to_string(const Instant& when) {
    return format("at t = {} s{}", shortest(when.time.seconds),
                  when.initializing ? ", initializing" : "");
}

Probing probe(engine::Simulation& simulation, const ProbeOptions& options) {
    return Prober(simulation).run(options);
}

} // namespace rubato::probe
