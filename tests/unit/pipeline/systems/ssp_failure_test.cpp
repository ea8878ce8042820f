// SPDX-License-Identifier: Apache-2.0

/// What is said of SSP systems that are wrong.

#include "support/zip_writer.hpp"
#include "system_folder.hpp"

namespace rubato::test {
namespace {

class WrongSsp : public SystemFolder {
protected:
    void SetUp() override {
        copy_fmu("fmi2/msd1.fmu", "resources/msd1.fmu");
        copy_fmu("fmi2/msd2.fmu", "resources/msd2.fmu");
    }

    void expect_said(const std::string& text, const std::string& expected) const {
        const std::string what = said(write("SystemStructure.ssd", text));
        EXPECT_NE(what.find(expected), std::string::npos) << what;
    }
};

TEST_F(WrongSsp, AllProblemsOfAFileAreReportedAtOnce) {
    const std::string what = said(
        write("SystemStructure.ssd",
              ssd(elements(msd1() + msd2()) +
                  connections(connection("msd1.x1", "msd2.x3") + connection("msd3.x1", "msd2.x1") +
                              connection("msd1.x1", "msd2.Fc") + connection("msd1.x1", "msd2.x1") +
                              connection("msd1.v1", "msd2.x1")))));
    for (const char* expected :
         {"SystemStructure.ssd:9: \"msd2\" has no connector \"x3\"",
          "system \"root\" has no element \"msd3\"\n  did you mean \"msd1\"?",
          "\"msd1.x1\" cannot be connected to \"msd2.Fc\": both give values",
          "\"msd2.x1\" has two sources\n  the other is at SystemStructure.ssd:"})
        EXPECT_NE(what.find(expected), std::string::npos) << expected << "\n" << what;
}

TEST_F(WrongSsp, WhatIsNotInTheSchemaIsNamed) {
    expect_said("<ssd:SystemStructureDescription name='a'>",
                "SystemStructure.ssd:1: is not well-formed XML");
    expect_said("<a/>", "the root is <a> instead of <SystemStructureDescription>");
    expect_said("<SystemStructureDescription name='a' version='1.0'/>", "there is no <System>");
    expect_said(ssd(elements(component("a", "resources/msd1.fmu", connector("x1", "outputt")))),
                "connector \"x1\" is of kind \"outputt\", which SSP does not know\n  did you mean "
                "\"output\"?");
    expect_said(ssd(elements("<ssd:Component source='resources/msd1.fmu'/>")),
                "<ssd:Component> lacks its attribute \"name\"");
    expect_said(
        ssd(elements(msd1() + msd2()) +
            connections(connection("msd1.x1", "msd2.x1", "<ssc:CubicTransformation factor='2'/>"))),
        "<ssc:CubicTransformation> is no transformation that SSP knows");
    expect_said(ssd(elements(msd1()) + "<ssd:Extra/>"),
                "warning: <ssd:Extra> within <ssd:System> has no effect");
    expect_said(ssd(elements(msd1(bindings(binding(parameter_set(parameter("m1", "heavy"))))))),
                "\"heavy\" of parameter \"m1\" is no Real");
}

TEST_F(WrongSsp, ComponentsThatCannotBeRunAreNamed) {
    expect_said(ssd(elements("<ssd:Component name='a'/>")), "component \"a\" has no source");
    expect_said(ssd(elements(component("a", "http://host/a.fmu", ""))),
                "\"http://host/a.fmu\" cannot be read: files are found by a path, not by http:");
    expect_said(ssd(elements("<ssd:Component name='a' source='m.mo' type='text/x-modelica'/>")),
                "component \"a\" is of type \"text/x-modelica\", which Rubato cannot run");
    expect_said(ssd(elements("<ssd:Component name='a' source='resources/msd1.fmu' "
                             "implementation='ScheduledExecution'/>")),
                "implementation=\"ScheduledExecution\" cannot be run");
    expect_said(ssd(""), "the system has no components");
}

TEST_F(WrongSsp, FilesOutsideThePackageAreNotReached) {
    write("SystemStructure.ssd",
          ssd(elements(component("a", "../msd1.fmu", "") + component("b", "/etc/passwd", "")) +
              bindings(R"(<ssd:ParameterBinding source="../../secret.ssv"/>)")));
    const std::string what = said(pack("system.ssp"));
    for (const char* expected : {"component \"a\": \"../msd1.fmu\": leads out of the package",
                                 "component \"b\": \"/etc/passwd\": leads out of the package",
                                 "\"../../secret.ssv\": leads out of the package"})
        EXPECT_NE(what.find(expected), std::string::npos) << expected << "\n" << what;
}

TEST_F(WrongSsp, ArchivesAreNotTrusted) {
    const auto file = folder() / "evil.ssp";
    ZipWriter().add("SystemStructure.ssd", ssd("")).add("../evil", "x").save(file);
    EXPECT_NE(said(file).find("evil.ssp: "), std::string::npos) << said(file);
    ZipWriter().add("readme.txt", "x").save(file);
    EXPECT_NE(said(file).find("the package has no SystemStructure.ssd"), std::string::npos);
    std::ofstream(file) << "PK\x03\x04 damaged";
    EXPECT_NE(said(file).find("evil.ssp: "), std::string::npos);
}

TEST_F(WrongSsp, SystemsThatContainThemselvesAreReported) {
    expect_said(ssd(elements("<ssd:Component name='a' type='application/x-ssp-definition' "
                             "source='SystemStructure.ssd'/>")),
                "component \"a\": the system contains itself");
    expect_said(ssd(elements("<ssd:System name='s' id='me'><ssd:Elements><ssd:Component name='a' "
                             "source='#me'/></ssd:Elements></ssd:System>")),
                "the system \"#me\" contains itself");
}

TEST_F(WrongSsp, MissingFilesAreNamedWithTheirLine) {
    expect_said(ssd(bindings(R"(<ssd:ParameterBinding source="none.ssv"/>)") + elements(msd1())),
                "\"none.ssv\": there is no such file");
    expect_said(ssd(elements(msd1() + "<ssd:Component name='p' source='none.ssp' "
                                      "type='application/x-ssp-package'/>")),
                "component \"p\": \"none.ssp\": there is no such file");
}

} // namespace
} // namespace rubato::test
