// SPDX-License-Identifier: Apache-2.0
#include "support/collecting_log.hpp"
#include "support/formula_unit.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/engine/simulation.hpp>
#include <rubato/synthesis/recipe.hpp>

#include <gmock/gmock.h>

#include <functional>
#include <limits>

namespace rubato::engine {
namespace {

using scenario::Causality;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// What a unit with event mode does: one discrete input, one discrete output.
struct Behaviour {
    double stops_at = std::numeric_limits<double>::infinity(); ///< by an event within a step
    std::function<std::int64_t(std::int64_t input)> output = [](std::int64_t input) {
        return input;
    };
    std::function<unit::EventUpdate(int updates)> update = [](int) { return unit::EventUpdate{}; };
    bool has_event_mode = true;
    std::function<void()> on_step = [] {};
};

/// A unit with event mode, that notes what is done with it.
class EventUnit final : public unit::Unit, private unit::EventMode {
public:
    EventUnit(std::string name, Behaviour behaviour)
        : EventUnit(std::move(name), std::move(behaviour),
                    std::make_unique<scenario::UnitDescription>(describe())) {}

    unit::Abilities abilities() noexcept override {
        unit::Abilities all = unit::Abilities::none();
        if (behaviour_.has_event_mode) all.event_mode = this;
        return all;
    }

    std::vector<std::string> calls;

private:
    EventUnit(std::string name, Behaviour behaviour,
              std::unique_ptr<scenario::UnitDescription> description)
        : Unit(std::move(name), *description), description_(std::move(description)),
          behaviour_(std::move(behaviour)) {}

    static scenario::UnitDescription describe() {
        scenario::UnitDescription result;
        result.capabilities.event_mode = true;
        for (const auto& [name, causality] :
             {std::pair("in", Causality::input), std::pair("out", Causality::output)}) {
            scenario::Variable variable;
            variable.name = name;
            variable.type = ValueType::int64;
            variable.causality = causality;
            variable.variability = scenario::Variability::discrete;
            variable.reference = static_cast<ValueRef>(result.variables.size());
            result.variables.push_back(variable);
        }
        return result;
    }

    void do_enter_initialization(const unit::Horizon&) override {}
    void do_exit_initialization() override {}
    void do_terminate() override {}
    void do_set(const Bulk& bulk) override {
        calls.push_back(format_call("set", bulk.integers()[0]));
        input_ = bulk.integers()[0];
    }
    void do_get(const Bulk& bulk) override { bulk.integers()[0] = behaviour_.output(input_); }
    unit::StepResult do_step(Time from, Duration by) override {
        calls.push_back("step");
        behaviour_.on_step();
        const Time event{behaviour_.stops_at};
        if (from < event && event < from + by) return {event, unit::StepEnd::event};
        return {from + by, unit::StepEnd::completed};
    }
    void enter() override {
        calls.push_back("enter");
        note_event_mode(true);
    }
    unit::EventUpdate update() override {
        calls.push_back("update");
        return behaviour_.update(updates_++);
    }
    void get_intervals(std::span<const ValueRef>, std::span<unit::ClockInterval>) override {}
    void get_shifts(std::span<const ValueRef>, std::span<Duration>) override {}
    void leave() override {
        calls.push_back("leave");
        note_event_mode(false);
    }

    static std::string format_call(const std::string& call, std::int64_t value) {
        return call + " " + std::to_string(value);
    }

    std::unique_ptr<scenario::UnitDescription> description_;
    Behaviour behaviour_;
    std::int64_t input_ = 0;
    int updates_ = 0;
};

/// Units in a ring, each feeding the next, or one on its own.
class Ring {
public:
    void add(const std::string& name, Behaviour behaviour) {
        const UnitId id = nth<UnitId>(units_.size());
        scenario::SystemUnit unit;
        unit.name = name;
        unit.has_event_mode = behaviour.has_event_mode;
        for (const auto direction : {scenario::Direction::input, scenario::Direction::output}) {
            const bool is_input = direction == scenario::Direction::input;
            scenario::Port port;
            port.unit = id;
            port.direction = direction;
            port.name = is_input ? "in" : "out";
            port.type = ValueType::int64;
            port.variable = port.reference = is_input ? 0 : 1;
            if (!is_input) port.feedthrough = port.feedthrough_initial = unit.inputs;
            (is_input ? unit.inputs : unit.outputs).push_back(nth<PortId>(system_.ports.size()));
            system_.ports.push_back(port);
        }
        system_.units.push_back(unit);
        auto made = std::make_unique<EventUnit>(name, std::move(behaviour));
        made_.push_back(made.get());
        units_.push_back(std::move(made));
    }
    void close() {
        const std::size_t count = made_.size();
        for (std::size_t u = 0; u < count; ++u) {
            system_.event_links.push_back(
                {system_.units[u].outputs[0], system_.units[(u + 1) % count].inputs[0]});
        }
    }
    /// The output of the first unit feeds the input of the second, and a change of it is an event.
    void watch_first() {
        const PortId output = system_.units[0].outputs[0];
        system_.event_links = {{output, system_.units[1].inputs[0]}};
        system_.watched.push_back({output, {}});
    }
    Summary run(double stop = 1) {
        Diagnostics diagnostics;
        const synthesis::Orchestration orchestration =
            synthesis::orchestrate(system_, {}, diagnostics);
        scenario::Experiment experiment;
        experiment.stop = stop;
        experiment.step = 1;
        Simulation simulation(orchestration.system, orchestration.algorithm, std::move(units_),
                              experiment, silent_log());
        Summary summary = simulation.run({});
        for (const EventUnit* unit : made_) calls.push_back(unit->calls);
        return summary;
    }

    std::vector<std::vector<std::string>> calls; ///< by unit, after the run

private:
    scenario::System system_;
    std::vector<std::unique_ptr<unit::Unit>> units_;
    std::vector<EventUnit*> made_;
};

unit::EventUpdate announcing(double time) {
    unit::EventUpdate update;
    update.next_event = Time{time};
    return update;
}

TEST(Events, AnAnnouncedEventEndsAStep) {
    Ring ring;
    ring.add("a", {.update = [](int n) { return n == 0 ? announcing(0.5) : unit::EventUpdate{}; }});
    const Summary summary = ring.run();
    EXPECT_EQ(summary.steps, 2);
    EXPECT_EQ(summary.events, 2); // the first at the start
    EXPECT_THAT(ring.calls[0], ::testing::ElementsAre("update", "leave", "step", "enter", "update",
                                                      "leave", "step"));
}

TEST(Events, AUnitOnItsOwnNeedNotGoBackToStopAtAnEvent) {
    Ring ring;
    ring.add("a", {.stops_at = 0.3});
    const Summary summary = ring.run();
    EXPECT_EQ(summary.steps, 2);
    EXPECT_THAT(ring.calls[0], ::testing::ElementsAre("update", "leave", "step", "enter", "update",
                                                      "leave", "step"));
}

TEST(Events, AllUnitsWithEventModeEnterItTogether) {
    Ring ring;
    ring.add("a", {.update = [](int n) { return n == 0 ? announcing(0.5) : unit::EventUpdate{}; }});
    ring.add("b", {});
    ring.run();
    EXPECT_EQ(ring.calls[0], ring.calls[1]);
}

TEST(Events, AUnitIsUpdatedUntilItNeedsNoMore) {
    Ring ring;
    ring.add("a", {.update = [](int n) { return unit::EventUpdate{.again = n < 3}; }});
    ring.run();
    EXPECT_EQ(std::ranges::count(ring.calls[0], "update"), 4);
}

TEST(Events, ValuesPropagateToAFixedPoint) {
    Ring ring;
    const auto count_to_five = [](std::int64_t input) {
        return std::min<std::int64_t>(input + 1, 5);
    };
    ring.add("a", {.output = count_to_five});
    ring.add("b", {.output = count_to_five});
    ring.close();
    ring.run();
    EXPECT_THAT(ring.calls[0], ::testing::Contains("set 5"));
    EXPECT_THAT(ring.calls[1], ::testing::Contains("set 5"));
}

TEST(Events, ValuesThatNeverSettleAreNamed) {
    Ring ring;
    const auto count = [](std::int64_t input) { return input + 1; };
    ring.add("a", {.output = count});
    ring.add("b", {.output = count});
    ring.close();
    EXPECT_THAT([&] { ring.run(); },
                ThrowsMessage<Error>(::testing::AllOf(HasSubstr("does not settle"),
                                                      HasSubstr("a.in"), HasSubstr("b.in"))));
}

TEST(Events, AUnitThatNeverStopsUpdatingIsNamed) {
    Ring ring;
    ring.add("a", {});
    ring.add("restless", {.update = [](int) { return unit::EventUpdate{.again = true}; }});
    EXPECT_THAT([&] { ring.run(); },
                ThrowsMessage<Error>(HasSubstr("unit \"restless\" needs another instant")));
}

TEST(Events, TimeThatDoesNotGoOnIsReported) {
    Ring ring;
    ring.add("zeno", {.update = [](int) { return announcing(0); }});
    EXPECT_THAT([&] { ring.run(); },
                ThrowsMessage<Error>(::testing::AllOf(HasSubstr("time does not go on at t = 0 s"),
                                                      HasSubstr("zeno"))));
}

TEST(Events, AnEventThatIsFoundIsHandledOnceTogetherWithUnitsThatHaveEventMode) {
    Ring ring;
    std::int64_t steps = 0;
    ring.add("plain", {.output = [&](std::int64_t) { return steps; },
                       .has_event_mode = false,
                       .on_step = [&] { ++steps; }});
    ring.add("b", {});
    ring.watch_first();
    const Summary summary = ring.run(2);
    EXPECT_EQ(summary.found_events, 2u);
    EXPECT_EQ(summary.events, 3u); // with the one at the start
    EXPECT_THAT(ring.calls[1], ::testing::ElementsAre("set 0", "update", "leave", "step", "enter",
                                                      "set 1", "update", "leave", "step", "enter",
                                                      "set 2", "update", "leave"));
}

TEST(Events, AUnitMayAskForTheEnd) {
    Ring ring;
    ring.add("a", {.update = [](int n) {
                 auto update = announcing(0.5);
                 update.terminate = n == 1;
                 return update;
             }});
    const Summary summary = ring.run(3);
    EXPECT_EQ(summary.end, RunEnd::terminated);
    EXPECT_EQ(summary.ended_by, "a");
    EXPECT_EQ(summary.reached, Time{0.5});
}

} // namespace
} // namespace rubato::engine
