// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <gmock/gmock.h>

namespace rubato::cli {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Outcome;

/// a' = b, b' = k a: cos t and sin t for k = -1, cosh t and sinh t for k = 1.
constexpr auto integrators = R"(rubato: 1
name: pair
units:
  a: {model: integrator, start: {y: 1}}
  b: {model: integrator, parameters: {k: -1}}
connections: [a.y -> b.u, b.y -> a.u]
experiment: {stop: 1000, step: 0.01}
algorithm: jacobi
record: {variables: [a.y, b.y], every: 100}
)";

/// Two masses that a spring or a damper of the coupling, far faster than the steps, makes one.
constexpr auto masses = R"(rubato: 1
name: masses
units:
  msd1: {model: msd1, parameters: {m1: 1, c1: 5, d1: 1, solver: 3}, start: {x1: 1, v1: 0}}
  msd2: {model: msd2, parameters: {m2: 1, c2: 0.1, d2: 0, cc: 0, dc: 1e4, solver: 3}}
connections: [msd1.x1 -> msd2.x1, msd1.v1 -> msd2.v1, msd2.Fc -> msd1.Fc]
experiment: {stop: 5, step: 0.1}
algorithm: iterated-gauss-seidel
record: [msd1.x1, msd2.x2]
)";

class Verdict : public testing::Program {
protected:
    Verdict() {
        write("pair.yaml", integrators);
        write("masses.yaml", masses);
    }
    std::string of(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "run");
        const Outcome outcome = rubato(arguments);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.out;
    }
};

/// The amplitude is e^(step · stop / 2) where it should be 1.
TEST_F(Verdict, IsUnstableWhereLateInputsMakeValuesGrow) {
    EXPECT_THAT(of({"pair.yaml"}),
                AllOf(ContainsRegex("trust +unstable: [ab]\\.y has grown [0-9]+-fold"),
                      Not(HasSubstr("good:")),
                      ContainsRegex("next +try --step [0-9.]+, or --set units\\.[ab]\\.inputs\\.u"
                                    "\\.approximation=linear")));
    // The run alone leaves it open; the map of a step has the eigenvalues 1 ± iH.
    EXPECT_THAT(of({"pair.yaml", "--stop", "150"}),
                ContainsRegex("unstable: .* the coupling is unstable: spectral radius 1\\.00005 "));
    EXPECT_THAT(of({"pair.yaml", "--algorithm", "gauss-seidel"}), Not(HasSubstr("unstable")));
}

TEST_F(Verdict, IsUnstableWhereValuesExplodeStepByStep) {
    const std::string out =
        of({"masses.yaml", "--step", "0.05", "--set", "msd2.cc=1e4", "--set", "msd2.dc=20", "--set",
            "units.msd1.inputs={Fc: {approximation: linear}}", "--set",
            "units.msd2.inputs={x1: {approximation: linear}, v1: {approximation: linear}}"});
    EXPECT_THAT(out, ContainsRegex("trust +unstable: "));
}

TEST_F(Verdict, DoesNotCallASystemUnstableThatGrowsByItself) {
    for (const char* step : {"0.1", "0.01", "0.001"}) {
        const std::string out = of({"pair.yaml", "--stop", "15", "--step", step, "--set", "b.k=1"});
        EXPECT_THAT(out, Not(HasSubstr("unstable"))) << step;
        EXPECT_THAT(out, HasSubstr("-fold")) << step;
    }
}

/// An oscillation that grows by itself drives a loop that damps and is late.
TEST_F(Verdict, TellsWhatDrivesALoopAndGrowsFromACouplingThatDoes) {
    write("driven.yaml", R"(rubato: 1
name: driven
units:
  a: {model: oscillator, parameters: {d: -0.1}, start: {x: 1}}
  b: {model: oscillator, parameters: {c: 4, d: 0.4, cc: 1}}
  c: {model: msd2, parameters: {m2: 1, c2: 2, d2: 0.2, cc: 2, dc: 0.1, solver: 3}}
connections: [a.x -> b.xo, b.x -> c.x1, b.v -> c.v1, c.Fc -> b.F]
experiment: {stop: 100, step: 0.05}
algorithm: jacobi
)");
    EXPECT_THAT(of({"driven.yaml"}),
                AllOf(ContainsRegex("what drives it makes it grow: perturbations decay"),
                      Not(HasSubstr("unstable"))));
}

TEST_F(Verdict, SaysThatNothingMoves) {
    EXPECT_THAT(of({"pair.yaml", "--stop", "10", "--set", "a.k=0", "--set", "b.k=0"}),
                HasSubstr("good: no input moves by more than rounding"));
}

/// 1.5 times the mass is missing in all three runs: the true error is 0.58.
TEST_F(Verdict, IsNotSureOfRunsThatAgreeOnSomethingWrong) {
    const std::string out = of({"masses.yaml", "--reference", "H/2"});
    EXPECT_THAT(out, AllOf(ContainsRegex("msd1\\.x1 +[0-9.e-]+ \\?"),
                           ContainsRegex("msd1\\.x1, msd2\\.x2: uncertain: from t = ")));
    const std::string soft =
        of({"masses.yaml", "--reference", "H/2", "--set", "msd2.dc=1", "--step", "0.01"});
    EXPECT_THAT(soft,
                AllOf(Not(HasSubstr("uncertain: from")),
                      ContainsRegex("errors of inputs of up to [0-9.]+ % of their range .* led to "
                                    "errors of up to [0-9.]+ %")));
}

/// x' = 400 x, which nothing is connected to, ends beyond all numbers.
TEST_F(Verdict, NamesValuesThatAreNotFinite) {
    std::string text = integrators;
    text.insert(text.find("connections"), "  c: {model: dahlquist, parameters: {k: -400}}\n");
    text.replace(text.find("[a.y, b.y]"), 10, "[a.y, c.x]");
    write("open.yaml", text);
    const Outcome outcome = rubato({"run", "open.yaml", "--stop", "10"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, ContainsRegex("c\\.x is inf at t = [0-9.]+ s; nothing is connected"));
    EXPECT_THAT(outcome.out, ContainsRegex("trust +poor: c\\.x is inf from t = [0-9.]+ s on; "));
    const Outcome strict = rubato({"run", "open.yaml", "--stop", "10", "--strict"});
    EXPECT_EQ(strict.code, 1);
    EXPECT_THAT(strict.err, ContainsRegex("c\\.x is inf at t = [0-9.]+ s\n"));
}

/// A scenario without a step of its own has that of the one around it.
TEST_F(Verdict, AdvisesAStepThatIsShorterThanThatOfTheScenarioAround) {
    write("around.yaml", R"(rubato: 1
units:
  pair:
    scenario:
      units:
        a: {model: integrator, start: {y: 1}}
        b: {model: integrator, parameters: {k: -1}}
      connections: [a.y -> b.u, b.y -> a.u]
      algorithm: jacobi
experiment: {stop: 10, step: 0.002}
)");
    EXPECT_THAT(of({"around.yaml"}),
                ContainsRegex("next +try --set pair/experiment\\.step=0\\.00[01]"));
}

} // namespace
} // namespace rubato::cli
