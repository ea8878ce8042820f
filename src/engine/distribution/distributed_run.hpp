// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "gathered_recording.hpp"
#include "program/compiler.hpp"
#include "transfers.hpp"

#include <rubato/engine/distribution.hpp>
#include <rubato/engine/simulation.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace rubato::engine {

/// What a run has to do with the other processes.
class DistributedRun {
public:
    /// Null: there are none. `decides_by_values`: every process follows all values, since
    /// controllers or event handlers decide by them. What is passed must outlive it.
    static std::unique_ptr<DistributedRun> make(const SimulationOptions& options,
                                                const scenario::System& system, Compiled& compiled,
                                                std::span<const std::unique_ptr<unit::Unit>> units,
                                                bool decides_by_values);

    DistributedRun(const SimulationOptions& options, const scenario::System& system,
                   Compiled& compiled, std::span<const std::unique_ptr<unit::Unit>> units,
                   bool decides_by_values);

    Transfers& transfers() { return transfers_; }
    /// Reads own units; other processes do not learn the values.
    template <class Read>
    void read_silently(Read&& read) {
        const Distribution::Silence silence(distribution_);
        read();
    }

    /// The run begins: rows go to the first process, which records them. `check` is called there
    /// before each row of a communication point.
    void begin(Observation& observation, GatheredRecording::Check check);
    /// What is recorded in this process.
    std::span<const Column> recorded() const { return gathered_->staged(); }
    void record_point(Time time) { gathered_->record_point(time); }
    /// Whether a process has asked for the end: all know.
    bool is_to_stop() { return transfers_.agreed().stop; }
    /// After a failure: records what there is.
    void end_failed();
    /// What solvers and processes have done becomes known to all of them.
    void share_work(Summary& summary);
    /// Ends the run in all processes.
    [[noreturn]] void fail(const std::exception_ptr& own, Time now) const;

private:
    std::string units_of(const ProcessesLost& fault) const;

    Distribution& distribution_;
    const scenario::System& system_;
    const Compiled& compiled_;
    std::span<const std::unique_ptr<unit::Unit>> units_;
    Transfers transfers_;
    std::optional<GatheredRecording> gathered_; ///< none: nothing is recorded
    std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
    ProcessTimes before_; ///< when it began
};

} // namespace rubato::engine
