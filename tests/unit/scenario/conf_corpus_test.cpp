// SPDX-License-Identifier: Apache-2.0
#include "essence.hpp"
#include "support.hpp"
#include "support/conf_corpus.hpp"

#include <rubato/scenario/conf.hpp>

namespace rubato::scenario::testing {
namespace {

using test::corpus_files;

Scenario read_silently(const std::filesystem::path& file) {
    Diagnostics diagnostics;
    Scenario scenario = parse_conf(test::text_of_file(file), file, diagnostics);
    EXPECT_EQ(text_of(diagnostics), "");
    return scenario;
}

TEST(ConfCorpus, EveryFileReadsWithoutProblems) {
    RUBATO_NEEDS_CONF_CORPUS();
    for (const auto& file : corpus_files()) {
        SCOPED_TRACE(file);
        const Scenario scenario = read_silently(file);
        EXPECT_FALSE(scenario.name.empty());
        EXPECT_GE(scenario.units.size(), 2u);
        EXPECT_EQ(scenario.clocks.has_value(), file.parent_path().filename() == "fmi3");
    }
}

TEST(ConfCorpus, EveryFileResolves) {
    RUBATO_NEEDS_CONF_CORPUS();
    for (const auto& file : corpus_files()) {
        SCOPED_TRACE(file);
        const Scenario scenario = read_silently(file);
        std::vector<UnitDescription> descriptions;
        for (const Unit& unit : scenario.units) descriptions.push_back(declared_description(unit));
        Resolved resolved;
        resolved.system = resolve(scenario, descriptions, resolved.diagnostics);
        EXPECT_EQ(resolved.problems(), "");
        EXPECT_EQ(resolved.system.configurations.size(), scenario.configurations.size());
        EXPECT_EQ(resolved.system.largest_step, scenario.largest_step);
    }
}

TEST(ConfCorpus, WhatIsWrittenReadsBackTheSame) {
    RUBATO_NEEDS_CONF_CORPUS();
    for (const auto& file : corpus_files()) {
        SCOPED_TRACE(file);
        const Scenario scenario = read_silently(file);
        const std::string text = write_conf(scenario);
        Diagnostics diagnostics;
        const Scenario again = parse_conf(text, file, diagnostics);
        EXPECT_EQ(text_of(diagnostics), "") << text;
        EXPECT_EQ(essence(again), essence(scenario)) << text;
        EXPECT_EQ(write_conf(again), text);
    }
}

TEST(ConfCorpus, TheSameScenarioComesBackFromYaml) {
    RUBATO_NEEDS_CONF_CORPUS();
    for (const auto& file : corpus_files()) {
        SCOPED_TRACE(file);
        const Scenario scenario = read_silently(file);
        const std::string text = write_yaml(scenario);
        const Parsed parsed = parse(text);
        EXPECT_EQ(parsed.said(), "") << text;
        EXPECT_EQ(essence(parsed.scenario), essence(scenario)) << text;
    }
}

} // namespace
} // namespace rubato::scenario::testing
