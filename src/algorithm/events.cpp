// SPDX-License-Identifier: Apache-2.0
#include <rubato/algorithm/events.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace rubato::algorithm {

namespace {

using scenario::Clocks;
using scenario::ClockType;
using scenario::EventOp;
using scenario::EventOperation;
using scenario::EventStrategy;
using scenario::UnitClocks;

std::string full(const std::string& unit, const std::string& name) { return unit + "." + name; }

/// An operation without its place.
struct Action {
    EventOperation operation = EventOperation::get;
    std::string object;
    friend bool operator<(const Action& a, const Action& b) {
        return std::tie(a.operation, a.object) < std::tie(b.operation, b.object);
    }
};

std::string text(const Action& action) {
    return format("{} {}", to_string(action.operation), action.object);
}

class StrategyCheck {
public:
    StrategyCheck(const scenario::Scenario& scenario, const EventStrategy& strategy,
                  std::vector<Violation>& violations)
        : scenario_(scenario), clocks_(*scenario.clocks), strategy_(strategy),
          violations_(violations), active_(strategy.clocks.begin(), strategy.clocks.end()) {}

    void run() {
        check_entrance();
        place_operations();
        for (const UnitClocks& unit : clocks_.units) {
            check_clocks(unit);
            check_ports(unit);
        }
        check_connections();
    }

private:
    // -- which clocks tick -----------------------------------------------------------------------

    bool is_active(const std::string& clock) const { return active_.contains(clock); }

    void check_entrance() {
        if (active_.empty()) add("no clock ticks", "name the clocks it is for", 0);
        for (const scenario::ClockConnection& connection : clocks_.connections) {
            const std::string from = full(connection.from_unit, connection.from_clock);
            const std::string to = full(connection.to_unit, connection.to_clock);
            if (is_active(from) != is_active(to)) {
                add_apart(is_active(from) ? from : to, is_active(from) ? to : from,
                          "is connected to it");
            }
        }
        check_timed_clocks();
    }

    void check_timed_clocks() {
        std::map<int, std::string> ticking, resting; // one of each interval
        for (const UnitClocks& unit : clocks_.units) {
            for (const scenario::InputClock& clock : unit.inputs) {
                if (clock.type != ClockType::timed) continue;
                const std::string name = full(unit.unit, clock.name);
                (is_active(name) ? ticking : resting).emplace(clock.interval, name);
            }
        }
        for (const auto& [interval, clock] : ticking) {
            const auto other = resting.find(interval);
            if (other != resting.end()) add_apart(clock, other->second, "has the same interval");
        }
    }

    void add_apart(const std::string& ticks, const std::string& rests, std::string_view why) {
        add(format("{} ticks, but {} does not, which {}", ticks, rests, why),
            format("add {} to the clocks of the event, or remove {}", rests, ticks), 0);
    }

    // -- what is done once -----------------------------------------------------------------------

    void place_operations() {
        for (std::size_t i = 0; i < strategy_.iterate.size(); ++i) {
            const EventOp& op = strategy_.iterate[i];
            const Action action{op.operation, op.object};
            if (places_.emplace(action, i).second) continue;
            add(format("{} is done twice", text(action)), "remove one of them", i + 1);
        }
    }

    /// What a clock's handling is: an input clock is set, an output clock is got.
    static Action handling(const UnitClocks& unit, const std::string& clock) {
        const bool is_output =
            std::ranges::find(unit.outputs, clock, &scenario::OutputClock::name) !=
            unit.outputs.end();
        return {is_output ? EventOperation::get_clock : EventOperation::set_clock,
                full(unit.unit, clock)};
    }

    void check_handled(const UnitClocks& unit, const std::string& clock) {
        const Action action = handling(unit, clock);
        if (is_active(action.object) && !is_done(action)) {
            add(format("{} ticks, but {} is missing", action.object, text(action)), "add it",
                strategy_.iterate.size());
        } else if (!is_active(action.object) && is_done(action)) {
            add(format("{} concerns a clock that does not tick", text(action)),
                format("add {} to the clocks of the event, or remove the operation", action.object),
                places_.at(action) + 1);
        }
    }

    void check_clocks(const UnitClocks& unit) {
        for (const scenario::InputClock& clock : unit.inputs) check_handled(unit, clock.name);
        for (const scenario::OutputClock& clock : unit.outputs) {
            check_handled(unit, clock.name);
            for (const std::string& dependency : clock.dependencies_clocks) {
                if (!is_active(full(unit.unit, dependency))) continue;
                check_order(handling(unit, dependency), handling(unit, clock.name),
                            "which depends on it");
            }
        }
    }

    // -- clocked ports ---------------------------------------------------------------------------

    bool is_input(const std::string& unit, const std::string& port) const {
        const auto found = std::ranges::find(scenario_.units, unit, &scenario::Unit::name);
        return found != scenario_.units.end() &&
               std::ranges::find(found->inputs, port, &scenario::InputSettings::name) !=
                   found->inputs.end();
    }

    bool is_connected(const std::string& unit, const std::string& port) const {
        return std::ranges::any_of(scenario_.connections, [&](const scenario::Connection& c) {
            return (c.from_unit == unit && c.from_port == port) ||
                   (c.to_unit == unit && c.to_port == port);
        });
    }

    void check_ports(const UnitClocks& unit) {
        for (const scenario::ClockedPort& port : unit.ports) {
            const bool input = is_input(unit.unit, port.port);
            const Action exchange{input ? EventOperation::set : EventOperation::get,
                                  full(unit.unit, port.port)};
            bool ticks = false;
            for (const std::string& clock : port.clocks) {
                if (!is_active(full(unit.unit, clock))) continue;
                ticks = true;
                const Action handle = handling(unit, clock);
                if (input) check_order(handle, exchange, "which that clock clocks");
                if (!input) check_order(exchange, handle, "which clocks it");
            }
            if (ticks && !is_done(exchange) && is_connected(unit.unit, port.port)) {
                add(format("a clock of {} ticks, but {} is missing", exchange.object,
                           text(exchange)),
                    "add it", strategy_.iterate.size());
            } else if (!ticks && is_done(exchange)) {
                add(format("{} concerns a port none of whose clocks ticks", text(exchange)),
                    "remove it", places_.at(exchange) + 1);
            }
        }
    }

    // -- connections -----------------------------------------------------------------------------

    void check_connections() {
        for (const scenario::Connection& c : scenario_.connections) {
            require_before({EventOperation::get, full(c.from_unit, c.from_port)},
                           {EventOperation::set, full(c.to_unit, c.to_port)},
                           "which takes its value");
        }
        for (const scenario::ClockConnection& c : clocks_.connections) {
            check_order({EventOperation::get_clock, full(c.from_unit, c.from_clock)},
                        {EventOperation::set_clock, full(c.to_unit, c.to_clock)},
                        "which ticks with it");
        }
    }

    bool is_done(const Action& action) const { return places_.contains(action); }

    /// If both are done, `first` comes first.
    void check_order(const Action& first, const Action& second, std::string_view why) {
        if (is_done(first)) require_before(first, second, why);
    }

    /// If `second` is done, `first` has been done before.
    void require_before(const Action& first, const Action& second, std::string_view why) {
        const auto later = places_.find(second);
        if (later == places_.end()) return;
        const auto earlier = places_.find(first);
        if (earlier != places_.end() && earlier->second < later->second) return;
        add(format("{} is not done before {}, {}", text(first), text(second), why),
            format("put {} before it", text(first)), later->second + 1);
    }

    /// `length`: so many operations lead to what is wrong.
    void add(const std::string& message, std::string hint, std::size_t length) {
        std::vector<std::string> trace;
        for (std::size_t i = 0; i < length; ++i) {
            const EventOp& op = strategy_.iterate[i];
            trace.push_back(text({op.operation, op.object}));
        }
        violations_.push_back({format("event \"{}\": {}", strategy_.name, message), std::move(hint),
                               std::move(trace)});
    }

    const scenario::Scenario& scenario_;
    const Clocks& clocks_;
    const EventStrategy& strategy_;
    std::vector<Violation>& violations_;
    std::set<std::string> active_;
    std::map<Action, std::size_t> places_; ///< of the first occurrence
};

} // namespace

std::vector<Violation> verify_events(const scenario::Scenario& scenario) {
    std::vector<Violation> violations;
    if (!scenario.clocks) return violations;
    for (const EventStrategy& strategy : scenario.clocks->strategies) {
        StrategyCheck(scenario, strategy, violations).run();
    }
    return violations;
}

} // namespace rubato::algorithm
