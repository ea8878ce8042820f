// SPDX-License-Identifier: Apache-2.0
// What probing sees of units whose formulas are known, and what it makes of it.
#include "support/formula_unit.hpp"

#include <rubato/pipeline/probe.hpp>

#include <gmock/gmock.h>

#include <cmath>

namespace rubato::pipeline {
namespace {

using engine::Simulation;
using probe::Influence;
using probe::Instant;
using probe::ProbeOptions;
using probe::Probing;
using probe::Refusal;
using test::FormulaInput;
using test::FormulaOutput;
using test::FormulaState;
using test::FormulaTraits;
using test::FormulaUnit;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

double real(const FormulaState& state, std::size_t input) {
    return std::get<double>(state.inputs[input]);
}

/// A unit "it", fed by another and feeding it, in ten steps of 0.1 s.
class Probe : public ::testing::Test {
protected:
    void make(std::vector<FormulaInput> inputs, std::vector<FormulaOutput> outputs,
              const FormulaTraits& traits = {}) {
        auto it = std::make_unique<FormulaUnit>("it", inputs, outputs, traits);
        auto other = std::make_unique<FormulaUnit>(
            "other", std::vector<FormulaInput>{{"u"}},
            std::vector<FormulaOutput>{{"y", [](const FormulaState& s) { return s.x; }, {}}});
        assembly_.scenario.units.resize(2);
        assembly_.scenario.units[0].name = "it";
        assembly_.scenario.units[1].name = "other";
        assembly_.scenario.experiment = {.start = 0, .stop = 1, .step = 0.1};
        if (std::holds_alternative<double>(inputs[0].start))
            assembly_.scenario.connections.push_back({"other", "y", "it", inputs[0].name});
        assembly_.scenario.connections.push_back({"it", outputs[0].name, "other", "u"});
        units_.push_back(std::move(it));
        units_.push_back(std::move(other));
        for (const auto& unit : units_) assembly_.descriptions.push_back(unit->description());
    }

    Simulation build() {
        Diagnostics diagnostics;
        const auto system =
            scenario::resolve(assembly_.scenario, assembly_.descriptions, diagnostics);
        assembly_.orchestration =
            synthesis::orchestrate(system, assembly_.scenario.algorithm, diagnostics);
        diagnostics.throw_if_errors();
        return Simulation(assembly_.orchestration.system, assembly_.orchestration.algorithm,
                          std::move(units_), assembly_.scenario.experiment, silent_log());
    }

    const Probing& probe(const ProbeOptions& options = {}) {
        Simulation simulation = build();
        probing_ = probe::probe(simulation, options);
        return probing_;
    }

    /// "y of u at t = 0 s", those of the unit "it"
    std::vector<std::string> influences() const {
        std::vector<std::string> texts;
        const auto& system = assembly_.orchestration.system;
        for (const Influence& influence : probing_.influences)
            if (system.port(influence.input).unit == UnitId{0})
                texts.push_back(system.port(influence.output).name + " of " +
                                system.port(influence.input).name + " " +
                                to_string(influence.when));
        return texts;
    }

    std::vector<std::string> findings() const {
        Diagnostics diagnostics;
        judge(probing_, assembly_, diagnostics);
        std::vector<std::string> texts;
        for (const Diagnostic& diagnostic : diagnostics.all()) {
            const bool is_error = diagnostic.severity == Severity::error;
            texts.push_back((is_error ? "error: " : "") + rubato::to_string(diagnostic));
        }
        return texts;
    }

    Assembly assembly_;
    std::vector<std::unique_ptr<unit::Unit>> units_;
    Probing probing_;
};

TEST_F(Probe, SeesWhatMovesAtOnceWhileInitializingAndAfter) {
    make({{"u"}, {"w"}}, {{"x", [](const FormulaState& s) { return s.x; }, {}},
                          {"y", [](const FormulaState& s) { return s.x + 2 * real(s, 0); }, {0}}});
    probe();
    EXPECT_THAT(influences(), ElementsAre("y of u at t = 0 s, initializing", "y of u at t = 0 s"));
    EXPECT_THAT(findings(), IsEmpty());
}

TEST_F(Probe, GoesToTheEndOfTheRunAndNoFurther) {
    make({{"u"}}, {{"x", [](const FormulaState& s) { return s.x; }, {}}});
    std::vector<std::string> instants;
    for (const Instant& when : probe({.after_steps = {0, 3, 10, 100, 1000}}).instants)
        instants.push_back(to_string(when));
    EXPECT_THAT(instants, ElementsAre("at t = 0 s, initializing", "at t = 0 s",
                                      "at t = 0.30000000000000004 s", "at t = 1 s"));
}

TEST_F(Probe, FindsFeedthroughThatAppearsOnlyLater) {
    make({{"u"}}, {{"y", [](const FormulaState& s) { return s.x > 0.05 ? real(s, 0) : 0.0; }, {}}});
    probe();
    EXPECT_THAT(influences(), ElementsAre("y of u at t = 0.1 s"));
    EXPECT_THAT(findings(),
                ElementsAre(AllOf(
                    HasSubstr("error: output \"y\" of unit \"it\" moves at once with inputs that "
                              "the model description does not name: u from 0.1 to 1.1 moves it "
                              "from 0.1 to 1.1 at t = 0.1 s"),
                    HasSubstr("write y: {feedthrough: [u], feedthrough-initial: []} under the "
                              "outputs of unit \"it\""))));
}

TEST_F(Probe, TellsInitializationFromSteps) {
    make({{"u"}},
         {{"y", [](const FormulaState& s) { return s.initializing ? real(s, 0) : s.x; }, {}}});
    probe();
    EXPECT_THAT(influences(), ElementsAre("y of u at t = 0 s, initializing"));
    EXPECT_THAT(findings(),
                ElementsAre(HasSubstr("write y: {feedthrough: [], feedthrough-initial: [u]}")));
}

TEST_F(Probe, WhatIsNotConnectedDoesNoHarmAndIsWarnedOf) {
    make({{"u"}, {"w"}}, {{"y", [](const FormulaState& s) { return real(s, 1); }, {}}});
    probe();
    EXPECT_THAT(findings(), ElementsAre(AllOf(HasSubstr("warning: output \"y\""),
                                              HasSubstr("it does no harm here"))));
}

TEST_F(Probe, WhatIsDeclaredAndNotSeenIsNotedWithTheLoopItMakes) {
    make({{"u"}, {"w"}}, {{"y", [](const FormulaState& s) { return s.x + real(s, 1); }, {0, 1}}});
    assembly_.descriptions[1].dependencies[0] = {1, std::vector{0u}, std::vector{0u}};
    probe();
    EXPECT_THAT(
        findings(),
        ElementsAre(
            AllOf(HasSubstr("note: unit \"it\": declared, but not seen, that y moves at "
                            "once with u"),
                  HasSubstr("write y: {feedthrough: [w]} under the outputs of unit "
                            "\"it\"")),
            HasSubstr("unit \"other\": declared, but not seen, that y moves at once with u"),
            AllOf(HasSubstr("would be no feed-through loop at initialization over it.y, "
                            "other.y"),
                  HasSubstr("nor feed-through loop in each step over it.y, other.y"))));
}

TEST_F(Probe, SeesThroughDeadZonesAndSaturation) {
    make({{"u"}, {"v"}},
         {{"dead", [](const FormulaState& s) { return std::max(0.0, real(s, 0) - 5); }, {0}},
          {"full", [](const FormulaState& s) { return std::min(1.0, real(s, 1) + 1); }, {1}}});
    probe();
    EXPECT_THAT(findings(), IsEmpty());
}

TEST_F(Probe, ChangesInputsOfEveryType) {
    const auto number = [](const FormulaState& s, std::size_t i) {
        return static_cast<double>(std::get<std::int64_t>(s.inputs[i]));
    };
    make({{"n", std::int64_t{3}, ValueType::uint8},
          {"e", std::int64_t{1}, ValueType::enumeration},
          {"b", true, ValueType::boolean},
          {"s", std::string("text"), ValueType::string},
          {"big", std::int64_t{-1}, ValueType::uint64}},
         {{"of_n", [=](const FormulaState& s) { return number(s, 0); }, {0}},
          {"of_e", [=](const FormulaState& s) { return number(s, 1); }, {1}},
          {"of_b",
           [](const FormulaState& s) { return std::get<bool>(s.inputs[2]); },
           {2},
           ValueType::boolean},
          {"of_s", [](const FormulaState& s) { return s.inputs[3]; }, {3}, ValueType::string},
          {"of_big", [](const FormulaState& s) { return s.inputs[4]; }, {4}, ValueType::uint64}});
    probe({.while_initializing = false, .after_steps = {0}});
    EXPECT_THAT(influences(), ElementsAre("of_n of n at t = 0 s", "of_e of e at t = 0 s",
                                          "of_b of b at t = 0 s", "of_big of big at t = 0 s"));
    EXPECT_THAT(findings(), ElementsAre(HasSubstr("note: unit \"it\": not probed, as there is no "
                                                  "other value to try: s (string)")));
}

TEST_F(Probe, AUnitThatRefusesLargeChangesIsTriedWithSmallOnes) {
    FormulaTraits traits;
    traits.fails = [](const FormulaState& s) { return std::abs(real(s, 1)) > 1e-8; };
    make({{"u"}, {"w"}}, {{"y", [](const FormulaState& s) { return real(s, 1); }, {1}}}, traits);
    probe();
    EXPECT_THAT(influences(),
                UnorderedElementsAre("y of w at t = 0 s, initializing", "y of w at t = 0 s"));
    EXPECT_THAT(findings(), ElementsAre(AllOf(
                                HasSubstr("unit \"it\" refused"),
                                HasSubstr("values of input \"w\", the first of them 1 at t = 0 s, "
                                          "initializing: unit \"it\" failed in set"))));
}

TEST_F(Probe, NotANumberIsARefusalNotAMovement) {
    make({{"u"}, {"w"}}, {{"y", [](const FormulaState& s) { return std::sqrt(real(s, 1)); }, {1}}});
    probe();
    EXPECT_THAT(influences(), ElementsAre("y of w at t = 0 s, initializing", "y of w at t = 0 s"));
    EXPECT_THAT(findings(), ElementsAre(HasSubstr("the first of them -1 at t = 0 s, initializing: "
                                                  "output \"y\" is not a number")));
}

TEST_F(Probe, ANoisyOutputIsNotJudged) {
    make({{"u"}}, {{"y", [](const FormulaState& s) { return s.x; }, {}},
                   {"noise", [](const FormulaState& s) { return double(s.readings); }, {}}});
    probe();
    EXPECT_THAT(influences(), IsEmpty());
    EXPECT_THAT(findings(), ElementsAre(HasSubstr(
                                "not judged, as it changes though nothing is changed: noise")));
}

TEST_F(Probe, AUnitThatIsNotRestoredIsFoundOut) {
    FormulaTraits traits;
    traits.forgets_to_restore_inputs = true;
    make({{"u"}}, {{"y", [](const FormulaState& s) { return s.x; }, {}}}, traits);
    probe();
    EXPECT_THAT(findings(),
                ElementsAre(AllOf(HasSubstr("warning: unit \"it\" does not come back to a state "
                                            "that it has saved: \"u\" was 0 when its state was "
                                            "saved and is 1 when it is restored at t = 0 s"),
                                  HasSubstr("it does no harm here"))));
}

TEST_F(Probe, AUnitThatIsNotRestoredButMustBeIsAnError) {
    FormulaTraits traits;
    traits.forgets_to_restore_inputs = true;
    make({{"u"}}, {{"y", [](const FormulaState& s) { return s.x; }, {}}}, traits);
    assembly_.scenario.algorithm.recipe = scenario::Recipe::iterated_jacobi;
    probe();
    EXPECT_THAT(findings(), ElementsAre(HasSubstr("error: unit \"it\" does not come back")));
}

TEST_F(Probe, AUnitThatCannotSaveItsStateIsLeftAlone) {
    make({{"u"}}, {{"y", [](const FormulaState& s) { return real(s, 0); }, {}}},
         {.can_save = false, .forgets_to_restore_inputs = false, .fails = {}});
    probe();
    EXPECT_THAT(influences(), IsEmpty());
    EXPECT_THAT(findings(),
                ElementsAre(AllOf(HasSubstr("note: unit \"it\" is not probed: it cannot save and "
                                            "restore its state"),
                                  HasSubstr("declare the feed-through of its outputs"))));
}

TEST_F(Probe, AFaultOfTheRunItselfIsAnErrorAndWhatWasSeenStays) {
    make({{"u"}}, {{"y", [](const FormulaState& s) { return s.x < 0.5 ? real(s, 0) : NAN; }, {}}});
    probe();
    EXPECT_THAT(influences(), ElementsAre("y of u at t = 0 s, initializing", "y of u at t = 0 s"));
    EXPECT_THAT(findings(), ElementsAre(HasSubstr("write y: {feedthrough: [u]}"),
                                        HasSubstr("error: unit \"it\": output \"y\" is nan")));
}

} // namespace
} // namespace rubato::pipeline
