// SPDX-License-Identifier: Apache-2.0
#include <rubato/scenario/yaml.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace rubato::scenario {
namespace {

std::string page(const std::string& name) {
    std::ifstream file(RUBATO_DOCS "/reference/" + name);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

/// docs/reference/settings.md.
std::string settings_page() {
    return "# Settings\n\n"
           "The keys of those sections of a [scenario](scenario.md) that hold plain settings. The "
           "tables are\ngenerated from the declarations in the code: `scripts/reference.sh` "
           "writes this page and a test\ncompares it. A dash means that there is no fixed default: "
           "the meaning says what holds then.\n\n" +
           settings_reference();
}

TEST(SettingsReference, NamesKeyValuesDefaultAndMeaning) {
    const std::string reference = settings_reference();
    EXPECT_NE(reference.find("## `experiment`\n\n| key | values | default | meaning |\n"
                             "|---|---|---|---|\n| `start` | number | `0` | start time"),
              std::string::npos)
        << reference;
    EXPECT_NE(reference.find("| `at-limit` | `stop`, `accept` | `stop` | "), std::string::npos)
        << reference;
    EXPECT_NE(reference.find("| `file` | text | – | "), std::string::npos) << reference;
}

TEST(SettingsReference, IsThePageOfTheDocumentation) {
    if (std::getenv("RUBATO_WRITE_REFERENCE"))
        std::ofstream(RUBATO_DOCS "/reference/settings.md") << settings_page();
    EXPECT_EQ(page("settings.md"), settings_page()) << "run scripts/reference.sh";
}

/// The keys that the reader knows where it meets an unknown one: its own list, in the message.
std::vector<std::string> keys_known_in(const std::string& text) {
    Diagnostics diagnostics;
    parse_yaml(text, "keys.yaml", diagnostics);
    for (const auto& entry : diagnostics.all()) {
        const std::size_t list = entry.hint.rfind(" are: ");
        if (entry.message.find("nonsense") == std::string::npos || list == std::string::npos)
            continue;
        std::vector<std::string> keys;
        std::stringstream names(entry.hint.substr(list + 6));
        for (std::string key; std::getline(names >> std::ws, key, ',');)
            if (!key.starts_with("…")) keys.push_back(key); // … (15 in all)
        return keys;
    }
    return {};
}

/// Scenarios with an unknown key in every section that has keys.
std::vector<std::string> scenarios_with_an_unknown_key() {
    std::vector<std::string> scenarios;
    for (const char* part :
         {"nonsense: 1", "inputs: {u: {nonsense: 1}}", "outputs: {y: {nonsense: 1}}",
          "solver: {nonsense: 1}", "isolate: {nonsense: 1}", "logging: {nonsense: 1}",
          "losses: [{nonsense: 1}]"})
        scenarios.push_back("rubato: 1\nunits: {a: {model: m, " + std::string(part) + "}}");
    for (const char* section :
         {"nonsense: 1", "connections: [a.y -> a.u: {nonsense: 1}]", "experiment: {nonsense: 1}",
          "step-control: {nonsense: 1}", "step-limits: {nonsense: 1}",
          "step-limits: {changes: [{nonsense: 1}]}", "step-limits: {sampling: [{nonsense: 1}]}",
          "algorithm: {nonsense: 1}", "algorithm: {step: [{loop: {nonsense: 1}}]}",
          "loops: {nonsense: 1}", "events: {nonsense: 1}", "record: {nonsense: 1}",
          "configurations: {c: {nonsense: 1}}", "bonds: {b: {nonsense: 1}}",
          "clocks: {nonsense: 1}", "clocks: {units: {a: {nonsense: 1}}}"})
        scenarios.push_back("rubato: 1\nunits: {a: {model: m}}\n" + std::string(section));
    return scenarios;
}

TEST(Documentation, NamesEveryKeyThatTheReaderKnows) {
    const std::string text = page("scenario.md") + page("settings.md");
    for (const std::string& scenario : scenarios_with_an_unknown_key()) {
        const auto keys = keys_known_in(scenario);
        EXPECT_FALSE(keys.empty()) << scenario;
        for (const std::string& key : keys)
            EXPECT_NE(text.find("`" + key + "`"), std::string::npos) << key << " of:\n" << scenario;
    }
}

/// The YAML of the documentation that is a section of its own, not a whole file or a part of a
/// unit.
std::vector<std::string> documented_sections() {
    const std::string text = page("scenario.md");
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
