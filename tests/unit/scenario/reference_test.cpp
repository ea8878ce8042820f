// SPDX-License-Identifier: Apache-2.0
#include <rubato/scenario/yaml.hpp>

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace rubato::scenario {
namespace {

std::string documentation() {
    std::ifstream file(RUBATO_DOCS "/scenario.md");
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

TEST(SettingsReference, NamesKeyKindDefaultAndMeaning) {
    const std::string reference = settings_reference();
    EXPECT_NE(reference.find("experiment:\n  start: number; default: 0\n      time at which"),
              std::string::npos)
        << reference;
    EXPECT_NE(reference.find("  at-limit: stop | accept; default: stop\n"), std::string::npos)
        << reference;
    EXPECT_NE(reference.find("  file: text; default: not given\n"), std::string::npos) << reference;
}

TEST(SettingsReference, StandsInTheDocumentationAsItIs) {
    EXPECT_NE(documentation().find(settings_reference()), std::string::npos)
        << "docs/scenario.md must contain:\n"
        << settings_reference();
}

TEST(Documentation, NamesEveryKeyThatIsNotASetting) {
    const std::string text = documentation();
    for (const char* key : {"rubato",
                            "name",
                            "units",
                            "connections",
                            "fmu",
                            "model",
                            "parameters",
                            "start",
                            "inputs",
                            "outputs",
                            "approximation",
                            "mode",
                            "contract",
                            "feedthrough",
                            "feedthrough-initial",
                            "can-reject-step",
                            "factor",
                            "offset",
                            "variability",
                            "step-limits",
                            "changes",
                            "sampling",
                            "largest-step",
                            "configurations",
                            "clocks",
                            "initialization",
                            "step",
                            "steps",
                            "loop",
                            "iterate",
                            "until-converged",
                            "until-step-accept",
                            "if-retry-needed",
                            "parallel",
                            "get-tentative",
                            "set-tentative",
                            "procedure"}) {
        EXPECT_NE(text.find("`" + std::string(key) + "`"), std::string::npos) << key;
    }
}

/// The YAML of the documentation that is a section of its own, not a whole file or a part of a
/// unit.
std::vector<std::string> documented_sections() {
    const std::string text = documentation();
    const std::string fence = "\n```";
    std::vector<std::string> sections;
    for (std::size_t at = text.find(fence + "yaml\n"); at != std::string::npos;
         at = text.find(fence + "yaml\n", at + 1)) {
        const std::size_t begin = at + fence.size() + 5;
        const std::string block = text.substr(begin, text.find(fence, begin) - begin);
        if (block[0] != ' ' && !block.starts_with("rubato:")) sections.push_back(block);
    }
    return sections;
}

TEST(Documentation, ItsSectionsCanBeRead) {
    const auto sections = documented_sections();
    EXPECT_GE(sections.size(), 4u);
    for (const std::string& section : sections) {
        Diagnostics diagnostics;
        parse_yaml("rubato: 1\nunits: {a: {model: m}}\n" + section + "\n", "docs", diagnostics);
        EXPECT_FALSE(diagnostics.has_errors()) << section;
    }
}

} // namespace
} // namespace rubato::scenario
