// SPDX-License-Identifier: Apache-2.0
#include "mutation.hpp"
#include "support/random_system.hpp"
#include "support/system_builder.hpp"

#include <rubato/algorithm/event_procedures.hpp>
#include <rubato/algorithm/text.hpp>
#include <rubato/algorithm/verify.hpp>
#include <rubato/algorithm/written.hpp>
#include <rubato/scenario/yaml.hpp>
#include <rubato/synthesis/synthesize.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace rubato::test {
namespace {

using algorithm::Algorithm;
using algorithm::Body;
using scenario::Direction;
using scenario::Port;
using scenario::System;

PortId add_clock(System& system, UnitId unit, Direction direction, bool is_timed) {
    const PortId id = nth<PortId>(system.ports.size());
    Port clock;
    clock.unit = unit;
    clock.direction = direction;
    clock.name = "c" + std::to_string(id.value);
    clock.type = ValueType::clock;
    clock.is_timed = is_timed;
    system.ports.push_back(clock);
    system.units[unit.value].clocks.push_back(id);
    return id;
}

/// Gives a unit event mode, clocks, and ports that are clocked. Inputs that an output clock clocks
/// do not make clocks tick.
void add_event_mode(System& system, UnitId id, RandomSource& random) {
    scenario::SystemUnit& unit = system.units[id.value];
    unit.has_event_mode = true;
    std::vector<PortId> inputs, outputs;
    for (int n = random.between(0, 2); n > 0; --n)
        inputs.push_back(add_clock(system, id, Direction::input, random.chance(0.5)));
    for (int n = random.between(0, 2); n > 0; --n)
        outputs.push_back(add_clock(system, id, Direction::output, false));
    for (const PortId port : unit.inputs)
        if (!inputs.empty() && random.chance(0.3))
            system.port(port).clocks = {random.one_of(inputs)};
    for (const PortId port : unit.inputs)
        if (!outputs.empty() && random.chance(0.1)) system.port(port).clocks = outputs;
    for (const PortId port : unit.outputs)
        if (random.chance(0.3)) system.port(port).clocks = random.chance(0.5) ? inputs : outputs;
    for (const PortId clock : outputs) {
        for (const PortId input : unit.inputs)
            if (system.port(input).clocks != outputs && random.chance(0.5))
                system.port(clock).feedthrough.push_back(input);
        for (const PortId input : inputs) system.port(clock).feedthrough.push_back(input);
        if (!inputs.empty() && random.chance(0.5)) system.port(clock).clocks = inputs;
    }
}

System random_event_system(RandomSource& random) {
    System system = random_system(random, Contracts::undeclared);
    for (std::size_t u = 0; u < system.units.size(); ++u)
        if (u == 0 || random.chance(0.6)) add_event_mode(system, nth<UnitId>(u), random);
    std::erase_if(system.links, [&](const scenario::Link& link) {
        const bool moves =
            system.unit(system.port(link.to).unit).has_event_mode && random.chance(0.5);
        if (moves) system.event_links.push_back(link);
        return moves;
    });
    std::vector<PortId> sources;
    for (std::size_t p = 0; p < system.ports.size(); ++p)
        if (system.ports[p].is_clock() && system.ports[p].direction == Direction::output)
            sources.push_back(nth<PortId>(p));
    for (std::size_t p = 0; p < system.ports.size() && !sources.empty(); ++p) {
        const Port& port = system.ports[p];
        const bool can_follow =
            port.is_clock() && port.direction == Direction::input && !port.is_timed;
        if (can_follow && random.chance(0.8))
            system.clock_links.push_back({random.one_of(sources), nth<PortId>(p)});
    }
    return system;
}

/// Executes one instant over numbers: an output is a contraction of the inputs that feed through to
/// it, and of the input clocks of its unit that tick.
class Instant {
public:
    explicit Instant(const System& system, std::uint64_t due)
        : system_(system), due_(due), value_(system.ports.size()), source_(system.ports.size()) {
        const algorithm::EventExchange exchange(system);
        for (const scenario::Link& link : exchange.links) source_[link.to.value] = link.from;
        for (std::size_t p = 0; p < exchange.takes_part.size(); ++p)
            if (exchange.takes_part[p]) all_.push_back(nth<PortId>(p));
    }

    /// Every operation again and again, in any order: what there is to come to.
    std::vector<double> solution() {
        for (std::size_t n = 0; n < 40 * (all_.size() + 1); ++n)
            for (const PortId port : all_) exchange(port);
        return std::move(value_);
    }

    std::vector<double> execute(const Body& body) {
        run(body);
        return std::move(value_);
    }

private:
    void run(const Body& body) {
        for (const algorithm::Op& op : body) {
            if (const auto* get = std::get_if<algorithm::Get>(&op)) exchange(get->port);
            if (const auto* set = std::get_if<algorithm::Set>(&op)) exchange(set->port);
            if (const auto* loop = std::get_if<algorithm::FixedPoint>(&op)) repeat(*loop);
        }
    }

    void repeat(const algorithm::FixedPoint& loop) {
        for (bool changed = true; changed;) {
            const std::vector<double> before = value_;
            run(loop.iterate);
            changed = std::ranges::any_of(loop.ports, [&](PortId port) {
                return std::abs(value_[port.value] - before[port.value]) > 1e-13;
            });
        }
    }

    bool ticks(PortId clock) const { return value_[clock.value] != 0; }

    void exchange(PortId id) {
        const Port& port = system_.port(id);
        const bool is_open = port.clocks.empty() ||
                             std::ranges::any_of(port.clocks, [&](PortId c) { return ticks(c); });
        if (!is_open) return;
        double& value = value_[id.value];
        if (port.direction == Direction::input) {
            const bool is_due = port.is_timed && (due_ >> (id.value % 64) & 1) != 0;
            value = source_[id.value] ? value_[source_[id.value]->value] : is_due ? 1 : 0;
        } else if (port.is_clock()) {
            if (std::ranges::any_of(port.feedthrough, [&](PortId cause) {
                    return system_.port(cause).is_clock() ? ticks(cause)
                                                          : value_[cause.value] > 1.1;
                }))
                value = 1;
        } else {
            value = 1 + 0.01 * id.value;
            for (const auto* inputs : {&port.feedthrough, &port.feedthrough_initial})
                for (const PortId input : *inputs) value += 0.02 * value_[input.value];
            for (const PortId clock : system_.unit(port.unit).clocks)
                if (system_.port(clock).direction == Direction::input && ticks(clock)) value += 0.5;
        }
    }

    const System& system_;
    std::uint64_t due_; ///< which timed clocks are
    std::vector<double> value_;
    std::vector<std::optional<PortId>> source_;
    std::vector<PortId> all_;
};

bool comes_to_the_solution(const System& system, const Body& body, RandomSource& random) {
    for (int n = 0; n < 6; ++n) {
        const std::uint64_t due = random.below(std::size_t{1} << 30) * 0x100000001ULL;
        const std::vector<double> wanted = Instant(system, due).solution();
        const std::vector<double> found = Instant(system, due).execute(body);
        for (std::size_t p = 0; p < wanted.size(); ++p)
            if (!(std::abs(wanted[p] - found[p]) < 1e-9)) return false;
    }
    return true;
}

Algorithm orchestrated(const System& system) { return synthesis::synthesize(system, {}).algorithm; }

std::string faults(const System& system, const Algorithm& algorithm) {
    std::string text;
    for (const auto& violation : algorithm::verify(system, algorithm).violations)
        text += violation.message + "\n";
    return text;
}

template <class Check>
void for_random_event_systems(std::size_t count, Check&& check) {
    for (std::size_t seed = 1; seed <= count; ++seed) {
        RandomSource random(seed);
        const System system = random_event_system(random);
        SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + describe(system));
        check(system, random);
        if (testing::Test::HasFailure()) return;
    }
}

TEST(EventProcedures, WhatIsSynthesizedVerifiesAndComesToTheSolution) {
    for_random_event_systems(300, [](const System& system, RandomSource& random) {
        const Algorithm algorithm = orchestrated(system);
        ASSERT_EQ(algorithm.events.size(), 1u);
        EXPECT_EQ(faults(system, algorithm), "") << to_text(algorithm, system);
        EXPECT_TRUE(comes_to_the_solution(system, algorithm.events[0].body, random))
            << to_text(algorithm, system);
    });
}

TEST(EventProcedures, WhatVerifiesComesToTheSolutionAndMistakesAreFound) {
    int mistakes = 0, found = 0, harmful = 0;
    for_random_event_systems(150, [&](const System& system, RandomSource& random) {
        Algorithm algorithm = orchestrated(system);
        const Algorithm in_steps{{}, algorithm.events, {}}; // where mutations look
        for (const Mutation mutation :
             {Mutation::drop, Mutation::swap, Mutation::duplicate, Mutation::drop_from_loop}) {
            const auto mutant = mutate(system, in_steps, mutation, random);
            if (!mutant || mutant->steps.empty()) continue;
            ++mistakes;
            algorithm.events = mutant->steps;
            const bool is_right = comes_to_the_solution(system, algorithm.events[0].body, random);
            harmful += is_right ? 0 : 1;
            const std::string said = faults(system, algorithm);
            found += said.empty() ? 0 : 1;
            EXPECT_TRUE(!said.empty() || is_right) << to_string(mutation) << "\n"
                                                   << to_text(algorithm, system);
        }
    });
    EXPECT_GT(harmful, mistakes / 4);
    EXPECT_GE(found, harmful);
}

/// A supervisor whose clock ticks a controller, which feeds a plant in a circle of reals.
System clocked_loop() {
    System system = SystemBuilder()
                        .unit("s")
                        .output("v")
                        .unit("c")
                        .input("v")
                        .input("y")
                        .output("u", {"v", "y"})
                        .unit("p")
                        .input("u")
                        .output("y", {"u"})
                        .link("p.y", "c.y")
                        .link("c.u", "p.u")
                        .build();
    const PortId tick = add_clock(system, UnitId{0}, Direction::output, false);
    const PortId tock = add_clock(system, UnitId{1}, Direction::input, false);
    system.units[0].has_event_mode = system.units[1].has_event_mode = true;
    system.ports[tick.value].name = "tick";
    system.ports[tock.value].name = "tock";
    system.ports[0].clocks = {tick};
    system.ports[1].clocks = {tock};
    system.event_links = {{PortId{0}, PortId{1}}};
    system.clock_links = {{tick, tock}};
    return system;
}

TEST(EventProcedures, AreWrittenForPeople) {
    const System system = clocked_loop();
    const std::string text = to_text(orchestrated(system), system);
    EXPECT_EQ(text.substr(text.find("at events")), R"(at events, each instant:
  get clock s.tick
  get s.v
  set clock c.tock
  set c.v
  repeat until c.u, p.y change by at most 1e-09 + 1e-06·|value| (at most 50 times, then stop):
    set c.y
    get c.u
    set p.u
    get p.y
  update s, c
)");
}

TEST(EventProcedures, AreWrittenAndReadBack) {
    const System system = clocked_loop();
    const Algorithm algorithm = orchestrated(system);
    scenario::Scenario written;
    written.name = "clocked";
    for (const char* name : {"s", "c", "p"}) written.units.emplace_back().name = name;
    written.written = write_algorithm(algorithm, system);
    Diagnostics diagnostics;
    const scenario::Scenario read =
        scenario::parse_yaml(scenario::write_yaml(written), "clocked.yaml", diagnostics);
    ASSERT_FALSE(diagnostics.has_errors()) << scenario::write_yaml(written);
    const Algorithm again = algorithm::resolve_algorithm(read, system, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors());
    EXPECT_EQ(to_text(again, system), to_text(algorithm, system));
    EXPECT_EQ(again.events[0].name, algorithm.events[0].name);
}

TEST(EventProcedures, AnEventProcedureThatIsMissingIsNamed) {
    const System system = clocked_loop();
    Algorithm algorithm = orchestrated(system);
    algorithm.events.clear();
    EXPECT_THAT(faults(system, algorithm),
                ::testing::HasSubstr("unit s has event mode, but the algorithm has no event"));
}

} // namespace
} // namespace rubato::test
