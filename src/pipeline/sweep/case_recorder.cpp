// SPDX-License-Identifier: Apache-2.0
#include "sweep/case_recorder.hpp"

#include <algorithm>
#include <cmath>

namespace rubato::pipeline {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

double number_at(const void* value, ValueType type) {
    switch (storage_of(type)) {
    case Storage::real: return *static_cast<const double*>(value);
    case Storage::integer: {
        const auto integer = *static_cast<const std::int64_t*>(value);
        return type == ValueType::uint64 ? static_cast<double>(static_cast<std::uint64_t>(integer))
                                         : static_cast<double>(integer);
    }
    case Storage::boolean: return *static_cast<const bool*>(value) ? 1 : 0;
    case Storage::string: break;
    }
    return none;
}

} // namespace

CaseRecorder::CaseRecorder(const Kept& kept) : kept_(kept) {
    for (const Outcome& outcome : kept.outcomes)
        outcome_tracks_.push_back(track_of(outcome.variable));
    for (const std::size_t variable : kept.drawn) drawn_tracks_.push_back(track_of(variable));
    times_.resize(kept.outcomes.size());
    trajectory_.resize(kept.drawn.size() * kept.times.size());
}

std::size_t CaseRecorder::track_of(std::size_t variable) {
    const auto track = std::ranges::find(tracks_, variable, &Track::variable);
    if (track != tracks_.end()) return static_cast<std::size_t>(track - tracks_.begin());
    tracks_.push_back({.variable = variable});
    return tracks_.size() - 1;
}

void CaseRecorder::begin(std::span<const engine::Column> columns) {
    for (Track& track : tracks_) {
        const auto column =
            std::ranges::find(columns, kept_.variables[track.variable], &engine::Column::name);
        track.value = column == columns.end() ? nullptr : column->value;
        if (column != columns.end()) track.type = column->type;
        track.before = track.now = none;
        track.least = track.greatest = none;
    }
    std::ranges::fill(times_, none);
    std::ranges::fill(trajectory_, std::numeric_limits<float>::quiet_NaN());
    rows_ = 0;
    next_time_ = 0;
}

void CaseRecorder::record(Time now) {
    for (Track& track : tracks_) {
        if (track.value == nullptr) continue;
        track.before = track.now;
        track.now = number_at(track.value, track.type);
        track.least = std::fmin(track.least, track.now);
        track.greatest = std::fmax(track.greatest, track.now);
    }
    find_times(now.seconds);
    draw(now.seconds);
    before_ = now.seconds;
    ++rows_;
}

/// Real variables are linear between rows, others are held.
void CaseRecorder::find_times(double now) {
    for (std::size_t i = 0; i < kept_.outcomes.size(); ++i) {
        const Outcome& outcome = kept_.outcomes[i];
        if (outcome.kind != Outcome::Kind::when || !std::isnan(times_[i])) continue;
        const Track& track = tracks_[outcome_tracks_[i]];
        const double limit = outcome.threshold;
        if (!(outcome.is_above ? track.now > limit : track.now < limit)) continue;
        const bool is_between = rows_ > 0 && storage_of(track.type) == Storage::real &&
                                std::isfinite(track.before) && std::isfinite(track.now);
        times_[i] = is_between ? before_ + (now - before_) * (limit - track.before) /
                                               (track.now - track.before)
                               : now;
    }
}

void CaseRecorder::draw(double now) {
    constexpr double rounding = 1e-12;
    const double reached = now + rounding * std::max(1.0, std::abs(now));
    for (; next_time_ < kept_.times.size() && kept_.times[next_time_] <= reached; ++next_time_) {
        const double time = kept_.times[next_time_];
        const bool is_between = rows_ > 0 && now > before_;
        const double part = is_between ? std::min(1.0, (time - before_) / (now - before_)) : 1;
        for (std::size_t d = 0; d < drawn_tracks_.size(); ++d) {
            const Track& track = tracks_[drawn_tracks_[d]];
            double value = track.now;
            if (part < 1)
                value = storage_of(track.type) == Storage::real
                            ? track.before + part * (track.now - track.before)
                            : track.before;
            trajectory_[d * kept_.times.size() + next_time_] = static_cast<float>(value);
        }
    }
}

std::vector<double> CaseRecorder::outcomes() const {
    std::vector<double> values;
    for (std::size_t i = 0; i < kept_.outcomes.size(); ++i) {
        const Track& track = tracks_[outcome_tracks_[i]];
        switch (kept_.outcomes[i].kind) {
        case Outcome::Kind::last: values.push_back(track.now); break;
        case Outcome::Kind::min: values.push_back(track.least); break;
        case Outcome::Kind::max: values.push_back(track.greatest); break;
        case Outcome::Kind::when: values.push_back(times_[i]); break;
        }
    }
    return values;
}

} // namespace rubato::pipeline
