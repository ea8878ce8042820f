// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "transfers.hpp"

#include <rubato/engine/recorder.hpp>

#include <chrono>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace rubato::engine {

/// Records in the first process what all of them have. Each keeps rows of its own columns; from
/// time to time they are gathered, and the first process hands them on in order.
class GatheredRecording final : public Recorder, private UnsentRows {
public:
    /// `owners`: ranks, by column. `checked` is called before rows of communication points are
    /// recorded, with the columns that `recorder` sees. All must outlive it.
    using Check = std::function<void(Time)>;
    GatheredRecording(Processes& processes, Transfers& transfers, std::span<const Column> columns,
                      std::vector<std::uint32_t> owners, Recorder& recorder);
    ~GatheredRecording() override { processes_.save_at_failure(nullptr); }
    GatheredRecording(const GatheredRecording&) = delete;
    GatheredRecording& operator=(const GatheredRecording&) = delete;

    /// In the first process: what the recorder sees.
    std::span<const Column> staged() const { return staged_; }
    void check_by(Check check) { check_ = std::move(check); }

    void begin(std::span<const Column>) override;
    /// A row within a step.
    void record(Time time) override { add(time, false); }
    /// A row of a communication point.
    void record_point(Time time) { add(time, true); }
    void note(const EventNote& event) override {
        if (is_first_) recorder_.note(event);
    }
    /// All processes have come to the end.
    void end() override;
    /// The run has failed: what all processes had is recorded.
    void end_failed();

private:
    struct Row {
        Time time;
        bool is_checked = false;
    };

    std::string_view own() const override { return kept_; }
    void record(std::span<const std::string> all) override { replay(all); }

    void add(Time time, bool is_checked);
    void flush();
    void replay(std::span<const std::string> parts);
    bool take_row(std::span<std::string_view> rests);
    bool wants_rows() const;

    Processes& processes_;
    Transfers& transfers_;
    std::span<const Column> columns_;
    const std::vector<std::uint32_t> owners_;
    Recorder& recorder_;
    const bool is_first_;
    Check check_;
    std::string kept_;      ///< own columns, row by row
    std::vector<Row> rows_; ///< in the first process
    std::vector<Column> staged_;
    Buffers values_; ///< of the staged columns
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

} // namespace rubato::engine
