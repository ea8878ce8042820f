// SPDX-License-Identifier: Apache-2.0

/// Violations planted one at a time into descriptions that keep the standard: each is found, by its
/// rule and its line, and nothing else is.

#include "planted_violations.hpp"
#include "support/private_folder.hpp"
#include "support/zip_writer.hpp"

#include <rubato/models.hpp>
#include <rubato/unit/validation.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

namespace rubato::unit {
namespace {

using test::clean_fmi2;
using test::clean_fmi3;
using test::Planted;
using test::planted_violations;
using test::replaced;
using testing::ElementsAre;
using testing::UnorderedElementsAreArray;

test::ZipWriter packed(const std::string& xml) {
    const bool is_fmi3 = xml.find("instantiationToken") != std::string::npos;
    return test::ZipWriter()
        .add("modelDescription.xml", xml)
        .add("sources/crane.c", "")
        .add("documentation/index.html", "")
        .add(is_fmi3 ? "binaries/x86_64-linux/crane.so" : "binaries/linux64/crane.so", "");
}

std::vector<std::string> rules_of(const std::vector<Finding>& findings) {
    std::vector<std::string> ids;
    for (const Finding& finding : findings) ids.emplace_back(text_of(finding.rule).id);
    return ids;
}

/// What the tests print of findings.
std::string told(const std::vector<Finding>& findings) {
    std::string text;
    for (const Finding& finding : findings)
        text += to_string(finding.where) + ": " + finding.message + "\n";
    return text;
}

class Validation : public testing::Test {
protected:
    std::vector<Finding> findings_of(const test::ZipWriter& zip) {
        const auto file = folder_ / "m.fmu";
        zip.save(file);
        return validate(file);
    }
    std::vector<Finding> findings_of(const std::string& xml) { return findings_of(packed(xml)); }

    test::PrivateFolder folder_;
};

TEST_F(Validation, IsSilentOnCleanDescriptions) {
    EXPECT_EQ(told(findings_of(std::string(clean_fmi2))), "");
    EXPECT_EQ(told(findings_of(std::string(clean_fmi3))), "");
}

TEST_F(Validation, IsSilentOnTheFmusOfTheKit) {
    int count = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(KIT_FMUS)) {
        if (entry.path().extension() != ".fmu") continue;
        EXPECT_EQ(told(validate(entry.path())), "") << entry.path();
        ++count;
    }
    EXPECT_GE(count, 4 * 10);
}

class PlantedViolation : public Validation, public testing::WithParamInterface<Planted> {};

TEST_P(PlantedViolation, IsFoundByItsRuleAndNothingElseIs) {
    const Planted& planted = GetParam();
    const auto findings = findings_of(replaced(planted.clean, planted.from, planted.to));
    EXPECT_THAT(rules_of(findings), UnorderedElementsAreArray(planted.rules)) << told(findings);
}

INSTANTIATE_TEST_SUITE_P(All, PlantedViolation, testing::ValuesIn(planted_violations()));

TEST_F(Validation, FindsPlantedViolationsOfNearlyEveryRule) {
    std::set<std::string> planted;
    for (const Planted& violation : planted_violations())
        planted.insert(violation.rules.begin(), violation.rules.end());
    EXPECT_GE(planted.size(), 40u);
}

TEST_F(Validation, TellsTheLine) {
    const auto findings = findings_of(replaced(clean_fmi2, "<Real start=\"3\"/>", "<Real/>"));
    ASSERT_THAT(rules_of(findings), ElementsAre("missing-start"));
    const std::string text = clean_fmi2;
    const auto before = text.substr(0, text.find("<Real start=\"3\"/>"));
    EXPECT_EQ(findings.front().where.line, 1 + std::ranges::count(before, '\n'));
    EXPECT_THAT(findings.front().message, "fixed parameter \"k\" has no start value");
}

TEST_F(Validation, FindsTwoThingsAtOnce) {
    const auto twice = replaced(clean_fmi2, "<Real start=\"3\"/>", "<Real/>");
    EXPECT_THAT(rules_of(findings_of(replaced(twice, "nominal=\"10\"", "nominal=\"0\""))),
                ElementsAre("nominal-not-positive", "missing-start"));
}

TEST_F(Validation, OfArchives) {
    const auto with = [](const std::string& name) { return packed(clean_fmi2).add(name, "x"); };
    EXPECT_THAT(rules_of(findings_of(test::ZipWriter().add("readme", "x"))),
                ElementsAre("description-missing"));
    EXPECT_THAT(rules_of(findings_of(with("../evil"))), ElementsAre("archive-path"));
    EXPECT_THAT(rules_of(findings_of(with("sources/crane.c"))),
                ElementsAre("archive-duplicate-entry"));
    EXPECT_THAT(
        rules_of(findings_of(packed(clean_fmi2).add({.name = "l", .bytes = "x", .mode = 0120777}))),
        ElementsAre("archive-special-entry"));
    EXPECT_THAT(rules_of(findings_of(with("binaries/win64/winch.dll"))),
                ElementsAre("library-name"));
    EXPECT_THAT(rules_of(findings_of(test::ZipWriter()
                                         .add("modelDescription.xml", clean_fmi3)
                                         .add("documentation/readme.html", ""))),
                ElementsAre("binary-missing", "documentation-index"));
}

TEST_F(Validation, AllowsPlatformsOfVendors) {
    const auto with = [](const char* xml, const std::string& platform) {
        return packed(xml).add("binaries/" + platform + "/crane.so", "x");
    };
    EXPECT_EQ(told(findings_of(with(clean_fmi2, "amiga"))), "");
    EXPECT_EQ(told(findings_of(with(clean_fmi3, "riscv64-freertos"))), "");
    EXPECT_EQ(told(findings_of(with(clean_fmi3, "x86_64-windows-msvc140mt"))), "");
    EXPECT_THAT(rules_of(findings_of(with(clean_fmi3, "linux64"))), ElementsAre("platform-folder"));
    EXPECT_THAT(rules_of(findings_of(with(clean_fmi3, "x86_64-"))), ElementsAre("platform-folder"));
}

TEST_F(Validation, AllowsUndefinedDisplayUnitsInFmi2) {
    EXPECT_EQ(told(findings_of(replaced(clean_fmi2, "displayUnit=\"mm\"", "displayUnit=\"inch\""))),
              "");
}

TEST_F(Validation, OfFilesThatAreNoArchives) {
    const auto file = folder_ / "m.fmu";
    std::ofstream(file) << "this is no zip archive";
    EXPECT_THAT(rules_of(validate(file)), ElementsAre("archive-damaged"));
    files::ArchiveLimits limits;
    limits.entries = 1;
    packed(clean_fmi2).save(file);
    EXPECT_THAT(rules_of(validate(file, limits)), ElementsAre("archive-limits"));
    EXPECT_THROW(validate(folder_ / "none.fmu"), InputError);
}

TEST_F(Validation, OfOtherRoots) {
    EXPECT_THAT(rules_of(findings_of(std::string("<html/>"))), ElementsAre("root-element"));
    EXPECT_THAT(rules_of(findings_of(std::string("<fmiModelDescription fmiVersion=\"2.0\" "
                                                 "modelName=\"m\" guid=\"g\"/>"))),
                UnorderedElementsAreArray({"no-interface", "missing-element", "missing-element"}));
}

TEST(Rules, HaveIdsOfTheirOwnAndASectionOfTheStandard) {
    std::set<std::string_view> ids;
    for (const RuleText& rule : rules()) {
        EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
        EXPECT_FALSE(rule.fmi2.empty() && rule.fmi3.empty()) << rule.id;
        EXPECT_FALSE(rule.meaning.empty() || rule.consequence.empty()) << rule.id;
    }
}

TEST(Rules, AreThoseOfTheDocumentation) {
    std::ifstream file(DOCS "/explanation/validation.md");
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    EXPECT_NE(text.find(rules_reference()), std::string::npos)
        << "docs/explanation/validation.md must hold this table:\n"
        << rules_reference();
}

} // namespace
} // namespace rubato::unit
