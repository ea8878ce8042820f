// SPDX-License-Identifier: Apache-2.0

/// Multi-models of Maestro and projects of MasterSim, built from our own FMUs, and their import.

#include "system_folder.hpp"

#include <rubato/pipeline/import.hpp>

#include <cmath>

namespace rubato::test {
namespace {

class OtherSystems : public SystemFolder {
protected:
    void SetUp() override {
        copy_fmu("fmi2/msd1.fmu", "fmus/msd1.fmu");
        copy_fmu("fmi2/msd2.fmu", "fmus/msd2.fmu");
    }

    Trajectories masses(const std::string& settings) const {
        return run_scenario(
            write("masses.yaml", "rubato: 1\nunits:\n"
                                 "  a: {fmu: fmus/msd1.fmu, parameters: {m1: 2.0}}\n"
                                 "  b: {fmu: fmus/msd2.fmu}\n"
                                 "connections: [a.x1 -> b.x1, a.v1 -> b.v1, b.Fc -> a.Fc]\n" +
                                     settings));
    }

    static std::string multi_model(const std::string& settings) {
        return R"({"fmus": {"{one}": "fmus/msd1.fmu", "{two}": "fmus/msd2.fmu"},
 "connections": {"{one}.a.x1": ["{two}.b.x1"], "{one}.a.v1": ["{two}.b.v1"],
                 "{two}.b.Fc": ["{one}.a.Fc"]},
 "parameters": {"{one}.a.m1": 2.0},
 )" + settings +
               "}";
    }
    static std::string project(const std::string& settings) {
        return "tStart 0 s\ntEnd 2 s\nhStart 50 ms\n" + settings +
               "simulator 0 1 b #ff0000 \"fmus/msd2.fmu\"\n"
               "simulator 1 0 a #00ff00 \"fmus/msd1.fmu\"\n"
               "graph a.x1 b.x1\ngraph a.v1 b.v1 0 1\ngraph b.Fc a.Fc\nparameter a.m1 2\n";
    }
};

TEST_F(OtherSystems, MultiModelsOfMaestroGiveTheTrajectoriesOfTheScenario) {
    const auto file =
        write("mm.json", multi_model(R"("algorithm": {"type": "fixed-step", "size": 0.05},
                                        "endTime": 2)"));
    EXPECT_EQ(said(file), "");
    const Trajectories expected = masses("experiment: {stop: 2, step: 0.05}\nalgorithm: jacobi\n");
    EXPECT_EQ(run_scenario(file), expected);
    write("deep/mm.json", multi_model(R"("livestream": {})"));
    const auto configuration = write("deep/coe.json", R"({"multimodel_path": "mm.json",
        "algorithm": {"type": "fixed-step", "size": 0.05}, "startTime": 0, "endTime": 2})");
    EXPECT_EQ(said(configuration), "");
    EXPECT_EQ(run_scenario(configuration), expected) << "FMUs lie in a folder above";
}

TEST_F(OtherSystems, ConstraintsOfMaestroBecomeEventsAndLimits) {
    const auto file = write("mm.json", multi_model(R"("endTime": 2, "stabalizationEnabled": true,
 "global_absolute_tolerance": 0.01, "global_relative_tolerance": 0.02,
 "algorithm": {"type": "var-step", "size": [1e-6, 0.1], "initsize": 0.01, "constraints": {
   "z": {"type": "zerocrossing", "ports": ["{one}.a.x1"], "order": 2},
   "d": {"type": "boundeddifference", "ports": ["{one}.a.x1", "{two}.b.x2"], "abstol": 0.5},
   "s": {"type": "samplingrate", "base": -3, "rate": 250, "startTime": 100},
   "f": {"type": "fmumaxstepsize"}}}, "modelSwaps": {"a": {}})"));
    EXPECT_EQ(said(file), "mm.json:11: warning: \"modelSwaps\" has no effect: Rubato has no "
                          "counterpart\n");
    const scenario::Scenario scenario = read(file);
    EXPECT_EQ(scenario.experiment.step, 0.1);
    EXPECT_EQ(scenario.experiment.minimum_step, 1e-6);
    EXPECT_EQ(scenario.events.crossings, std::vector<std::string>{"a.x1 > 0"});
    ASSERT_EQ(scenario.step_limits.changes.size(), 1u);
    EXPECT_EQ(scenario.step_limits.changes[0].minus, "b.x2");
    ASSERT_EQ(scenario.step_limits.sampling.size(), 1u);
    EXPECT_EQ(scenario.step_limits.sampling[0].period, 0.25);
    EXPECT_EQ(scenario.algorithm.recipe, scenario::Recipe::iterated_jacobi);
    EXPECT_EQ(scenario.algorithm.absolute_tolerance, 0.01);
}

TEST_F(OtherSystems, WrongMultiModelsAreReportedAtOnce) {
    const std::string what = said(write("mm.json", R"({"fmus": {"{one}": "none.fmu",
 "{two}": "fmus/msd2.fmu"},
 "connections": {"{tow}.b.Fc": ["{two}.b.x1"], "{two}": []},
 "algorithm": {"type": "magic"}})"));
    for (const char* expected :
         {"mm.json:1: the FMU \"none.fmu\" of {one} is not found",
          "mm.json:3: \"{tow}.b.Fc\": there is no FMU {tow}\n  did you mean \"{two}\"?",
          "mm.json:3: \"{two}\" is no variable", "mm.json:4: the algorithm \"magic\" is not known"})
        EXPECT_NE(what.find(expected), std::string::npos) << expected << "\n" << what;
}

/// Multi-models name folders of the machine that they were made on, and parameters of other
/// versions of an FMU: Maestro runs them.
TEST_F(OtherSystems, MultiModelsOfOtherMachinesAreRead) {
    const auto file = write("deep/down/mm.json", R"({"fmus": {
 "{one}": "target/test-classes/msd1.fmu", "{two}": "/home/nobody/msd2.fmu",
 "{three}": "none.fmu"},
 "connections": {"{one}.a.x1": ["{two}.b.x1"], "{three}.c.y": ["{two}.b.v1"]},
 "parameters": {"{one}.a.M1": 2.0}})");
    std::filesystem::copy_file(folder() / "fmus/msd1.fmu", folder() / "deep/msd1.fmu");
    std::filesystem::copy_file(folder() / "fmus/msd2.fmu", folder() / "msd2.fmu");
    const std::string what = said(file);
    EXPECT_TRUE(what.starts_with("mm.json:3: the FMU \"none.fmu\" of {three} is not found"))
        << what;
    EXPECT_NE(
        what.find("mm.json:5: warning: parameter \"{one}.a.M1\" has no effect: the FMU has no "
                  "such variable\n  did you mean \"m1\"?"),
        std::string::npos)
        << what;
    EXPECT_EQ(what.find("mm.json:4"), std::string::npos)
        << what << "what needs an FMU that is missing is not reported again";
}

TEST_F(OtherSystems, ProjectsOfMasterSimGiveTheTrajectoriesOfTheScenario) {
    const auto jacobi = write("jacobi.msim", project("MasterMode GAUSS_JACOBI\n"));
    EXPECT_EQ(said(jacobi), "");
    const std::string experiment = "experiment: {stop: 2, step: 0.05}\n";
    EXPECT_EQ(run_scenario(jacobi)["a.x1"], masses(experiment + "algorithm: jacobi\n").at("a.x1"));
    const auto seidel = write("seidel.msim", project("MasterMode GAUSS_SEIDEL\nmaxIterations 1\n"));
    EXPECT_EQ(run_scenario(seidel)["a.x1"],
              masses(experiment + "algorithm: {recipe: gauss-seidel, order: [a, b]}\n").at("a.x1"))
        << "the cycles are the order";
    const auto newton = write("newton.msim", project("MasterMode NEWTON\nmaxIterations 10\n"
                                                     "absTol 1e-6\nrelTol 1e-5\n"));
    const scenario::Scenario scenario = read(newton);
    EXPECT_EQ(scenario.loops.method, scenario::LoopMethod::newton);
    EXPECT_EQ(scenario.algorithm.iteration_limit, 10);
}

/// MasterSim bounds the error of each step: a long run must not have shorter steps for that.
TEST_F(OtherSystems, StepDoublingOfMasterSimIsThatOfTheRun) {
    const std::string settings = "hMin 1e-5 s\nhMax 1 s\nadjustStepSize yes\nrelTol 1e-4\n"
                                 "ErrorControlMode STEP_DOUBLING\nMasterMode GAUSS_SEIDEL\n";
    const auto file = write("doubling.msim", project(settings));
    const scenario::StepControlSettings control = read(file).step_control;
    EXPECT_EQ(control.controller, scenario::StepController::richardson);
    EXPECT_DOUBLE_EQ(control.tolerance, 1e-4 * 2 / 0.05) << "relTol for each step of hStart";
    EXPECT_EQ(control.at_minimum, scenario::AtMinimum::accept);
    const Trajectories exact =
        masses("experiment: {stop: 2, step: 1e-4}\nalgorithm: gauss-seidel\n");
    const double expected = exact.at("a.x1").back();
    EXPECT_NEAR(run_scenario(file)["a.x1"].back(), expected,
                control.tolerance * (1 + std::abs(expected)));
}

TEST_F(OtherSystems, TablesOfMasterSimAreReadInTheirUnitOfTime) {
    write("force.tsv", "Time [min]\tForce [N]\n0\t1\n0.05\t4\n");
    const auto file = write("table.msim", "tEnd 2 s\nhStart 0.05 s\nMasterMode GAUSS_SEIDEL\n"
                                          "simulator 0 0 t #ff0000 \"force.tsv\"\n"
                                          "simulator 1 1 a #00ff00 \"fmus/msd1.fmu\"\n"
                                          "graph t.Force a.Fc\n");
    EXPECT_EQ(said(file), "");
    write("force.csv", "time,Force\n0,1\n3,4\n");
    const auto scenario = write("table.yaml", R"(rubato: 1
units: {t: {table: force.csv}, a: {fmu: fmus/msd1.fmu}}
connections: [t.Force -> a.Fc]
experiment: {stop: 2, step: 0.05}
algorithm: {recipe: gauss-seidel, order: [t, a]}
)");
    EXPECT_EQ(run_scenario(file), run_scenario(scenario));
}

TEST_F(OtherSystems, WrongProjectsAreReportedAtOnce) {
    const std::string what = said(write("p.msim", "tStart 0 eons\nhStrat 1 s\nMasterMode MAGIC\n"
                                                  "simulator 0 0 a\ngraph a.x b.y\n"));
    for (const char* expected :
         {"p.msim:1: \"0 eons\" is no time",
          "p.msim:2: the keyword \"hStrat\" is not known\n  did you "
          "mean \"hStart\"?",
          "p.msim:3: master mode \"MAGIC\" is not known", "p.msim:4: is no simulator",
          "p.msim:5: \"a.x\" is no variable of a simulator", "the project has no simulators"})
        EXPECT_NE(what.find(expected), std::string::npos) << expected << "\n" << what;
}

TEST_F(OtherSystems, ImportedScenariosGiveTheSameTrajectories) {
    write("SystemStructure.ssd",
          ssd(elements(component("a", "fmus/msd1.fmu", connector("x1", "output")) +
                       component("b", "fmus/msd2.fmu", connector("x1", "input"))) +
              connections(connection("a.x1", "b.x1"))));
    const auto package = pack("masses.ssp");
    const auto project_file = write("jacobi.msim", project("hOutputMin 1 s\n"));
    const files::TemporaryFolder elsewhere;
    for (const auto& system : {package, project_file, folder() / "SystemStructure.ssd"}) {
        const auto target = elsewhere.path() / system.filename().replace_extension(".yaml");
        Diagnostics diagnostics;
        const auto imported = pipeline::import_system(system, {.target = target}, diagnostics);
        ASSERT_TRUE(imported);
        EXPECT_EQ(imported->copied.size(), system == package ? 2u : 0u);
        EXPECT_EQ(run_scenario(target), run_scenario(system));
        EXPECT_THROW(pipeline::import_system(system, {.target = target}, diagnostics), InputError)
            << "it exists";
    }
    std::ifstream stream(elsewhere.path() / "jacobi.yaml");
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_NE(text.find("hOutputMin has no effect"), std::string::npos) << text;
}

} // namespace
} // namespace rubato::test
