// SPDX-License-Identifier: Apache-2.0
#include "form.hpp"
#include "words.hpp"

#include <rubato/algorithm/event_procedures.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <optional>

namespace rubato::algorithm::verification {

namespace {

using scenario::Direction;
using scenario::Port;
using scenario::System;

/// One event procedure.
class EventCheck {
public:
    EventCheck(const System& system, const Procedure& procedure, Places& places,
               std::vector<Violation>& violations)
        : system_(system), exchange_(system), procedure_(procedure), places_(places),
          violations_(violations), source_(system.ports.size()), done_(system.ports.size()),
          updated_(system.units.size()) {
        for (const scenario::Link& link : exchange_.links) source_[link.to.value] = link.from;
    }

    void run() {
        const std::size_t before = violations_.size();
        note(procedure_.body, nullptr);
        if (violations_.size() != before) return; // what follows relies on the form
        for (std::size_t p = 0; p < done_.size(); ++p) check_port(nth<PortId>(p));
        for (std::size_t u = 0; u < updated_.size(); ++u) check_unit(nth<UnitId>(u));
    }

private:
    /// Where a port is got or set.
    struct Place {
        const Op* op = nullptr;
        std::size_t number = 0;           ///< in the order of the operations
        const FixedPoint* loop = nullptr; ///< around it; null: none
    };

    // -- form ------------------------------------------------------------------------------------

    void note(const Body& body, const FixedPoint* loop) {
        for (const Op& op : body) {
            if (const auto* get = std::get_if<Get>(&op)) {
                note(op, get->port, Direction::output, get->tentative, loop);
            } else if (const auto* set = std::get_if<Set>(&op)) {
                note(op, set->port, Direction::input, set->tentative, loop);
            } else if (const auto* inner = std::get_if<FixedPoint>(&op)) {
                note(op, *inner, loop);
            } else if (const auto* update = std::get_if<Update>(&op)) {
                note(op, *update, loop);
            } else {
                add(op, "does not belong into an event, at which time stands still",
                    "get, set, iterate and update there");
            }
        }
    }

    void note(const Op& op, PortId port, Direction direction, bool tentative,
              const FixedPoint* loop) {
        if (port.value >= done_.size() || system_.port(port).direction != direction)
            return add(op, "names no port of this direction", "outputs are got, inputs are set");
        if (tentative)
            return add(op, "is tentative, but no unit is rolled back at an event", "make it plain");
        if (!exchange_.takes_part[port.value])
            return add(op, "concerns a port that nothing is connected to", "remove it");
        if (any_update_) add(op, "comes after an update", "put updates last");
        Place& place = done_[port.value];
        if (place.op)
            return add(op, format("is done twice (first as {})", places_.of(*place.op)),
                       "remove one of them");
        place = {&op, ++operations_, loop};
    }

    void note(const Op& op, const FixedPoint& loop, const FixedPoint* around) {
        if (around) return add(op, "stands in another loop", "make them one loop");
        if (!loop.retry.empty())
            return add(op, "restores units, but none steps at an event", "remove what it restores");
        if (any_update_) add(op, "comes after an update", "put updates last");
        note(loop.iterate, &loop);
        for (const PortId port : loop.ports) {
            const bool is_got = port.value < done_.size() && done_[port.value].loop == &loop;
            if (!is_got || system_.port(port).direction != Direction::output)
                add(op, "compares what it does not get", "compare outputs that it gets");
        }
    }

    void note(const Op& op, const Update& update, const FixedPoint* loop) {
        if (loop) return add(op, "stands in a loop", "put updates last");
        if (update.unit.value >= updated_.size() || !system_.unit(update.unit).has_event_mode)
            return add(op, "concerns a unit without event mode", "remove it");
        if (updated_[update.unit.value]) return add(op, "is done twice", "remove one of them");
        updated_[update.unit.value] = any_update_ = true;
    }

    // -- rules -----------------------------------------------------------------------------------

    void check_port(PortId id) {
        if (!exchange_.takes_part[id.value]) return;
        const Place& place = done_[id.value];
        if (!place.op) {
            add(format("{} is never {}", system_.name_of(id),
                       system_.port(id).direction == Direction::output ? "got" : "set"),
                "add the operation");
            return;
        }
        if (const auto source = source_[id.value]) check_source(place, *source);
        const Port& port = system_.port(id);
        for (const PortId clock : port.clocks) check_before(place, clock, "which clocks it");
        if (port.direction == Direction::input) return;
        for (const auto* inputs : {&port.feedthrough, &port.feedthrough_initial})
            for (const PortId input : *inputs)
                check_before(place, input, "which acts on it at once");
        for (const PortId clock : system_.unit(port.unit).clocks)
            if (system_.port(clock).direction == Direction::input)
                check_before(place, clock, "a clock of its unit");
    }

    void check_unit(UnitId id) {
        if (!system_.unit(id).has_event_mode || updated_[id.value]) return;
        add(format("unit {} is never updated", system_.unit(id).name), "add the operation");
    }

    /// An input that is set before its source has been got is guessed.
    void check_source(const Place& set, PortId source) {
        const Place& get = done_[source.value];
        if (!get.op || get.number < set.number) return; // what is missing is reported elsewhere
        if (get.loop && get.loop == set.loop) {
            if (std::ranges::count(get.loop->ports, source) > 0) return;
            add(*set.op,
                format("is guessed, as {} comes later in the loop, which does not compare it",
                       words_of(*get.op, system_)),
                format("compare {}", system_.name_of(source)));
            return;
        }
        add_late(set, get, "which it takes its value from");
    }

    void check_before(const Place& place, PortId first, std::string_view why) {
        const Place& earlier = done_[first.value];
        if (earlier.op && earlier.number > place.number) add_late(place, earlier, why);
    }

    void add_late(const Place& place, const Place& earlier, std::string_view why) {
        add(*place.op,
            format("comes before {} ({}), {}", words_of(*earlier.op, system_),
                   places_.of(*earlier.op), why),
            "exchange the two, or iterate over both");
    }

    void add(const Op& op, const std::string& what, std::string hint) {
        violations_.push_back({format("{} ({}) {}", words_of(op, system_), places_.of(op), what),
                               std::move(hint),
                               {}});
    }

    void add(const std::string& what, std::string hint) {
        violations_.push_back(
            {format("{}: {}", places_.of_body(procedure_.body), what), std::move(hint), {}});
    }

    const System& system_;
    const EventExchange exchange_;
    const Procedure& procedure_;
    Places& places_;
    std::vector<Violation>& violations_;
    std::vector<std::optional<PortId>> source_; ///< by input
    std::vector<Place> done_;                   ///< by port
    std::vector<bool> updated_;                 ///< by unit
    std::size_t operations_ = 0;
    bool any_update_ = false;
};

} // namespace

std::vector<Violation> check_events(const System& system, const Algorithm& algorithm) {
    std::vector<Violation> violations;
    const auto mode = std::ranges::find_if(system.units, &scenario::SystemUnit::has_event_mode);
    if (algorithm.events.empty() && mode != system.units.end())
        violations.push_back({format("unit {} has event mode, but the algorithm has no event "
                                     "procedure",
                                     mode->name),
                              "say what is done at events",
                              {}});
    if (algorithm.events.empty()) return violations;
    Places places(algorithm);
    if (system.configurations.empty())
        EventCheck(system, algorithm.events.front(), places, violations).run();
    for (std::size_t c = 0; c < system.configurations.size(); ++c) {
        if (first_with_connections_of(system, c) != c) continue;
        const scenario::Configuration& configuration = system.configurations[c];
        if (const Procedure* const found = find_event_procedure(system, algorithm, c))
            EventCheck(in_configuration(system, configuration), *found, places, violations).run();
        else
            violations.push_back({format("configuration \"{}\" has no event procedure, though its "
                                         "connections are its own",
                                         configuration.name),
                                  "say what is done at events in it",
                                  {}});
    }
    return violations;
}

} // namespace rubato::algorithm::verification
