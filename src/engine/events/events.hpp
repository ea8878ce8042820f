// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clockwork.hpp"
#include "event_search.hpp"
#include "execution/executor.hpp"

#include <rubato/engine/simulation.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rubato::engine {

/// Handles the events of a whole system by its event procedure. All units that have event mode
/// enter it together:
///
///   1 Look      bring all values up to date; after an event that was located, what inputs did
///               before it is forgotten
///   2 Tick      clocks that time drives and that are due
///   3 Exchange  one pass through the event procedure: what is clocked takes part only while its
///               clock ticks; loops are solved. One that does not converge: Error naming what still
///               changes
///   4 Update    all units end the instant; clocks stop; units say when they tick next
///   5           back to 2, until no unit needs another instant, no clock is due and no value has
///               changed. Not in so many instants: Error naming who keeps it going
///   6 Leave     all units return to their steps
///
/// Where no unit has event mode, an instant is just an exchange. Allocates nothing, strings apart.
class Events final : private EventInstructions {
public:
    /// What is passed must outlive it. What comes less than `tolerance` later comes at once.
    Events(const scenario::System& system, std::span<const std::unique_ptr<unit::Unit>> units,
           Plan& plan, Executor& executor, Duration tolerance, Summary& summary);

    /// What is watched within steps; it must outlive this.
    void attach(EventSearch& search) { search_ = &search; }
    /// Whether a unit has event mode.
    bool handles_units() const { return !plan_.updates.empty(); }

    /// While the units initialize, at the end of it: discrete inputs, and when clocks tick.
    void initialize(Time start);
    /// When the next one is to be expected; infinite: never.
    Time next() const { return next_; }
    bool are_due(Time now) const { return next_ <= now + tolerance_; }
    /// Whether values have changed, in units without event mode, that units with event mode are to
    /// be notified of.
    bool have_come_up();
    /// A configuration with other connections has come into force: what its inputs were given when
    /// it was in force before says nothing.
    void reconnect();
    /// Where the units are in event mode already, as after initialization, they do not enter it.
    /// `is_located`: the step before was made to end here.
    Flow handle(Time now, bool is_located);

    // The same, in instants that another simulation makes, which this one is a unit of. Some unit
    // has event mode.

    /// All units enter event mode. The first instant begins.
    void begin(Time now, bool is_located);
    /// Inputs have been set from outside: what depends on them at once follows in this instant.
    void exchange();
    /// Ends the instant and begins the next one.
    unit::EventUpdate end_instant();
    /// All units return to their steps.
    void end() { leave(); }

    /// Exchanges values until nothing changes any more that is watched, without event mode.
    void propagate(Time now);
    /// Between steps, or between two instants that another simulation makes.
    void visit_state(StateArchive& archive);

private:
    /// What a pass through the event procedure is for.
    enum class Pass : std::uint8_t {
        initialize, ///< what is clocked can be read; nothing ticks
        look,       ///< brings inputs of steps up to date: that is no change of this event
        exchange,   ///< an instant, without its end
        instant,
    };

    void execute(const Instruction& range) override;
    bool is_running() const override { return is_running_; }
    [[noreturn]] void fail_to_settle(int iterations) const override;

    const Procedure& procedure() const;
    void run(const Block& block, Pass pass);
    void get(EventGet& get);
    void set(EventSet& set);
    void note_jump(EventSet& set);
    bool is_instant() const { return pass_ >= Pass::exchange; }
    void begin_event(Time now, bool is_located);
    void begin_instant();
    void renew_outputs();
    void forget_inputs(const Block& block);
    void get_clock(EventClock& clock);
    void set_clock(const ClockSet& set);
    void update(const Instruction& range);
    Flow handle_units();
    void enter();
    void leave();
    bool is_accessible(const std::vector<std::uint32_t>& clocks) const;
    std::string names_of_changing() const;
    std::string names_of_ticking() const;
    [[noreturn]] void fail_to_end() const;
    void guard_against_zeno(Time now, bool is_located);
    [[noreturn]] void fail_to_advance() const;

    const scenario::System& system_;
    std::span<const std::unique_ptr<unit::Unit>> units_;
    Plan& plan_;
    Executor& executor_;
    Duration tolerance_;
    Summary& summary_;
    EventSearch* search_ = nullptr; ///< null: nothing is watched
    Clockwork clockwork_;
    std::vector<Time> announced_; ///< by unit: its next event
    Time next_;
    Time now_;
    // Events with next to no time between them.
    std::optional<Time> last_event_;
    Time row_start_;
    int row_ = 0;
    // Of the event under way.
    bool is_running_ = false;
    Pass pass_ = Pass::instant;
    int instant_ = 0;
    bool has_ticks_ = false, has_changed_ = false; ///< in this instant
    bool needs_another_ = false;                   ///< a unit asks for an instant
    bool is_updated_ = false;                      ///< this instant
    std::vector<std::uint64_t> versions_;          ///< by unit: grows whenever outputs may change
    std::uint64_t instants_ = 0;                   ///< so far in the run
    std::vector<PortId> changing_;                 ///< inputs that changed last, for messages
    const unit::Unit* last_ = nullptr;             ///< that asked for another instant
};

} // namespace rubato::engine
