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
    for (const char* key :
         {"rubato", "name", "units", "connections", "fmu", "model", "parameters", "start", "inputs",
          "outputs", "approximation", "mode", "contract", "feedthrough", "feedthrough-initial",
          "can-reject-step", "factor", "offset"}) {
        EXPECT_NE(text.find("`" + std::string(key) + "`"), std::string::npos) << key;
    }
}

} // namespace
} // namespace rubato::scenario
