// SPDX-License-Identifier: Apache-2.0
#include "scenarios.hpp"
#include "support/conf_corpus.hpp"

#include <rubato/algorithm/events.hpp>
#include <rubato/algorithm/verify.hpp>

#include <gmock/gmock.h>

namespace rubato::algorithm::testing {
namespace {

using test::corpus_files;

std::string messages(const Verdict& verdict) {
    std::string text;
    for (const Violation& violation : verdict.violations) text += violation.message + "\n";
    return text;
}

TEST(ConfCorpus, CorrectAlgorithmsResolveAndVerify) {
    RUBATO_NEEDS_CONF_CORPUS();
    for (const auto& file : corpus_files("correct")) {
        SCOPED_TRACE(file);
        const Loaded loaded = load_conf(file);
        EXPECT_FALSE(loaded.diagnostics.has_errors()) << loaded.said();
        EXPECT_EQ(messages(verify(loaded.system, loaded.algorithm)), "");
    }
}

/// A file of `mistakes/`, what was planted in it, and what must be said of it. The first thing said
/// must hold all the fragments.
struct Mistake {
    std::string file, planted;
    std::vector<std::string> fragments;
};

const std::vector<Mistake> mistakes = {
    {"algebraic_loop_msd_no_looproutine",
     "a reactivity loop without a loop",
     {"set msd2.x1 (operation 3 of the step procedure \"cosim-step1\")", "msd2.x1 is reactive",
      "msd1 and msd2 each wait for the other to step first",
      "into a fixed-point loop with roll-back"}},
    {"loop_within_loop_forgot_one_connection",
     "an output of a loop that is not got",
     {"A.v is never got in the step procedure \"cosim-step1\"", "it is connected to B.v",
      "get A.v in the step procedure"}},
    {"simple_master_can_reject_step",
     "a unit that may reject a step, which nothing negotiates",
     {"step msd2 (operation 7 of the step procedure \"cosim-step1\")", "msd2.x1 is reactive",
      "msd1 has accepted no more of its step", "step msd2 as far as msd1",
      "put both into a negotiation"}},
    {"simple_master_forget_connection",
     "a connection that is not used",
     {"msd1.v1 is never got in the step procedure \"cosim-step1\"", "it is connected to msd2.v1"}},
    {"simple_master_get_set_wrong",
     "an input that is set before its source is got",
     {"set msd2.v1 (operation 3 of the step procedure \"cosim-step1\")",
      "msd2 stands at t=0, the value of msd1.v1 is from t=0",
      "get msd1.v1 and set msd2.v1 before: msd1 stands at t=1 already"}},
    {"simple_master_reactivity",
     "an input that is delayed and gets a value of the future",
     {"set msd2.x1 (operation 3 of the step procedure \"cosim-step1\")", "msd2.x1 is delayed",
      "msd2 stands at t=0, the value of msd1.x1 is from t=1",
      "set msd2.x1 after msd2 has stepped as far as msd1"}},
    {"simple_master_step_by_0",
     "a step by nothing",
     {":40: the step of msd1 is by 0: it must be between 1 and the largest step, 1",
      "leave it out to go by the common step"}},
};

std::string first_complaint(const Loaded& loaded) {
    if (loaded.diagnostics.has_errors()) return loaded.said();
    const Verdict verdict = verify(loaded.system, loaded.algorithm);
    if (verdict.correct()) return "nothing";
    return verdict.violations.front().message + "\n  " + verdict.violations.front().hint;
}

TEST(ConfCorpus, MistakesAreCalledWhatTheyAre) {
    RUBATO_NEEDS_CONF_CORPUS();
    for (const Mistake& mistake : mistakes) {
        SCOPED_TRACE(mistake.file + ": " + mistake.planted);
        const auto file = test::corpus_folder() / "mistakes" / (mistake.file + ".conf");
        const std::string complaint = first_complaint(load_conf(file));
        for (const std::string& fragment : mistake.fragments)
            EXPECT_THAT(complaint, ::testing::HasSubstr(fragment));
    }
}

TEST(ConfCorpus, EveryMistakeIsInTheTable) {
    RUBATO_NEEDS_CONF_CORPUS();
    std::vector<std::string> known, found;
    for (const Mistake& mistake : mistakes) known.push_back(mistake.file);
    for (const auto& file : corpus_files("mistakes")) found.push_back(file.stem());
    EXPECT_EQ(known, found);
}

TEST(ConfCorpus, WhatIsResolvedCanBeWrittenBack) {
    RUBATO_NEEDS_CONF_CORPUS();
    for (const auto& file : corpus_files()) {
        const Loaded loaded = load_conf(file);
        if (!loaded.scenario.written || loaded.diagnostics.has_errors()) continue;
        SCOPED_TRACE(file);
        scenario::Scenario scenario = with_contracts(loaded.scenario, loaded.system);
        scenario.written = write_algorithm(loaded.algorithm, loaded.system);
        const Loaded again = load_conf_text(write_conf(scenario));
        EXPECT_EQ(again.said(), "");
        EXPECT_EQ(write_algorithm(again.algorithm, again.system), *scenario.written);
    }
}

TEST(ConfCorpus, EventStrategiesOfFmi3ExamplesVerify) {
    RUBATO_NEEDS_CONF_CORPUS();
    for (const auto& file : corpus_files("fmi3")) {
        SCOPED_TRACE(file);
        const Loaded loaded = load_conf(file);
        EXPECT_EQ(loaded.said(), "");
        EXPECT_TRUE(verify_events(loaded.scenario).empty());
    }
}

} // namespace
} // namespace rubato::algorithm::testing
