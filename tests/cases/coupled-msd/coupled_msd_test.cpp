// SPDX-License-Identifier: Apache-2.0
#include "coupled-msd/exact_solution.hpp"
#include "support/run_scenario.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace rubato::test::coupled_msd {
namespace {

using Overrides = std::vector<scenario::Override>;

struct Scheme {
    std::string name;
    Overrides overrides;
};

const std::vector<Scheme>& schemes() {
    static const std::vector<Scheme> all = {
        {"Jacobi", {{"algorithm.recipe", "jacobi"}}},
        {"GaussSeidel12",
         {{"algorithm.recipe", "gauss-seidel"}, {"algorithm.order", "[msd1, msd2]"}}},
        {"GaussSeidel21",
         {{"algorithm.recipe", "gauss-seidel"}, {"algorithm.order", "[msd2, msd1]"}}},
        {"ImplicitJacobi",
         {{"algorithm.recipe", "iterated-jacobi"}, {"algorithm.relative-tolerance", "1e-12"}}},
        {"ImplicitGaussSeidel",
         {{"algorithm.recipe", "iterated-gauss-seidel"},
          {"algorithm.relative-tolerance", "1e-12"}}},
    };
    return all;
}

Overrides approximated(const std::string& approximation) {
    return {{"units.msd1.inputs.Fc.approximation", approximation},
            {"units.msd2.inputs.x1.approximation", approximation},
            {"units.msd2.inputs.v1.approximation", approximation}};
}

Overrides joined(Overrides a, const Overrides& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

Trajectories coupled(const Overrides& overrides) {
    return run_scenario(CASES "/coupled-msd/scenario.yaml", overrides);
}

/// Largest error of both positions over all communication points.
double error(const Overrides& overrides) {
    const examples::CoupledMsd system;
    const Trajectories run = coupled(overrides);
    double largest = 0;
    for (std::size_t i = 0; i < run.at("time").size(); ++i) {
        const Eigen::Vector4d exact = system.at(run.at("time")[i]);
        largest = std::max({largest, std::abs(run.at("msd1.x1")[i] - exact[0]),
                            std::abs(run.at("msd2.x2")[i] - exact[2])});
    }
    return largest;
}

double observed_order(const Overrides& overrides) {
    const double coarse = error(joined(overrides, {{"experiment.step", "0.01"}}));
    const double fine = error(joined(overrides, {{"experiment.step", "0.005"}}));
    return std::log2(coarse / fine);
}

class Coupling : public testing::TestWithParam<Scheme> {};

TEST_P(Coupling, ErrorFallsWithTheStepWhenInputsAreHeld) {
    EXPECT_NEAR(observed_order(GetParam().overrides), 1, 0.05);
}

TEST_P(Coupling, ErrorFallsWithItsSquareWhenInputsAreLines) {
    EXPECT_NEAR(observed_order(joined(GetParam().overrides, approximated("linear"))), 2, 0.1);
}

Trajectories coupled_fmus(const std::string& version, const Overrides& overrides) {
    return run_scenario(
        CASES "/coupled-msd/scenario.yaml", overrides, [&](scenario::Scenario& scenario) {
            for (scenario::Unit& unit : scenario.units) {
                unit.origin =
                    scenario::FmuFile{FMUS "/" + version + "/" +
                                      std::get<scenario::NativeModel>(unit.origin).name + ".fmu"};
            }
        });
}

TEST_P(Coupling, NativeModelsAndFmusAgreeToTheLastBit) {
    for (const std::string approximation : {"constant", "linear", "quadratic"}) {
        const Overrides settings = joined(GetParam().overrides, approximated(approximation));
        const Trajectories native = coupled(settings);
        EXPECT_EQ(coupled_fmus("fmi2", settings), native) << approximation;
        EXPECT_EQ(coupled_fmus("fmi3", settings), native) << approximation;
        EXPECT_EQ(coupled(settings), native) << "repeated, " << approximation;
    }
}

/// Schemes in which nothing goes back.
class ExplicitCoupling : public Coupling {};

TEST_P(ExplicitCoupling, NativeModelsAndFmusOfFmi1AgreeToTheLastBit) {
    for (const std::string approximation : {"constant", "linear", "quadratic"}) {
        const Overrides settings = joined(GetParam().overrides, approximated(approximation));
        EXPECT_EQ(coupled_fmus("fmi1", settings), coupled(settings)) << approximation;
    }
}

INSTANTIATE_TEST_SUITE_P(Schemes, ExplicitCoupling,
                         testing::ValuesIn(schemes().begin(), schemes().begin() + 3),
                         [](const auto& scheme) { return scheme.param.name; });

TEST_P(Coupling, ModelsOfFmi1BehindASolverTakePartInEveryScheme) {
    const Overrides settings = joined(
        GetParam().overrides, joined(approximated("linear"), {{"experiment.tolerance", "1e-10"}}));
    const Trajectories exact = coupled(settings), solved = coupled_fmus("fmi1_me", settings);
    for (const auto& [name, values] : exact) {
        for (std::size_t i = 0; i < values.size(); ++i)
            EXPECT_NEAR(solved.at(name)[i], values[i], 1e-6) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(Schemes, Coupling, testing::ValuesIn(schemes()),
                         [](const auto& scheme) { return scheme.param.name; });

TEST(TutorialExample4, IteratingWithLinesIsFarMoreAccurateThanNotIterating) {
    const double explicit_error = error(joined(schemes()[0].overrides, approximated("linear")));
    const double implicit_error = error(joined(schemes()[3].overrides, approximated("linear")));
    EXPECT_LT(implicit_error, 0.5 * explicit_error);
}

double error_of(const Trajectories& run) {
    const examples::CoupledMsd system;
    double largest = 0;
    for (std::size_t i = 0; i < run.at("time").size(); ++i)
        largest =
            std::max(largest, std::abs(run.at("msd1.x1")[i] - system.at(run.at("time")[i])[0]));
    return largest;
}

/// Units behind a solver tell the middle of a step: Simpson's rule, of which the error falls with
/// the fourth power.
TEST(TutorialExample4, ParabolasThroughTheMiddleOfTheStepKeepLongStepsAccurate) {
    const auto error = [](const std::string& approximation, const std::string& step) {
        return error_of(coupled_fmus("fmi1_me", joined(approximated(approximation),
                                                       {{"algorithm.recipe", "waveform-jacobi"},
                                                        {"algorithm.relative-tolerance", "1e-12"},
                                                        {"algorithm.absolute-tolerance", "1e-12"},
                                                        {"experiment.tolerance", "1e-10"},
                                                        {"experiment.step", step}})));
    };
    const double coarse = error("quadratic", "0.4"), fine = error("quadratic", "0.2");
    EXPECT_NEAR(std::log2(coarse / fine), 4, 0.3);
    EXPECT_LT(coarse, 0.01 * error("linear", "0.4"));
}

TEST(TutorialExample4, AllImplicitSchemesHaveTheSameFixedPoint) {
    const Trajectories jacobi = coupled(schemes()[3].overrides);
    const Trajectories gauss_seidel = coupled(schemes()[4].overrides);
    for (const auto& [name, values] : jacobi) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            EXPECT_NEAR(values[i], gauss_seidel.at(name)[i], 1e-9) << name;
        }
    }
}

TEST(TutorialExample4, IteratingOnDoesNotMoveTheFixedPoint) {
    const Trajectories converged = coupled(schemes()[4].overrides);
    const Trajectories iterated_on =
        coupled(joined(schemes()[4].overrides, {{"algorithm.iterations", "60"}}));
    for (const auto& [name, values] : converged) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            EXPECT_NEAR(values[i], iterated_on.at(name)[i], 1e-9) << name;
        }
    }
}

TEST(TutorialExample4, ReactiveContractsAloneLeadToTheImplicitScheme) {
    const Overrides reactive = {{"units.msd1.inputs.Fc.contract", "reactive"},
                                {"units.msd2.inputs.x1.contract", "reactive"},
                                {"units.msd2.inputs.v1.contract", "reactive"},
                                {"algorithm.relative-tolerance", "1e-12"}};
    // One guess opens the loop: the force, as in Gauss-Seidel with msd1 first.
    EXPECT_EQ(coupled(reactive), coupled(schemes()[4].overrides));
}

TEST(TutorialExample4, AnAlgorithmWrittenByHandRunsLikeTheRecipeItSpellsOut) {
    EXPECT_EQ(run_scenario(CASES "/coupled-msd/by-hand.yaml"), coupled(schemes()[1].overrides));
}

TEST(TutorialExample4, AnAlgorithmThatBreaksAContractDoesNotRun) {
    const auto step_too_early = [](scenario::Scenario& scenario) {
        auto& body = scenario.written->steps.front().body;
        std::rotate(body.begin() + 1, body.begin() + 5, body.begin() + 6); // msd2 before it is fed
    };
    EXPECT_THROW(run_scenario(CASES "/coupled-msd/by-hand.yaml", {}, step_too_early), InputError);
}

TEST(TutorialExample4, MoreIterationsLeadToTheFixedPoint) {
    const Trajectories fixed_point = coupled(schemes()[3].overrides);
    double before = HUGE_VAL;
    for (const std::string iterations : {"2", "4", "8"}) {
        const Trajectories run =
            coupled(joined(schemes()[3].overrides, {{"algorithm.iterations", iterations}}));
        double distance = 0;
        for (std::size_t i = 0; i < run.at("time").size(); ++i) {
            distance =
                std::max(distance, std::abs(run.at("msd1.x1")[i] - fixed_point.at("msd1.x1")[i]));
        }
        EXPECT_LT(distance, 0.5 * before) << iterations;
        before = distance;
    }
}

} // namespace
} // namespace rubato::test::coupled_msd
