// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/engine/recorder.hpp>

#include <span>
#include <string>
#include <vector>

namespace rubato::pipeline {

/// Takes the unit's name off its columns.
class PlainNames final : public engine::Recorder {
public:
    PlainNames(engine::Recorder& inner, const std::string& unit)
        : inner_(inner), prefix_(unit + ".") {}

    void begin(std::span<const engine::Column> columns) override {
        std::vector<engine::Column> renamed(columns.begin(), columns.end());
        for (engine::Column& column : renamed)
            if (column.name.starts_with(prefix_)) column.name.erase(0, prefix_.size());
        inner_.begin(renamed);
    }
    void record(Time time) override { inner_.record(time); }
    void note(const engine::EventNote& note) override { inner_.note(note); }
    void end() override { inner_.end(); }

private:
    engine::Recorder& inner_;
    std::string prefix_;
};

/// Of a process whose rows another one records.
class RecordedElsewhere final : public engine::Recorder {
public:
    void begin(std::span<const engine::Column>) override {}
    void record(Time) override {}
    void end() override {}
};

/// Forwards to any number of recorders.
class Recorders final : public engine::Recorder {
public:
    /// Null: nothing is added. The recorder must outlive this one.
    void add(engine::Recorder* recorder) {
        if (recorder) recorders_.push_back(recorder);
    }
    /// The one recorder there is, this one for several, or null for none.
    engine::Recorder* as_recorder() {
        if (recorders_.size() > 1) return this;
        return recorders_.empty() ? nullptr : recorders_.front();
    }

    void begin(std::span<const engine::Column> columns) override {
        for (engine::Recorder* recorder : recorders_) recorder->begin(columns);
    }
    void record(Time time) override {
        for (engine::Recorder* recorder : recorders_) recorder->record(time);
    }
    void note(const engine::EventNote& note) override {
        for (engine::Recorder* recorder : recorders_) recorder->note(note);
    }
    void end() override {
        for (engine::Recorder* recorder : recorders_) recorder->end();
    }

private:
    std::vector<engine::Recorder*> recorders_;
};

} // namespace rubato::pipeline
