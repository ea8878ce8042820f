// SPDX-License-Identifier: Apache-2.0
#include "essence.hpp"
#include "support.hpp"

#include <rubato/scenario/words.hpp>

#include <cmath>
#include <cstdint>
#include <random>

namespace rubato::scenario::testing {
namespace {

void expect_round_trip(const Scenario& scenario) {
    const std::string text = write_yaml(scenario);
    const Parsed parsed = parse(text);
    EXPECT_EQ(parsed.said(), "") << text;
    EXPECT_EQ(essence(parsed.scenario), essence(scenario)) << text;
    EXPECT_EQ(write_yaml(parsed.scenario), text);
}

Scenario small() {
    Scenario scenario;
    scenario.name = "small";
    Unit& unit = scenario.units.emplace_back();
    unit.name = "a";
    unit.origin = NativeModel{"m"};
    return scenario;
}

TEST(Writer, TablesReadBack) {
    Scenario scenario = small();
    scenario.units[0].origin = TableFile{"in put.csv", {{"u", ColumnKind::discrete, {}}}};
    expect_round_trip(scenario);
}

TEST(Writer, SubStepsAndWhatOrdersAreChosenByReadBack) {
    Scenario scenario = small();
    Unit& unit = scenario.units[0];
    unit.sub_steps = 10;
    unit.step = 0.25;
    unit.outputs = {{.name = "y", .approximation = Approximation::quadratic}};
    unit.energy = {"kinetic", "potential"};
    unit.losses = {{"Fd", "x", {}}, {"Fdc", "xc", {}}};
    unit.inputs = {{.name = "u",
                    .approximation = Approximation::linear,
                    .join = Join::continuous,
                    .error_gain = 0.5,
                    .error_weight = -2}};
    scenario.algorithm.recipe = Recipe::adaptive_gauss_seidel;
    scenario.algorithm.order_estimator = OrderEstimator::power;
    scenario.algorithm.order_waiting = 0;
    scenario.algorithm.order_cool_down = 3;
    scenario.algorithm.order_window = 5;
    scenario.algorithm.order_inverted = true;
    expect_round_trip(scenario);
}

TEST(Writer, ConversionsAndVariabilityReadBack) {
    Scenario scenario = small();
    scenario.units[0].inputs = {{.name = "u", .variability = Variability::continuous}};
    scenario.units[0].outputs = {{.name = "y", .variability = Variability::discrete}};
    for (const Word<TypeConversion>& word : words<TypeConversion>()) {
        Connection& connection = scenario.connections.emplace_back();
        connection = {"a", "y", "b", std::string(word.text), 2, -1, {}};
        connection.to_type = word.value;
        if (word.value == TypeConversion::threshold) connection.threshold = 0.25;
    }
    scenario.connections.emplace_back(
        Connection{"a", "y", "c", "u", 1, 0, {}, true, TypeConversion::round});
    expect_round_trip(scenario);
}

TEST(Writer, StepLimitsReadBack) {
    Scenario scenario = small();
    scenario.step_limits.changes = {{"a.y", "b.y", 0.5, {}, {}}, {"a.y", {}, {}, 0.25, {}}};
    scenario.step_limits.sampling = {{0.25, {}, {}}, {0.5, 0.125, {}}};
    expect_round_trip(scenario);
}

TEST(Writer, WritesWhatAnAuthorWouldWrite) {
    Scenario scenario = small();
    scenario.units[0].parameters = {{"c", 1.0, {}}, {"n", std::int64_t{2}, {}}};
    scenario.units[0].inputs = {{"u", Approximation::linear, {}, Reactivity::delayed, {}}};
    scenario.connections.push_back({"a", "y", "b", "u", 2, 0, {}});
    EXPECT_EQ(write_yaml(scenario), R"(rubato: 1
name: small
units:
  a:
    model: m
    parameters:
      c: 1.0
      n: 2
    inputs:
      u: {approximation: linear, contract: delayed}
connections:
  - a.y -> b.u: {factor: 2.0}
experiment:
  start: 0.0
  stop: 1.0
  step: 0.01
  after-partial-step: return-to-grid
step-control:
  controller: fixed
  tolerance: 0.001
  safety: 0.9
  growth: 2.0
  shrinking: 0.2
  change: 0.1
  divergence-weight: 0.001
  at-minimum: stop
algorithm:
  recipe: synthesized
  order: []
  reduction: minimum
  guess: []
  absolute-tolerance: 1e-09
  relative-tolerance: 1e-06
  iteration-limit: 50
  at-limit: stop
  threads: 1
loops:
  method: automatic
  relaxation: 0.5
  reuse: 4
events:
  locate: automatic
  search: secant
  crossings: []
  limit: 100
record:
  variables: []
  every: 1
  bonds: false
  intermediate: 0
)");
}

TEST(Writer, KeepsTheKindOfValues) {
    Scenario scenario = small();
    scenario.units[0].parameters = {{"real", 1.0, {}},
                                    {"huge", 1e300, {}},
                                    {"tiny", -4.9e-324, {}},
                                    {"integer", INT64_MIN, {}},
                                    {"flag", true, {}},
                                    {"number", std::string("1"), {}},
                                    {"word", std::string("true"), {}},
                                    {"empty", std::string(), {}}};
    expect_round_trip(scenario);
}

TEST(Writer, KeepsStrangeTexts) {
    Scenario scenario = small();
    scenario.name = "a: b # c";
    for (const std::string text :
         {"null",        "~",           "1",     "a b",   "x: y", "- z",   "\"q\"",
          "back\\slash", "line\nbreak", "tab\t", "Größe", "{}",   "[1,2]", "der(x)",
          "*a",          "&a",          "#",     "'",     "@",    "yes",   "\x01\x7f"}) {
        scenario.units[0].parameters.push_back({"key " + text, text, {}});
        scenario.units[0].start.push_back({text, 1.0, {}});
        scenario.units[0].outputs.push_back({text, std::vector{text}, std::nullopt, {}});
        scenario.connections.push_back({"a", text + "x", "b", "y" + text + "y", 1, 0.5, {}});
        scenario.recording.variables.push_back(text);
    }
    expect_round_trip(scenario);
}

TEST(Writer, TellsAnEmptyListFromNone) {
    Scenario scenario = small();
    scenario.units[0].outputs = {{"y", std::vector<std::string>{}, std::nullopt, {}},
                                 {"z", std::nullopt, std::vector<std::string>{}, {}},
                                 {"w", std::nullopt, std::nullopt, {}}};
    expect_round_trip(scenario);
}

/// Makes scenarios up.
class Generator {
public:
    explicit Generator(unsigned seed) : random_(seed) {}

    Scenario scenario() {
        Scenario result;
        result.name = text();
        std::erase(result.name, '/');
        const std::size_t units = 1 + below(4);
        for (std::size_t u = 0; u < units; ++u)
            result.units.push_back(unit("u" + std::to_string(u)));
        for (std::size_t c = below(5); c > 0; --c) {
            result.connections.push_back({"u0", text(), "u1", text(), number(), number(), {}});
        }
        result.experiment = {.start = number(),
                             .stop = number(),
                             .step = number(),
                             .minimum_step = maybe(number()),
                             .maximum_step = maybe(number()),
                             .tolerance = maybe(number()),
                             .after_partial_step = static_cast<AfterPartialStep>(below(2))};
        if (below(2) == 0) {
            result.experiment.step = Experiment{}.step; // it is not written
            result.experiment.step_output = "u0.y";
        }
        result.algorithm = {static_cast<Recipe>(below(8)),
                            texts(),
                            static_cast<Reduction>(below(2)),
                            texts(),
                            maybe(static_cast<int>(below(9))),
                            number(),
                            number(),
                            static_cast<int>(below(99)),
                            static_cast<AtLimit>(below(2)),
                            {}};
        result.step_control = {.controller = static_cast<StepController>(below(5)),
                               .tolerance = number(),
                               .minimum = maybe(number()),
                               .maximum = maybe(number())};
        result.loops = {.method = static_cast<LoopMethod>(below(6)),
                        .relaxation = number(),
                        .reuse = static_cast<int>(below(9))};
        result.events = {.locate = static_cast<Locate>(below(3)),
                         .search = static_cast<Search>(below(2)),
                         .tolerance = maybe(number()),
                         .crossings = texts(),
                         .limit = static_cast<int>(below(99))};
        result.recording = {texts(),
                            static_cast<int>(below(9)),
                            maybe(number()),
                            below(2) == 1,
                            static_cast<int>(below(9)),
                            maybe(text()),
                            {}};
        return result;
    }

private:
    std::size_t below(std::size_t limit) { return random_() % limit; }

    template <class T>
    std::optional<T> maybe(T value) {
        return below(2) == 0 ? std::nullopt : std::optional(std::move(value));
    }

    double number() {
        std::uniform_real_distribution<double> mantissa(-10, 10);
        std::uniform_int_distribution<int> exponent(-300, 300);
        return below(3) == 0 ? static_cast<double>(below(10))
                             : std::ldexp(mantissa(random_), exponent(random_));
    }

    std::string text() {
        static constexpr std::string_view letters = "abcXYZ019_.-()[],:;#'\"\\ {}*&!?|%@~+\t\n/";
        std::string result;
        for (std::size_t n = below(8); n > 0; --n) result += letters[below(letters.size())];
        return "t" + result + "t";
    }

    std::vector<std::string> texts() {
        std::vector<std::string> result;
        for (std::size_t n = below(4); n > 0; --n) result.push_back(text());
        return result;
    }

    Value value() {
        switch (below(4)) {
        case 0: return number();
        case 1: return static_cast<std::int64_t>(random_());
        case 2: return below(2) == 0;
        default: return text();
        }
    }

    std::vector<Assignment> assignments() {
        std::vector<Assignment> result;
        for (std::size_t n = below(4); n > 0; --n)
            result.push_back({text() + std::to_string(n), value(), {}});
        return result;
    }

    Unit unit(std::string name) {
        Unit result;
        result.name = std::move(name);
        const auto origin = below(3);
        if (origin == 0) {
            result.origin = FmuFile{text()};
        } else if (origin == 1) {
            result.origin = NativeModel{text()};
        } else {
            result.origin = TableFile{text(), {}, maybe(below(2) == 0)};
        }
        result.type = maybe(static_cast<Interface>(below(2)));
        SolverSettings solver;
        solver.method = static_cast<SolverMethod>(below(3));
        solver.tolerance = maybe(1e-3 / static_cast<double>(1 + below(100)));
        solver.max_step = maybe(0.5);
        solver.step = maybe(0.001);
        result.solver = maybe(solver);
        result.isolate = maybe(IsolationSettings{.time_limit = static_cast<double>(below(100))});
        result.parameters = assignments();
        result.start = assignments();
        for (std::size_t n = below(3); n > 0; --n) {
            result.inputs.push_back({text() + std::to_string(n),
                                     maybe(static_cast<Approximation>(below(3))),
                                     maybe(static_cast<ApproximationMode>(below(2))),
                                     maybe(static_cast<Reactivity>(below(2))),
                                     {}});
            result.outputs.push_back({text() + std::to_string(n),
                                      maybe(texts()),
                                      maybe(texts()),
                                      maybe(number()),
                                      maybe(number()),
                                      {}});
        }
        result.can_reject_step = maybe(below(2) == 0);
        return result;
    }

    std::mt19937_64 random_;
};

TEST(Writer, WhatItWritesReadsBackTheSame) {
    for (unsigned seed = 0; seed < 500 && !::testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        expect_round_trip(Generator(seed).scenario());
    }
}

} // namespace
} // namespace rubato::scenario::testing
