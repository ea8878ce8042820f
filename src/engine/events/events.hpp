// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clockwork.hpp"
#include "event_loop.hpp"
#include "event_wiring.hpp"

#include <rubato/engine/simulation.hpp>

#include <memory>
#include <string>
#include <vector>

namespace rubato::engine {

/// Handles the events of a whole system. All units that have event mode enter it together:
///
///   1 Look      read the outputs of all units, and give every input what its source has now
///   2 Tick      clocks that time drives and that are due
///   3 Settle    in the order of the connections: output clocks make the clocks tick that are
///               connected to them, and outputs set inputs, until nothing changes; what is clocked
///               takes part only while its clock ticks. Reals that feed through in a circle are
///               iterated by EventLoop. Not in so many rounds: Error naming what still changes
///   4 Update    all units end the instant; clocks stop; units tell when they tick next
///   5           back to 2, until no unit needs another instant, no clock is due and nothing
///               settles anew. Not in so many instants: Error naming who keeps it going
///   6 Leave     all units go back to their steps
///
/// Allocates nothing, strings apart.
class Events {
public:
    /// Null: no unit has event mode. What comes less than `tolerance` later comes at once.
    static std::unique_ptr<Events> make(const scenario::System& system,
                                        std::span<const std::unique_ptr<unit::Unit>> units,
                                        Compiled& compiled, Duration tolerance, Summary& summary,
                                        const scenario::LoopSettings& loops);

    /// While the units initialize, at the end of it: discrete inputs, and when clocks tick.
    void initialize(Time start);
    /// When the next one is to be expected; infinite: never.
    Time next() const { return next_; }
    bool are_due(Time now) const { return next_ <= now + tolerance_; }
    /// Whether values have changed, in units without event mode, that units with event mode are to
    /// be told of.
    bool have_come_up(std::size_t configuration);
    /// A configuration with other connections has come into force: what its inputs were given when
    /// it was in force before says nothing.
    void reconnect(std::size_t configuration);
    /// Where the units are in event mode already, as after initialization, they do not enter it.
    Flow handle(Time now, std::size_t configuration);
    /// Between steps.
    void visit_state(StateArchive& archive);

private:
    Events(const scenario::System& system, std::unique_ptr<EventWiring> wiring, Plan& plan,
           Duration tolerance, Summary& summary, const scenario::LoopSettings& loops);

    void enter();
    void leave();
    void look();
    /// Returns whether something that units with event mode must hear of has changed.
    bool settle();
    bool visit(EventUnit& unit);
    bool follow_clocks(EventUnit& unit);
    bool take_inputs(EventUnit& unit);
    bool read_clocks(EventUnit& unit);
    void read_outputs(EventUnit& unit);
    bool update();
    void export_values();
    bool is_accessible(const std::vector<std::uint32_t>& clocks) const;
    std::string names_of_changing() const;
    std::string names_of_ticking() const;
    [[noreturn]] void fail_to_settle() const;
    [[noreturn]] void fail_to_end() const;
    void guard_against_zeno() const;

    const scenario::System& system_;
    std::unique_ptr<EventWiring> wiring_;
    Plan& plan_;
    Duration tolerance_;
    Summary& summary_;
    Clockwork clockwork_;
    EventLoop loop_;
    std::vector<Time> announced_; ///< by unit: its next event
    Time next_;
    Time now_;
    std::size_t configuration_ = 0;
    bool initializing_ = false;       ///< clocked variables may be accessed, and nothing ticks
    std::vector<PortId> changing_;    ///< inputs that changed in the round, for messages
    bool only_reals_ = true;          ///< have changed in the round
    const EventUnit* last_ = nullptr; ///< that asked for another instant
    int events_at_once_ = 0;          ///< without time going on
};

} // namespace rubato::engine
