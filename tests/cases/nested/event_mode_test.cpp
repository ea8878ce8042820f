// SPDX-License-Identifier: Apache-2.0
// Events that all levels take part in, in the same instant (README.md).
#include "nested/levels.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace rubato::test {
namespace {

/// Counts up every `interval` seconds.
struct Ticker {
    double interval = 0.3;
    std::int32_t n = 0;
    static void declare(model::Declaration<Ticker>& model) {
        model.event_mode();
        model.parameter(&Ticker::interval, "interval", "", "");
        model.discrete(&Ticker::n, "n", "", "").given_out();
    }
    double next_event(double) const { return (n + 1) * interval; }
    void event(double time) {
        if (time >= (n + 1) * interval) ++n;
    }
};

/// y is what u was in the instant before. For the instant in which it changes, `pulse` is true.
struct Follower {
    std::int32_t u = 0, held = 0, y = 0;
    bool pulse = false;
    static void declare(model::Declaration<Follower>& model) {
        model.event_mode();
        model.input(&Follower::u, "u", "", "");
        model.discrete(&Follower::held, "held", "", "");
        model.discrete(&Follower::y, "y", "", "").given_out();
        model.discrete(&Follower::pulse, "pulse", "", "").given_out();
    }
    double next_event(double time) const {
        return pulse || y != held ? time : std::numeric_limits<double>::infinity();
    }
    void event() {
        pulse = y != held;
        y = held;
        held = u;
    }
};

/// How often `u` has become true.
struct EdgeCounter {
    bool u = false, before = false;
    std::int32_t edges = 0;
    static void declare(model::Declaration<EdgeCounter>& model) {
        model.event_mode();
        model.input(&EdgeCounter::u, "u", "", "");
        model.discrete(&EdgeCounter::before, "before", "", "");
        model.discrete(&EdgeCounter::edges, "edges", "", "").given_out();
    }
    void event() {
        edges += u && !before ? 1 : 0;
        before = u;
    }
};

Trajectories run_events(const std::string& text) {
    static const model::ModelType ticker = model::make_model_type<Ticker>("ticker");
    static const model::ModelType follower = model::make_model_type<Follower>("follower");
    static const model::ModelType counter = model::make_model_type<EdgeCounter>("edge-counter");
    return run_text(text, {}, [](auto&) {}, {&ticker, &follower, &counter}).trajectories;
}

constexpr const char* experiment = "experiment: {stop: 1, step: 0.25}\n";

/// A tick passes through three followers, one instant each; the last is integrated, and pulses of the
/// second are counted.
Trajectories flat() {
    return run_events(std::string(R"(rubato: 1
units:
  tick: {model: ticker}
  f1: {model: follower}
  f2: {model: follower}
  f3: {model: follower}
  edges: {model: edge-counter}
  w: {model: integrator}
connections: [tick.n -> f1.u, f1.y -> f2.u, f2.y -> f3.u, f2.pulse -> edges.u, f3.y -> w.u]
)") + experiment);
}

void expect_that_of_flat(const Trajectories& run, const std::string& integral,
                         const std::string& edges, const std::string& last) {
    EXPECT_NEAR(run.at(integral).back(), 0.3 * 1 + 0.3 * 2 + 0.1 * 3, 1e-12);
    EXPECT_EQ(run.at(edges).back(), 3);
    const Trajectories reference = flat();
    EXPECT_EQ(run.at("time"), reference.at("time"));
    EXPECT_EQ(run.at(integral), reference.at("w.y"));
    EXPECT_EQ(run.at(last), reference.at("f3.y"));
}

TEST(SharedEvents, InOneScenarioAreTheReference) {
    expect_that_of_flat(flat(), "w.y", "edges.edges", "f3.y");
}

TEST(SharedEvents, OfTheWholeReachInnerUnitsInTheSameInstant) {
    const Trajectories run = run_events(std::string(R"(rubato: 1
units:
  tick: {model: ticker}
  a:
    scenario:
      units: {f1: {model: follower}, f2: {model: follower}}
      connections: [f1.y -> f2.u]
      interface: {inputs: {u: f1.u}, outputs: {y: f2.y, pulse: f2.pulse}}
  f3: {model: follower}
  edges: {model: edge-counter}
  w: {model: integrator}
connections: [tick.n -> a.u, a.y -> f3.u, a.pulse -> edges.u, f3.y -> w.u]
)") + experiment);
    expect_that_of_flat(run, "w.y", "edges.edges", "f3.y");
}

TEST(SharedEvents, OfAnInnerUnitReachTheWholeInTheSameInstant) {
    for (const char* own : {"", "\n      experiment: {step: 0.07}"}) {
        SCOPED_TRACE(own);
        const Trajectories run = run_events(std::string(R"(rubato: 1
units:
  a:
    scenario:
      units: {tick: {model: ticker}, f1: {model: follower}, f2: {model: follower}}
      connections: [tick.n -> f1.u, f1.y -> f2.u]
      interface: {outputs: {y: f2.y, pulse: f2.pulse}})") +
                                            own + R"(
  f3: {model: follower}
  edges: {model: edge-counter}
  w: {model: integrator}
connections: [a.y -> f3.u, a.pulse -> edges.u, f3.y -> w.u]
)" + experiment);
        expect_that_of_flat(run, "w.y", "edges.edges", "f3.y");
    }
}

TEST(SharedEvents, GoBackAndForthBetweenThreeLevels) {
    const Trajectories run = run_events(std::string(R"(rubato: 1
units:
  a:
    scenario:
      units:
        f1: {model: follower}
        b:
          scenario:
            units: {tick: {model: ticker}, f2: {model: follower}, w: {model: integrator}}
            interface: {inputs: {u: f2.u, w: w.u}, outputs: {n: tick.n, y: f2.y, pulse: f2.pulse}}
            experiment: {step: 0.03}
        edges: {model: edge-counter}
      connections: [b.n -> f1.u, f1.y -> b.u, b.pulse -> edges.u]
      interface: {inputs: {w: b.w}, outputs: {y: b.y}}
      experiment: {step: 0.07}
  f3: {model: follower}
connections: [a.y -> f3.u, f3.y -> a.w]
)") + experiment);
    EXPECT_NEAR(run.at("a/b/w.y").back(), 0.3 * 1 + 0.3 * 2 + 0.1 * 3, 1e-12);
    EXPECT_EQ(run.at("a/edges.edges").back(), 3);
    EXPECT_THAT(run.at("time"), testing::Pointwise(testing::DoubleNear(1e-12), flat().at("time")));
}

TEST(SharedEvents, ThatConcernNobodyElseDoNotEndTheStepOfTheWhole) {
    const Trajectories run = run_events(std::string(R"(rubato: 1
units:
  a:
    scenario:
      units: {tick: {model: ticker}, f1: {model: follower}, f2: {model: follower}}
      connections: [tick.n -> f1.u]
      interface: {inputs: {u: f2.u}, outputs: {y: f2.y}}
connections: []
)") + experiment);
    EXPECT_EQ(run.at("a/f1.y").back(), 3);
    EXPECT_THAT(run.at("time"), testing::Not(testing::Contains(0.3)));
}

/// If a step may not end early, the whole has to know of the event before.
TEST(SharedEvents, AreAnnouncedByAScenarioWhoseStepsDoNotEndEarly) {
    const Trajectories run = run_events(std::string(R"(rubato: 1
units:
  a:
    can-reject-step: false
    scenario:
      units: {tick: {model: ticker}, f1: {model: follower}, f2: {model: follower}}
      connections: [tick.n -> f1.u, f1.y -> f2.u]
      interface: {outputs: {y: f2.y, pulse: f2.pulse}}
  f3: {model: follower}
  edges: {model: edge-counter}
  w: {model: integrator}
connections: [a.y -> f3.u, a.pulse -> edges.u, f3.y -> w.u]
)") + experiment);
    expect_that_of_flat(run, "w.y", "edges.edges", "f3.y");
}

TEST(SharedEvents, ThatDoNotEndNameWhatChanges) {
    const std::string text = std::string(R"(rubato: 1
units:
  tick: {model: ticker}
  a:
    scenario:
      units: {f1: {model: follower}, g: {model: follower}}
      interface: {inputs: {u: f1.u, v: g.u}, outputs: {y: f1.y, z: g.y}}
connections:
  - a.z -> a.u
  - a.y -> a.v: {offset: 1}
)") + experiment;
    try {
        (void)run_events(text);
        FAIL() << "it ends";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("does not end"));
        EXPECT_THAT(error.what(), testing::HasSubstr("a.v still change"));
    }
}

} // namespace
} // namespace rubato::test
