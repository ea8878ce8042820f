// SPDX-License-Identifier: Apache-2.0
#include "distributed_run.hpp"

#include "distributed_unit.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace rubato::engine {

namespace {

/// By column, the process that has its values; those that no unit has are of the first one.
std::vector<std::uint32_t> column_owners(const scenario::System& system,
                                         const Distribution& distribution, std::size_t columns) {
    std::vector<std::uint32_t> owners(columns, 0);
    const std::size_t of_units = std::min(columns, system.observed.size());
    for (std::size_t c = 0; c < of_units; ++c)
        owners[c] = distribution.owner(system.observed[c].unit);
    return owners;
}

} // namespace

std::unique_ptr<DistributedRun>
DistributedRun::make(const SimulationOptions& options, const scenario::System& system,
                     Compiled& compiled, std::span<const std::unique_ptr<unit::Unit>> units,
                     bool decides_by_values) {
    if (!options.distribution) return nullptr;
    return std::make_unique<DistributedRun>(options, system, compiled, units, decides_by_values);
}

DistributedRun::DistributedRun(const SimulationOptions& options, const scenario::System& system,
                               Compiled& compiled,
                               std::span<const std::unique_ptr<unit::Unit>> units,
                               bool decides_by_values)
    : distribution_(*options.distribution), system_(system), compiled_(compiled), units_(units),
      transfers_(
          distribution_, *compiled.plan, units,
          {.all_follow = decides_by_values, .first_follows = options.first_estimates_errors}) {}

void DistributedRun::begin(Observation& observation, GatheredRecording::Check check) {
    begun_ = std::chrono::steady_clock::now();
    before_ = distribution_.processes().times();
    distribution_.processes().heed(observation.stop);
    transfers_.heed(observation.stop);
    if (!observation.recorder) return;
    gathered_.emplace(distribution_.processes(), transfers_, compiled_.columns,
                      column_owners(system_, distribution_, compiled_.columns.size()),
                      *observation.recorder);
    gathered_->check_by(std::move(check));
    observation.recorder = &*gathered_;
}

void DistributedRun::end_failed() {
    if (gathered_) gathered_->end_failed();
}

void DistributedRun::fail(const std::exception_ptr& own, Time now) const {
    try {
        distribution_.processes().fail(own);
        std::rethrow_exception(own); // g++ does not see that it does not return
    } catch (const ProcessesLost& fault) {
        throw Error(
            format("{} at t = {} s; {}", fault.what(), shortest(now.seconds), units_of(fault)),
            "a process that ran out of memory or was killed leaves no message of its own");
    }
}

/// `unit "winch" and 2 more are there`: of the processes that are lost.
std::string DistributedRun::units_of(const ProcessesLost& fault) const {
    const std::string* first = nullptr;
    std::size_t count = 0;
    for (std::size_t u = 0; u < units_.size(); ++u) {
        if (std::ranges::count(fault.ranks(), distribution_.owner(nth<UnitId>(u))) == 0) continue;
        if (count++ == 0) first = &units_[u]->name();
    }
    if (first == nullptr) return "it has no units";
    if (count == 1) return format("unit \"{}\" was there", *first);
    return format("unit \"{}\" and {} more were there", *first, count - 1);
}

void DistributedRun::share_work(Summary& summary) {
    for (const auto& unit : units_) dynamic_cast<DistributedUnit&>(*unit).share_statistics();
    Processes& processes = distribution_.processes();
    processes.heed(nullptr);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begun_;
    const ProcessTimes own = processes.times();
    std::array<double, 3> times = {elapsed.count(), own.exchanging - before_.exchanging,
                                   own.waiting - before_.waiting};
    const auto all =
        processes.gather_everywhere({reinterpret_cast<const char*>(times.data()), sizeof times});
    summary.processes.clear();
    for (std::uint32_t rank = 0; rank < processes.count(); ++rank) {
        std::memcpy(times.data(), all[rank].data(), std::min(sizeof times, all[rank].size()));
        ProcessWork work{.name = processes.name_of(rank),
                         .working = times[0] - times[1] - times[2],
                         .exchanging = times[1],
                         .waiting = times[2]};
        for (std::size_t u = 0; u < units_.size(); ++u)
            work.units += distribution_.owner(nth<UnitId>(u)) == rank ? 1 : 0;
        summary.processes.push_back(std::move(work));
    }
}

} // namespace rubato::engine
