// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "checkpoint.hpp"
#include "compiler.hpp"
#include "executor.hpp"
#include "loop_record.hpp"

#include <rubato/engine/recorder.hpp>
#include <rubato/scenario/event_settings.hpp>

#include <optional>
#include <string>
#include <vector>

namespace rubato::engine {

/// Ends steps at the events within them. A step in which something happens, be it that a discrete
/// output changes, that a crossing does or that a unit stops, is taken back with all values and
/// inputs, and made again to end where it happens; where only trying tells, the last attempt ends
/// no more than the tolerance behind it. Where units cannot go back, events are seen at the end of
/// the step. Allocates nothing, strings apart.
class EventSearch {
public:
    /// What is passed must outlive it.
    EventSearch(const scenario::EventSettings& settings, const scenario::Experiment& experiment,
                const scenario::System& system, Compiled& compiled,
                std::span<const std::unique_ptr<unit::Unit>> units, Executor& executor,
                Summary& summary);

    /// After initialization. Units that handle their events alone have just handled the first:
    /// what that has changed is handed on.
    void start(Time now);
    /// One step, as Executor::advance.
    Flow advance(Time from, Duration by, Time end);
    /// Whether the last step has ended at an event.
    bool has_found() const { return found_; }
    Duration tolerance() const { return tolerance_; }
    /// Whether the last step can be looked at before the event that it has ended at.
    bool can_look_before(Time from) const { return found_ && quiet_until_ > from; }
    /// Makes the last step again, from `from`, to where nothing had happened yet; calls `look`, and
    /// makes it again to the event.
    template <class Look>
    Flow look_before_event(Time from, Look&& look) {
        const Time event = executor_.end();
        if (const Flow flow = attempt(from, quiet_until_); flow != Flow::proceed) return flow;
        look();
        return attempt(from, event);
    }

    void report_to(Recorder* recorder) { recorder_ = recorder; }
    /// At an event: hands on what has changed, until nothing changes any more. Error: it does not
    /// end, or there have been too many events in a row.
    void settle(Time now);
    /// Tells what others have changed since.
    void report_changes(Time now);
    /// Between steps.
    void visit_state(StateArchive& archive) {
        archive(kept_, found_, quiet_until_, stopped_, microstep_, last_event_, row_start_, row_);
        for (Watch& watch : watches_) archive(watch.in_row);
    }

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
        Time before, after;              ///< nothing has happened, something has
        const Watch* crossing = nullptr; ///< the only thing that happens; null: others do
        bool is_told = false;            ///< a unit has told the time of it
        Point older, newer;              ///< the last two attempts
        Duration narrow{};               ///< the bracket is to become narrower than this …
        int attempts = 0;                ///< … in few attempts
    };

    void keep();
    bool has_changed(const Watch& watch) const;
    bool has_happened() const;
    double number_of(const Watch& watch) const;
    double kept_number_of(const Watch& watch) const;
    Flow locate(Time from, bool told);
    Flow attempt(Time from, Time end);
    const Watch* only_crossing() const;
    Time choose(Bracket& bracket) const;
    void note_stop();
    /// Hands on what has changed, until nothing changes any more.
    void hand_on(Time now);
    /// Tells of all changes, and keeps the new values.
    void note_changes(Time now);
    void note(const Watch& watch, Time now) const;
    void guard_against_zeno(Time now);
    std::string names_in_row() const;
    std::string name_of(const Watch& watch) const;

    const scenario::EventSettings& settings_;
    const scenario::System& system_;
    Buffers& buffers_;
    Executor& executor_;
    Summary& summary_;
    Duration tolerance_;
    std::vector<Watch> watches_;
    Buffers kept_;
    std::optional<Checkpoint> checkpoint_; ///< none: a unit cannot go back
    Recorder* recorder_ = nullptr;         ///< null: nobody is told
    bool found_ = false;
    Time quiet_until_; ///< where the last step was looked at before its event; else its start
    const unit::Unit* stopped_ = nullptr; ///< the unit that has ended the step; null: none
    int microstep_ = 0;                   ///< exchanges since the event
    LoopRecord before_{summary_};         ///< the step
    std::optional<Time> last_event_;
    Time row_start_;
    int row_ = 0; ///< events with next to no time between them
};

} // namespace rubato::engine
