// SPDX-License-Identifier: Apache-2.0
#include "support/model_unit.hpp"
#include "support/run_scenario.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

namespace rubato::test::arrays {
namespace {

using testing::Each;

class Arrays : public testing::TestWithParam<const char*> {
protected:
    /// Makes a unit of the scenario one of the tested form.
    static void in_form(scenario::Unit& unit) {
        const std::string form = GetParam();
        if (form == "native") return;
        unit.origin = scenario::FmuFile{std::string(FMUS) + "/fmi3/" +
                                        std::get<scenario::NativeModel>(unit.origin).name + ".fmu"};
        if (is_model_exchange(form)) unit.type = scenario::Interface::model_exchange;
    }

    static Trajectories run(const std::string& name) {
        return run_scenario(std::string(CASES) + "/arrays/" + name, {}, [](auto& scenario) {
            for (scenario::Unit& unit : scenario.units) in_form(unit);
        });
    }
};

TEST_P(Arrays, AreMultipliedByMatricesOfAnySize) {
    const Trajectories result = run("chain.yaml");
    EXPECT_THAT(result.at("a.y[2]"), Each(43.0));
    EXPECT_THAT(result.at("b.y[1]"), Each(2 * 21.0));
    EXPECT_THAT(result.at("b.y[2]"), Each(2 * (43.0 + 65.0)));
    EXPECT_THAT(result.at("c.y[1]"), Each(2 * (43.0 + 65.0)));
    EXPECT_THAT(result.at("c.y[2]"), Each(9.0)) << "the element that is not connected";
}

TEST_P(Arrays, OfStatesFollowTheirDifferentialEquation) {
    constexpr int cells = 8, mode = 3;
    const double wave = mode * std::numbers::pi / (cells + 1);
    scenario::Assignment start{"T", {}, {}, {}};
    for (int i = 1; i <= cells; ++i) start.elements.emplace_back(std::sin(wave * i));
    const Trajectories result = run_scenario(
        std::string(CASES) + "/arrays/rod.yaml", {}, [&](scenario::Scenario& scenario) {
            scenario.units[0].start = {start};
            scenario.units[0].solver = scenario::SolverSettings{.tolerance = 1e-9};
            in_form(scenario.units[0]);
            if (!scenario.units[0].type) scenario.units[0].solver.reset();
        });
    const double rate = 4 * std::pow(std::sin(wave / 2), 2);
    const auto& times = result.at("time");
    ASSERT_EQ(times.size(), 11u);
    for (std::size_t n = 0; n < times.size(); ++n) {
        for (int i = 1; i <= cells; ++i) {
            const double exact = std::sin(wave * i) * std::exp(-rate * times[n]);
            EXPECT_NEAR(result.at("rod.T[" + std::to_string(i) + "]")[n], exact, 1e-7) << times[n];
        }
    }
}

TEST_P(Arrays, EveryTypeGoesThrough) {
    unit::Library library(silent_log());
    for (const model::ModelType* type : models::all()) library.add(*type);
    scenario::Scenario scenario;
    for (const char* name : {"first", "second"}) {
        scenario::Unit unit;
        unit.name = name;
        unit.origin = scenario::NativeModel{"feedthrough"};
        in_form(unit);
        scenario.units.push_back(std::move(unit));
    }
    for (const char* type :
         {"float64", "float32", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64",
          "uint64", "boolean", "string", "binary", "mode", "vector", "matrix", "names"})
        scenario.connections.push_back(
            {"first", std::string(type) + "_out", "second", std::string(type) + "_in"});
    auto& start = scenario.units[0].start;
    start = {{"float64_in", -0.1, {}, {}},
             {"float32_in", 0.25, {}, {}},
             {"uint64_in", std::int64_t{1} << 62, {}, {}},
             {"int8_in", std::int64_t{-128}, {}, {}},
             {"boolean_in", false, {}, {}},
             {"string_in", std::string("Grüße\n"), {}, {}},
             {"binary_in", std::string("\0\1\xff\0", 4), {}, {}},
             {"mode_in", std::int64_t{3}, {}, {}},
             {"matrix_in[2,3]", std::int64_t{60}, {}, {}},
             {"names_in[2]", std::string(), {}, {}}};
    scenario.experiment.stop = 0.02;
    Diagnostics diagnostics;
    const pipeline::Assembly assembly = pipeline::assemble(scenario, library, diagnostics);
    diagnostics.throw_if_errors();
    engine::Simulation simulation = pipeline::build(assembly, library, silent_log());
    simulation.initialize();
    simulation.step();

    unit::Unit& second = simulation.unit(UnitId{1});
    const auto value_of = [&]<class T>(const std::string& name, Part part, T value) {
        const auto& description = second.description();
        const auto& variable = description.variables.at(description.find_variable(name).value());
        second.get({variable.type, {&variable.reference, 1}, &value, 1, {&part, 1}});
        return value;
    };
    EXPECT_EQ(value_of("float64_out", {}, 0.0), -0.1);
    EXPECT_EQ(value_of("float32_out", {}, 0.0), 0.25);
    EXPECT_EQ(value_of("uint64_out", {}, std::int64_t{}), std::int64_t{1} << 62);
    EXPECT_EQ(value_of("int8_out", {}, std::int64_t{}), -128);
    EXPECT_EQ(value_of("int16_out", {}, std::int64_t{}), -16);
    EXPECT_FALSE(value_of("boolean_out", {}, true));
    EXPECT_EQ(value_of("string_out", {}, std::string()), "Grüße\n");
    EXPECT_EQ(value_of("binary_out", {}, std::string()), std::string("\0\1\xff\0", 4));
    EXPECT_EQ(value_of("mode_out", {}, std::int64_t{}), 3);
    EXPECT_EQ(value_of("vector_out", {1, 1, 3}, 0.0), 2.0);
    EXPECT_EQ(value_of("matrix_out", {5, 1, 6}, std::int64_t{}), 60);
    EXPECT_EQ(value_of("matrix_out", {3, 1, 6}, std::int64_t{}), 4);
    EXPECT_EQ(value_of("names_out", {0, 1, 2}, std::string()), "one");
    EXPECT_EQ(value_of("names_out", {1, 1, 2}, std::string("?")), "");
}

TEST_P(Arrays, ThatDoNotFitAreRefused) {
    const std::string file = std::string(CASES) + "/arrays/chain.yaml";
    EXPECT_THAT(
        [&] {
            run_scenario(file, {}, [](scenario::Scenario& scenario) {
                scenario.units.resize(1);
                scenario.connections.clear();
                scenario.units[0].start.clear();
                scenario.units[0].parameters = {{"m", std::int64_t{100}, {}, {}},
                                                {"n", std::int64_t{100}, {}, {}}};
                scenario.recording.variables = {"a.y"};
                in_form(scenario.units[0]);
            });
        },
        testing::ThrowsMessage<Error>(testing::HasSubstr("has room for 256 elements")));
}

INSTANTIATE_TEST_SUITE_P(Of, Arrays, testing::Values("native", "fmi3", "fmi3_me"),
                         [](const auto& test) { return std::string(test.param); });

} // namespace
} // namespace rubato::test::arrays
