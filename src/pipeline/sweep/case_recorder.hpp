// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "sweep/outcomes.hpp"

#include <rubato/engine/recorder.hpp>

#include <limits>
#include <span>
#include <string>
#include <vector>

namespace rubato::pipeline {

/// What is kept of the runs of a sweep.
struct Kept {
    std::vector<std::string> variables; ///< that are recorded, numbers only
    std::vector<Outcome> outcomes;
    std::vector<std::size_t> drawn; ///< indices of variables
    std::vector<double> times;      ///< at which they are kept; increasing
};

/// Keeps outcomes and trajectories instead of rows. Serves one run after another.
class CaseRecorder final : public engine::Recorder {
public:
    explicit CaseRecorder(const Kept& kept);

    void begin(std::span<const engine::Column> columns) override;
    void record(Time now) override;
    void end() override {}

    std::vector<double> outcomes() const;
    const std::vector<float>& trajectory() const { return trajectory_; }

private:
    /// One variable in the course of a run.
    struct Track {
        std::size_t variable = 0;    ///< index
        const void* value = nullptr; ///< null: it is not recorded in this run
        ValueType type = ValueType::float64;
        double before = 0, now = 0; ///< values at the last two rows
        double least = 0, greatest = 0;
    };

    std::size_t track_of(std::size_t variable);
    void find_times(double now);
    void draw(double now);

    const Kept& kept_;
    std::vector<Track> tracks_;
    std::vector<std::size_t> outcome_tracks_, drawn_tracks_; ///< by outcome, by drawn variable
    std::vector<double> times_;                              ///< of outcomes `when`; NaN: not yet
    std::vector<float> trajectory_;
    double before_ = 0; ///< time of the row before
    std::size_t rows_ = 0;
    std::size_t next_time_ = 0; ///< index of the next time to draw
};

} // namespace rubato::pipeline
