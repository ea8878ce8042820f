// SPDX-License-Identifier: Apache-2.0

/// What people hand to Rubato that is no scenario.

#include <rubato/pipeline/formats.hpp>

#include <gtest/gtest.h>

namespace rubato::pipeline {
namespace {

/// Empty: it may be a scenario.
std::string said_of_file(const std::string& file, const std::string& text) {
    if (const Format& format = recognize(text, file); format.read && format.name != "conf")
        return "";
    Diagnostics diagnostics;
    (void)parse(text, file, diagnostics);
    EXPECT_TRUE(diagnostics.has_errors()) << file;
    return diagnostics.all().empty() ? "" : to_string(diagnostics.all()[0]) + "\n";
}

void expect_recognized(const std::string& file, const std::string& text, const std::string& what) {
    const std::string said = said_of_file(file, text);
    EXPECT_EQ(said.substr(0, said.find('\n')), file + ": " + what);
    EXPECT_NE(said.find("\n  "), std::string::npos) << "what to do is missing: " << said;
}

TEST(Foreign, FmusAreRecognizedByContentAndName) {
    expect_recognized("w.fmu", "PK\x03\x04…", "is an FMU, not a scenario");
    expect_recognized("w.fmu", "", "is an FMU, not a scenario");
    expect_recognized("w.zip", "PK\x03\x04 modelDescription.xml", "is an FMU, not a scenario");
    EXPECT_NE(said_of_file("w.fmu", "PK\x03\x04").find("rubato simulate w.fmu runs it"),
              std::string::npos);
    expect_recognized("w.zip", "PK\x03\x04", "is an archive, not a scenario");
}

TEST(Foreign, SystemsOfOtherToolsAreRecognized) {
    EXPECT_EQ(recognize("PK\x03\x04", "s.ssp").name, "ssp");
    EXPECT_EQ(recognize("", "s.ssp").name, "ssp");
    EXPECT_EQ(recognize("PK\x03\x04 SystemStructure.ssd", "s.zip").name, "ssp");
    EXPECT_EQ(recognize("", "s.ssd").name, "ssd");
    EXPECT_EQ(
        recognize("\xEF\xBB\xBF<?xml version='1.0'?>\n<ssd:SystemStructureDescription>", "s.xml")
            .name,
        "ssd");
    EXPECT_EQ(recognize("<?xml version='1.0'?>\n<OspSystemStructure>", "a.xml").name, "osp");
    EXPECT_EQ(recognize("tStart 0 s\n", "p.msim").name, "master-sim");
    EXPECT_EQ(recognize("{\"fmus\": {\"{a}\": \"a.fmu\"}, \"connections\": {}}", "mm.json").name,
              "maestro");
}

TEST(Foreign, PartsAndResultsAreRecognized) {
    expect_recognized("modelDescription.xml", "<fmiModelDescription>",
                      "is the description of a model, not a scenario");
    expect_recognized("a.xml", "<a/>", "is XML, not a scenario");
    expect_recognized("r.csv", "time,x\n", "is a table of values, not a scenario");
}

TEST(Foreign, ConfFilesAreInUtf8) {
    expect_recognized("s.conf", "\xFF\xFEn", "is encoded in UTF-16");
    EXPECT_EQ(said_of_file("s.yaml", "\xFF\xFEn"), "") << "YAML may be";
}

TEST(Foreign, ScenariosAreNot) {
    EXPECT_EQ(said_of_file("s.yaml", "rubato: 1\n"), "");
    EXPECT_EQ(said_of_file("s.json", "{\"rubato\": 1, \"connections\": [], \"fmus\": 1}"), "");
    EXPECT_EQ(recognize("name = a\n", "s.conf").name, "conf");
    EXPECT_EQ(said_of_file("s.yaml", ""), "");
}

TEST(Formats, AreKnownByNameAndExtension) {
    EXPECT_EQ(scenario_format("a/s.conf").name, "conf");
    EXPECT_EQ(scenario_format("s.yaml").name, "yaml");
    EXPECT_EQ(scenario_format("s.json").name, "yaml") << "which JSON is a part of";
    EXPECT_NE(find_written_format("conf"), nullptr);
    EXPECT_EQ(find_written_format("ssp"), nullptr);
    for (const Format& format : formats())
        EXPECT_TRUE(format.is_read() || (!format.problem.empty() && format.advice)) << format.name;
}

} // namespace
} // namespace rubato::pipeline
