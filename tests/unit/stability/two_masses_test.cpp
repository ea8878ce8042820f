// SPDX-License-Identifier: Apache-2.0
#include "two_masses.hpp"

#include <gmock/gmock.h>

namespace rubato {
namespace {

using test::TwoMassOscillator;
using test::Workbench;

struct Case {
    const char* recipe;
    Eigen::MatrixXd (TwoMassOscillator::*map)(double step, int order) const;
    int order;
    double step;
    friend void PrintTo(const Case& c, std::ostream* out) {
        *out << c.recipe << ", order " << c.order << ", H = " << c.step;
    }
};

class Amplification : public testing::TestWithParam<Case> {};

double distance(std::complex<double> value, const std::vector<std::complex<double>>& others) {
    double least = HUGE_VAL;
    for (const auto& other : others) least = std::min(least, std::abs(value - other));
    return least;
}

TEST_P(Amplification, MatrixOfTheTwoMassOscillatorIsMetToAMillionth) {
    const Case& c = GetParam();
    const TwoMassOscillator system;
    const Eigen::MatrixXd exact = (system.*c.map)(c.step, c.order);
    Workbench workbench;
    const auto found = workbench.linearized(system.scenario(c.recipe, c.order, c.step));
    const double radius = test::spectral_radius_of(exact);
    EXPECT_NEAR(found.spectral_radius, radius, 1e-6 * radius);
    EXPECT_LE(found.uncertainty, 1e-6);
    EXPECT_LE(found.residual, 1e-6);
    EXPECT_TRUE(found.unreached.empty());
    std::vector<std::complex<double>> all;
    for (const auto& mode : found.modes) {
        all.push_back(mode.eigenvalue);
        all.push_back(std::conj(mode.eigenvalue));
    }
    for (const auto& value : test::eigenvalues_of(exact))
        if (std::abs(value) > 0.02) {
            EXPECT_LE(distance(value, all), 1e-6) << value;
        }
    for (const auto& value : all) {
        if (std::abs(value) <= 0.02) continue;
        EXPECT_LE(distance(value, test::eigenvalues_of(exact)), 1e-6) << value;
    }
}

std::vector<Case> cases() {
    std::vector<Case> all;
    for (const double step : {0.01, 0.1, 0.7, 2.0})
        for (const int order : {0, 1}) {
            all.push_back({"jacobi", &TwoMassOscillator::jacobi, order, step});
            all.push_back({"gauss-seidel", &TwoMassOscillator::gauss_seidel, order, step});
            all.push_back({"iterated-jacobi", &TwoMassOscillator::iterated, order, step});
            all.push_back({"iterated-gauss-seidel", &TwoMassOscillator::iterated, order, step});
        }
    return all;
}

INSTANTIATE_TEST_SUITE_P(Stability, Amplification, testing::ValuesIn(cases()));

TEST(Stability, DoesNotDependOnTheTimeOfALinearSystem) {
    const TwoMassOscillator system;
    Workbench workbench;
    const auto found = workbench.linearized(system.scenario("gauss-seidel", 1, 0.1), {.at = 3.14});
    EXPECT_GE(found.time.seconds, 3.14);
    const double radius = test::spectral_radius_of(system.gauss_seidel(0.1, 1));
    EXPECT_NEAR(found.spectral_radius, radius, 1e-6);
}

/// Two pairs that know nothing of each other: the unstable mode lives in one of them.
TEST(Stability, NamesTheConnectionsOfTheUnstableMode) {
    Workbench workbench;
    const auto found = workbench.linearized(R"(rubato: 1
units:
  calm1: {model: msd1, parameters: {d1: 3.0, solver: 3}}
  calm2: {model: msd2, parameters: {d2: 3.0, solver: 3}}
  wild1: {model: msd1, parameters: {d1: 0.0, solver: 3}}
  wild2: {model: msd2, parameters: {d2: 0.0, cc: 40.0, dc: 0.0, solver: 3}}
connections:
  - calm1.x1 -> calm2.x1
  - calm1.v1 -> calm2.v1
  - calm2.Fc -> calm1.Fc
  - wild1.x1 -> wild2.x1
  - wild1.v1 -> wild2.v1
  - wild2.Fc -> wild1.Fc
experiment: {stop: 10, step: 0.2}
algorithm: jacobi
)");
    EXPECT_GT(found.spectral_radius, 1.1);
    ASSERT_FALSE(found.modes.empty());
    double wild = 0;
    for (const auto& share : found.modes.front().connections)
        if (share.name.find("wild") != std::string::npos) wild += share.part;
    EXPECT_NEAR(wild, 1, 1e-6);
    EXPECT_THAT(found.modes.front().connections.front().name, testing::HasSubstr("wild"));
    EXPECT_THAT(found.modes.front().units.front().name, testing::HasSubstr("wild"));
}

/// A chain has the modes of its units; the largest is that of the integrator.
TEST(Stability, NamesNoConnectionOfAModeThatIsOfAUnitByItself) {
    Workbench workbench;
    const auto found = workbench.linearized(R"(rubato: 1
units:
  msd: {model: msd1, parameters: {d1: 3.0, solver: 3}}
  sum: {model: integrator}
connections: [msd.x1 -> sum.u]
experiment: {stop: 10, step: 0.2}
algorithm: gauss-seidel
)");
    EXPECT_NEAR(found.spectral_radius, 1, 1e-6);
    ASSERT_FALSE(found.modes.empty());
    EXPECT_TRUE(found.modes.front().connections.empty());
    EXPECT_TRUE(found.modes.front().units.empty());
}

/// A ring of n lags behind the mean of their neighbours, solved by Euler: its map is circulant, with
/// the eigenvalues 1 + H (cos(2π j / n) - 1).
TEST(Stability, OfALargeSystemIsFoundFromRandomCombinationsOfItsInputs) {
    constexpr int count = 100;
    constexpr double step = 1.2;
    std::string units, connections;
    for (int i = 0; i < count; ++i) {
        const auto name = [](int n) { return "n" + std::to_string((n + count) % count); };
        units += "  " + name(i) + ": {model: node, start: {y: 0.0}}\n";
        connections += "  - " + name(i - 1) + ".y -> " + name(i) + ".a\n  - " + name(i + 1) +
                       ".y -> " + name(i) + ".b\n";
    }
    Workbench workbench;
    const auto found =
        workbench.linearized("rubato: 1\nunits:\n" + units + "connections:\n" + connections +
                             "experiment: {stop: 100, step: 1.2}\n"
                             "algorithm: jacobi\n");
    EXPECT_TRUE(found.is_sampled);
    EXPECT_EQ(found.inputs, 200u);
    EXPECT_NEAR(found.spectral_radius, 2 * step - 1, 1e-6);
}

TEST(Stability, ATimeOutsideTheExperimentIsRefused) {
    Workbench workbench;
    const std::string text = TwoMassOscillator().scenario("jacobi", 0, 0.1);
    for (const double at : {-1.0, 11.0, std::nan("")})
        EXPECT_THROW((void)workbench.linearized(text, {.at = at}), InputError) << at;
}

TEST(Stability, UnitsWithoutRollbackAreNamed) {
    Workbench workbench;
    const std::string folder = std::string(RUBATO_FMUS) + "/fmi1/";
    const std::string text = "rubato: 1\nunits:\n  one: {fmu: " + folder +
                             "msd1.fmu}\n  two: {model: msd2}\nconnections: [one.x1 -> two.x1, "
                             "one.v1 -> two.v1, two.Fc -> one.Fc]\nalgorithm: jacobi\n";
    try {
        (void)workbench.linearized(text);
        FAIL() << "no Error";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::AllOf(testing::HasSubstr("cannot save its state: one"),
                                                 testing::HasSubstr("canGetAndSetFMUstate")));
    }
}

} // namespace
} // namespace rubato
