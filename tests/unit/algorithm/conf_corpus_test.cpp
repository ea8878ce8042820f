// SPDX-License-Identifier: Apache-2.0
#include "scenarios.hpp"
#include "support/conf_corpus.hpp"

#include <rubato/algorithm/events.hpp>
#include <rubato/algorithm/verify.hpp>

#include <gtest/gtest.h>

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

TEST(ConfCorpus, MistakesAreFoundWhenResolvedOrVerified) {
    RUBATO_NEEDS_CONF_CORPUS();
    for (const auto& file : corpus_files("mistakes")) {
        SCOPED_TRACE(file);
        const Loaded loaded = load_conf(file);
        const bool steps_by_0 = file.stem() == "simple_master_step_by_0";
        EXPECT_EQ(loaded.diagnostics.has_errors(), steps_by_0) << loaded.said();
        if (steps_by_0) {
            EXPECT_NE(loaded.said().find(":40: the step of msd1 is by 0"), std::string::npos);
        } else {
            EXPECT_FALSE(verify(loaded.system, loaded.algorithm).correct());
        }
    }
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
