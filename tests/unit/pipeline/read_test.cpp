// SPDX-License-Identifier: Apache-2.0
#include <rubato/pipeline/formats.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace rubato::pipeline {
namespace {

std::string text_of(const Diagnostics& diagnostics) {
    std::string text;
    for (const Diagnostic& diagnostic : diagnostics.all()) text += to_string(diagnostic) + "\n";
    return text;
}

class Files : public ::testing::Test {
protected:
    void SetUp() override {
        folder = std::filesystem::temp_directory_path() /
                 ("rubato-scenario-files-" + std::to_string(::getpid()));
        std::filesystem::create_directories(folder);
    }
    void TearDown() override { std::filesystem::remove_all(folder); }

    std::string said(const std::filesystem::path& file) const {
        Diagnostics diagnostics;
        (void)read(file, diagnostics);
        return text_of(diagnostics);
    }
    std::filesystem::path folder;
};

TEST_F(Files, ThatDoNotExistAreReported) {
    const auto file = folder / "none.yaml";
    EXPECT_EQ(said(file), file.string() + ": there is no such file\n  looked for it from " +
                              std::filesystem::current_path().string() + "\n");
}

TEST_F(Files, FoldersAreReportedWithTheScenarioInThem) {
    EXPECT_EQ(said(folder), folder.string() + ": is a folder, not a scenario file\n");
    std::ofstream(folder / "scenario.yaml") << "rubato: 1\n";
    EXPECT_EQ(said(folder), folder.string() +
                                ": is a folder, not a scenario file\n  did you mean " +
                                (folder / "scenario.yaml").string() + "?\n");
}

TEST_F(Files, AreReadAndNamedInMessages) {
    const auto file = folder / "crane.yaml";
    std::ofstream(file) << "rubato: 1\nunits: {a: {model: m}}\n";
    Diagnostics diagnostics;
    const scenario::Scenario scenario = read(file, diagnostics);
    EXPECT_EQ(text_of(diagnostics), "");
    EXPECT_EQ(scenario.name, "crane");
    EXPECT_EQ(scenario.file, file);
    EXPECT_EQ(scenario.units.at(0).where.file, file.string());
}

TEST_F(Files, BeyondTheSizeLimitAreRefused) {
    const auto file = folder / "large.yaml";
    std::ofstream(file) << "rubato: 1\n";
    std::filesystem::resize_file(file, std::uintmax_t{1} << 32);
    EXPECT_EQ(said(file), file.string() + ": is larger than 16 MB\n"
                                          "  this does not look like a scenario\n");
}

TEST_F(Files, AreReadByContentWhateverTheirNames) {
    constexpr auto conf = "name = n\nscenario = {\n  fmus = {a = {}}\n  connections = []\n}\n";
    Diagnostics diagnostics;
    std::ofstream(folder / "yaml.conf") << "rubato: 1\nunits: {a: {model: m}}\n";
    std::ofstream(folder / "conf.txt") << conf;
    EXPECT_EQ(read(folder / "yaml.conf", diagnostics).units.at(0).origin,
              scenario::UnitOrigin(scenario::NativeModel{"m"}));
    EXPECT_EQ(read(folder / "conf.txt", diagnostics).name, "n");
    EXPECT_EQ(parse(conf, "stdin", diagnostics).name, "n");
    EXPECT_EQ(text_of(diagnostics), "");
}

TEST_F(Files, SettingsChangeEveryFormatAlike) {
    constexpr auto yaml = "rubato: 1\nunits: {a: {inputs: {u: {contract: delayed}}}}\n"
                          "experiment: {stop: 2}\n";
    constexpr auto conf = "name = n\nscenario = {\n  fmus = {a = {inputs = {u = "
                          "{reactivity=delayed}}}}\n  connections = []\n}\n";
    const std::vector<scenario::Override> settings = {{"units.a.inputs.u.contract", "reactive"},
                                                      {"experiment.stop", "3"},
                                                      {"units.a.start.u", "4"}};
    for (const char* text : {yaml, conf}) {
        std::ofstream(folder / "s.txt") << text;
        Diagnostics diagnostics;
        const scenario::Scenario scenario = read(folder / "s.txt", settings, diagnostics);
        EXPECT_EQ(text_of(diagnostics), "");
        ASSERT_EQ(scenario.units.at(0).inputs.size(), 1u);
        EXPECT_EQ(scenario.units[0].inputs[0].contract, scenario::Reactivity::reactive);
        EXPECT_EQ(scenario.units[0].start.at(0).value, Value(std::int64_t{4}));
        EXPECT_EQ(scenario.experiment.stop, 3);
    }
}

} // namespace
} // namespace rubato::pipeline
