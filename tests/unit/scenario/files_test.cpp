// SPDX-License-Identifier: Apache-2.0
#include "support.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace rubato::scenario::testing {
namespace {

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
        read_yaml(file, {}, diagnostics);
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
    const Scenario scenario = read_yaml(file, {}, diagnostics);
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

} // namespace
} // namespace rubato::scenario::testing
