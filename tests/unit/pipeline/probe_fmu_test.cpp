// SPDX-License-Identifier: Apache-2.0
// Probing of models in each of their forms, and of FMUs that misbehave.
#include "support/run_scenario.hpp"

#include <rubato/pipeline/probe.hpp>

#include <gmock/gmock.h>

namespace rubato::pipeline {
namespace {

using engine::Simulation;
using probe::ProbeOptions;
using probe::Probing;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Probed : public ::testing::TestWithParam<std::string> {
protected:
    Probed() {
        for (const model::ModelType* type : models::all()) library_.add(*type);
    }

    /// A model in the form that is the parameter of the test.
    scenario::Unit unit(const std::string& name, const std::string& model) const {
        scenario::Unit result;
        result.name = name;
        if (GetParam() == "native") {
            result.model = model;
        } else {
            result.fmu = FMUS "/" + GetParam() + "/" + model + ".fmu";
        }
        return result;
    }

    scenario::Scenario coupled_msd() const {
        scenario::Scenario scenario;
        scenario.units = {unit("msd1", "msd1"), unit("msd2", "msd2")};
        scenario.units[0].start.push_back({"x1", 1.0, {}});
        scenario.connections = {{"msd1", "x1", "msd2", "x1"},
                                {"msd1", "v1", "msd2", "v1"},
                                {"msd2", "Fc", "msd1", "Fc"}};
        scenario.experiment = {.start = 0, .stop = 2, .step = 0.1};
        return scenario;
    }

    Assembly assemble(scenario::Scenario scenario) {
        Diagnostics diagnostics;
        Assembly assembly = pipeline::assemble(std::move(scenario), library_, diagnostics);
        diagnostics.throw_if_errors();
        return assembly;
    }

    std::vector<std::string> findings(const Assembly& assembly) {
        probing_ = probe(assembly, library_, silent_log());
        Diagnostics diagnostics;
        judge(probing_, assembly, diagnostics);
        std::vector<std::string> texts;
        for (const Diagnostic& diagnostic : diagnostics.all())
            texts.push_back(rubato::to_string(diagnostic));
        return texts;
    }

    static std::vector<double> all_values(Simulation& simulation) {
        std::vector<double> values = {simulation.time().seconds};
        for (const scenario::Port& port : simulation.system().ports) {
            double value = 0;
            simulation.unit(port.unit).get({port.type, {&port.reference, 1}, &value, 1});
            values.push_back(value);
        }
        return values;
    }

    unit::Library library_{silent_log()};
    Probing probing_;
};

TEST_P(Probed, ModelsDependOnWhatTheySay) {
    const Assembly assembly = assemble(coupled_msd());
    EXPECT_THAT(findings(assembly), IsEmpty());
    EXPECT_EQ(probing_.influences.size(), 4u) << "Fc with x1 and v1, initializing and after";
    EXPECT_EQ(probing_.instants.size(), 5u);
}

TEST_P(Probed, AWrongContractInTheScenarioIsContradicted) {
    scenario::Scenario scenario = coupled_msd();
    scenario.units[1].outputs = {{"Fc", std::vector<std::string>{"x1"}, {}, {}}};
    EXPECT_THAT(
        findings(assemble(scenario)),
        ElementsAre(AllOf(HasSubstr("inputs that the scenario does not name: v1 from 0 to 1 "
                                    "moves it from -1 to -2 at t = 0 s"),
                          HasSubstr("write Fc: {feedthrough: [x1, v1]} under the outputs of "
                                    "unit \"msd2\""))));
}

TEST_P(Probed, AMendIsWrittenAsTheFileWantsIt) {
    scenario::Scenario scenario = coupled_msd();
    scenario.file = "pair.conf";
    scenario.units[1].outputs = {{"Fc", std::vector<std::string>{"x1"}, {}, {}}};
    EXPECT_THAT(findings(assemble(scenario)),
                ElementsAre(HasSubstr("Fc = {dependencies-init=[x1, v1], dependencies=[x1, v1]}")));
}

TEST_P(Probed, TheRunGoesOnAsIfNothingHadBeenDone) {
    for (const auto recipe : {scenario::Recipe::synthesized, scenario::Recipe::gauss_seidel,
                              scenario::Recipe::iterated_jacobi}) {
        scenario::Scenario scenario = coupled_msd();
        scenario.algorithm.recipe = recipe;
        if (recipe == scenario::Recipe::gauss_seidel)
            scenario.units[0].inputs = {{"Fc", scenario::Approximation::quadratic, {}, {}, {}}};
        const Assembly assembly = assemble(scenario);
        Simulation plain = build(assembly, library_, silent_log());
        plain.initialize();
        Simulation probed = build(assembly, library_, silent_log());
        ProbeOptions at_every_step;
        at_every_step.after_steps.clear();
        for (std::uint64_t step = 0; step <= 20; ++step) at_every_step.after_steps.push_back(step);
        const Probing probing = probe::probe(probed, at_every_step);
        EXPECT_EQ(probing.instants.size(), 22u);
        while (!plain.has_ended()) plain.step();
        EXPECT_EQ(all_values(probed), all_values(plain)) << to_string(recipe);
    }
}

INSTANTIATE_TEST_SUITE_P(Forms, Probed, ::testing::Values("native", "fmi2", "fmi3"),
                         [](const auto& form) { return form.param; });

/// The parameter ends the names of the FMUs: nothing for FMI 2.0.
class ProbedMisfit : public Probed {
protected:
    /// The FMU fed by a good one. All FMUs have a real input u and an output y = u.
    Assembly fed(const std::string& behaviour) {
        scenario::Scenario scenario;
        scenario.units.resize(2);
        scenario.units[0].name = "good";
        scenario.units[0].fmu = FMUS "/misuse/behaves.fmu";
        scenario.units[1].name = "bad";
        scenario.units[1].fmu = FMUS "/misuse/" + behaviour + GetParam() + ".fmu";
        scenario.connections = {{"good", "y", "bad", "u"}, {"bad", "y", "good", "u"}};
        scenario.units[0].outputs = {{"y", std::vector<std::string>{"u"}, {}, {}}};
        scenario.experiment = {.start = 0, .stop = 0.4, .step = 0.1};
        for (scenario::Unit& unit : scenario.units) unit.can_reject_step = false;
        return assemble(std::move(scenario));
    }

    /// Without those about texts.
    std::vector<std::string> findings(const std::string& behaviour) {
        std::vector<std::string> texts = Probed::findings(fed(behaviour));
        std::erase_if(texts, [](const std::string& text) {
            return text.find("no other value to try") != std::string::npos;
        });
        return texts;
    }
};

/// The FMU counts its time from 0 as long as a state from before the step may come back.
TEST_P(ProbedMisfit, WhatProbingHasSavedIsReleased) {
    const Assembly assembly = fed("restarts");
    Simulation simulation = build(assembly, library_, silent_log());
    (void)probe::probe(simulation, {.while_initializing = false, .after_steps = {1}});
    while (!simulation.has_ended()) simulation.step();
    const ValueRef output = 1;
    double y = 0;
    simulation.unit(UnitId{1}).get({ValueType::float64, {&output, 1}, &y, 1});
    EXPECT_NEAR(y, 0.4, 1e-12);
}

TEST_P(ProbedMisfit, ADescriptionThatIsWrongBothWaysIsFoundOut) {
    const std::string n = GetParam().empty() ? "n" : "i64";
    EXPECT_THAT(
        findings("lies-about-dependencies"),
        ElementsAre(
            AllOf(
                HasSubstr("output \"y\" of unit \"bad\" moves at once with inputs that the model "
                          "description does not name: u from 0 to 1 moves it from 0 to 1 at t = 0 "
                          "s, initializing"),
                HasSubstr("write y: {feedthrough: [u, " + n +
                          "]} under the outputs of unit \"bad\"")),
            AllOf(HasSubstr("unit \"bad\": declared, but not seen, that y moves at once with " + n),
                  HasSubstr("an FMU may keep its outputs until its next step"))));
}

TEST_P(ProbedMisfit, AUnitThatCannotSaveItsStateIsNotProbed) {
    EXPECT_THAT(findings("cannot-save"),
                ElementsAre(HasSubstr("unit \"bad\" is not probed: it cannot save and restore")));
}

TEST_P(ProbedMisfit, AnFmuThatRefusesAValueIsHealedAndProbedWithOthers) {
    EXPECT_THAT(
        findings("refuses-large-inputs"),
        ElementsAre(AllOf(HasSubstr("unit \"bad\" refused 12 of 20 values of input \"u\", the "
                                    "first of them 1 at t = 0 s, initializing: "),
                          HasSubstr("is too much"))));
    EXPECT_EQ(probing_.instants.size(), 4u) << "the run went on";
    EXPECT_EQ(probing_.influences.size(), 4u) << "y with u, initializing and after, in both units";
}

TEST_P(ProbedMisfit, AnFmuThatDiesEndsTheProbingNotTheProgram) {
    EXPECT_THAT(findings("dies-of-large-inputs"),
                ElementsAre(HasSubstr("unit \"bad\" refused 2 of 2 values of input \"u\""),
                            AllOf(HasSubstr("warning: unit \"bad\" is not probed further"),
                                  HasSubstr("after a fatal fault nothing may be called"))));
}

INSTANTIATE_TEST_SUITE_P(Versions, ProbedMisfit, ::testing::Values("", "-fmi3"),
                         [](const auto& version) {
                             return version.param.empty() ? "Fmi2" : "Fmi3";
                         });

} // namespace
} // namespace rubato::pipeline
