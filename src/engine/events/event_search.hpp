// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "control/step_controller.hpp"
#include "execution/checkpoint.hpp"
#include "execution/executor.hpp"
#include "program/compiler.hpp"

#include <rubato/engine/recorder.hpp>
#include <rubato/scenario/event_settings.hpp>

#include <optional>
#include <string>
#include <vector>

namespace rubato::engine {

/// Ends steps at the events within them. A step in which something happens, be it that a discrete
/// output changes, that a crossing does or that a unit stops, is taken back with all values and
/// inputs, and made again to end where it happens; where only trying shows it, the last attempt
/// ends no more than the tolerance behind it. Where units cannot go back, events are seen at the
/// end of the step. Allocates nothing, strings apart.
class EventSearch final : public StepController {
public:
    /// What is passed must outlive it.
    EventSearch(const scenario::EventSettings& settings, const scenario::Experiment& experiment,
                const scenario::System& system, Compiled& compiled,
                std::span<const std::unique_ptr<unit::Unit>> units, Executor& executor,
                Summary& summary);

    /// After initialization, or when connections have changed. Returns whether something has
    /// happened: units that handle their events alone have just handled the first.
    [[nodiscard]] bool start(Time now);

    bool judges() const override { return true; }
    Checkpoint* checkpoint() override { return checkpoint_ ? &*checkpoint_ : nullptr; }
    Attempt begin(const Attempt& wanted) override;
    Judgement judge(const Attempt& made, Flow flow) override;
    void commit(const MadeStep&) override { located_.reset(); }
    void restart(Time) override {
        located_.reset();
        found_ = false; // it has been handled
    }

    /// Whether the last step has ended at an event.
    bool has_found() const { return found_; }
    Duration tolerance() const { return tolerance_; }
    /// Up to where nothing had happened yet in the last step; its start: that is not known. A step
    /// that is repeated up to there, or up to its end, is not searched again.
    Time quiet_until() const { return quiet_until_; }

    void report_to(Recorder* recorder) { recorder_ = recorder; }
    /// At an event that was located: reports what has changed.
    void begin_event(Time now);
    /// At another one.
    void begin_other_event() { microstep_ = 0; }
    /// After an exchange: whether it has changed something that is watched, which is reported.
    bool note_instant(Time now);
    /// Events that are no further apart than this are a row.
    Duration least_distance() const;
    void begin_row();
    /// Error: the row is too long.
    void check_row(int events, Time start, Time now) const;
    /// What has changed in the row.
    std::string names_in_row() const;
    /// Reports what others have changed since.
    void report_changes(Time now);
    /// Between steps.
    void visit_state(StateArchive& archive) override;

private:
    /// Something that is watched: what it was at the start of the step, or before an event.
    struct Watch {
        Storage storage = Storage::real;
        std::uint32_t slot = 0, count = 1;
        std::uint32_t kept = 0; ///< where its former values are
        const scenario::Watched* what = nullptr;
        bool in_row = false; ///< among the last events
    };
    struct Point {
        Time time;
        double value = 0; ///< of the crossing
    };
    struct Bracket {
        Time from;                       ///< the start of the step
        Time before, after;              ///< nothing has happened, something has
        const Watch* crossing = nullptr; ///< the only thing that happens; null: others do
        bool is_known = false;           ///< a unit has reported the time of it
        Point older, newer;              ///< the last two attempts
        Duration narrow{};               ///< the bracket is to become narrower than this …
        int attempts = 0;                ///< … in few attempts
        bool stands_after = true;        ///< the last attempt has gone beyond what happens
        bool is_last = false;            ///< the attempt under way ends at `after`
    };
    /// A step that ends where something happens.
    struct Located {
        Time from, quiet_until, end;
    };

    void keep();
    bool has_changed(const Watch& watch) const;
    bool has_happened() const;
    double number_of(const Watch& watch) const;
    double kept_number_of(const Watch& watch) const;
    Judgement begin_search(const Attempt& made);
    Judgement continue_search(const Attempt& made);
    Judgement next_trial();
    Judgement try_to(Time end);
    const Watch* only_crossing() const;
    Time choose(Bracket& bracket) const;
    void note_stop();
    /// Reports all changes, and keeps the new values.
    void note_changes(Time now);
    void note(const Watch& watch, Time now) const;
    std::string name_of(const Watch& watch) const;

    const scenario::EventSettings& settings_;
    const scenario::System& system_;
    Buffers& buffers_;
    std::span<const std::unique_ptr<unit::Unit>> units_;
    Executor& executor_;
    Summary& summary_;
    Duration tolerance_;
    std::vector<Watch> watches_;
    Buffers kept_;
    std::optional<Checkpoint> checkpoint_; ///< none: a unit cannot go back
    Recorder* recorder_ = nullptr;         ///< null: nothing is reported
    bool found_ = false;
    Time quiet_until_; ///< where the last step was looked at before its event; else its start
    const unit::Unit* stopped_ = nullptr; ///< the unit that has ended the step; null: none
    int microstep_ = 0;                   ///< exchanges since the event
    std::optional<Bracket> bracket_;      ///< none: nothing has happened in the step under way
    std::optional<Located> located_;      ///< in the step under way
};

} // namespace rubato::engine
