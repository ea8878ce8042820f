// SPDX-License-Identifier: Apache-2.0

/// What cannot be exported, and what exported FMUs make of inner units that misbehave.

#include "support/collecting_log.hpp"
#include "support/error_text.hpp"
#include "support/exporter.hpp"
#include "support/zip_writer.hpp"

#include <rubato/files/archive.hpp>
#include <rubato/files/output_file.hpp>

#include <gmock/gmock.h>

namespace rubato::test {
namespace {

namespace fs = std::filesystem;
using pipeline::ExportVersion;
using testing::AllOf;
using testing::HasSubstr;

class ExportFailure : public testing::Test {
protected:
    fs::path scenario_with(const std::string& unit) {
        return exporter.write("s.yaml", "rubato: 1\nname: s\nunits:\n  it: {" + unit +
                                            "}\nexperiment: {step: 0.2, stop: 1}\n");
    }
    /// The problems; nothing must have been written.
    std::string refusal(const std::string& unit, ExportVersion version = ExportVersion::fmi2) {
        EXPECT_FALSE(exporter.export_file(scenario_with(unit), version, "out.fmu"));
        EXPECT_FALSE(fs::exists(exporter.folder / "out.fmu"));
        return exporter.problems;
    }
    std::string misuse(const std::string& behaviour) {
        return std::string("fmu: ") + MISUSE_FMUS + "/" + behaviour + ".fmu";
    }
    std::unique_ptr<unit::Unit> made_of(const std::string& unit, ExportVersion version) {
        const auto fmu = exporter.export_file(scenario_with(unit), version, "out.fmu");
        EXPECT_TRUE(fmu) << exporter.problems;
        scenario::Unit whole;
        whole.name = "whole";
        whole.origin = scenario::FmuFile{*fmu};
        return library.instantiate(whole, "");
    }

    Exporter exporter;
    CollectingLog log;
    unit::Library library{log};
};

TEST_F(ExportFailure, NamesUnitsThatNeedAProcessOfTheirOwn) {
    EXPECT_THAT(refusal(misuse("behaves") + ", isolate: {}"),
                AllOf(HasSubstr("s.yaml:4"),
                      HasSubstr("unit \"it\" is to run in a process of its own"),
                      HasSubstr("remove isolate")));
    EXPECT_THAT(refusal(misuse("only-once") + "}\n  again: {" + misuse("only-once")),
                AllOf(HasSubstr("unit \"again\""), HasSubstr("one instance per process")));
}

TEST_F(ExportFailure, NamesWhatIsOnlyDeclared) {
    EXPECT_THAT(refusal("outputs: {y: {}}"),
                AllOf(HasSubstr("s.yaml:4"), HasSubstr("unit \"it\" is only declared")));
}

TEST_F(ExportFailure, NamesFmusThatNeedTheirTool) {
    EXPECT_THAT(refusal(misuse("needs-tool")), HasSubstr("needsExecutionTool"));
}

TEST_F(ExportFailure, NamesThePlatformsOfAnFmuForOthers) {
    const files::Archive archive(std::string(MISUSE_FMUS) + "/behaves.fmu",
                                 {"FMU", "modelDescription.xml"}, {});
    ZipWriter()
        .add("modelDescription.xml", archive.read("modelDescription.xml"))
        .add("binaries/win64/misbehaving_fmi2.dll", "MZ")
        .save(exporter.folder / "windows.fmu");
    EXPECT_THAT(refusal("fmu: windows.fmu"),
                AllOf(HasSubstr("windows.fmu: has no binary for this platform, linux64"),
                      HasSubstr("it has binaries for: win64")));
}

TEST_F(ExportFailure, SaysWhichTypesFmi2Lacks) {
    EXPECT_THAT(refusal("model: feedthrough"),
                AllOf(HasSubstr("\"it.vector_in\" is an array, which FMI 2.0 does not have"),
                      HasSubstr("\"it.binary_in\" is a binary"), HasSubstr("--fmi 3")));
}

TEST_F(ExportFailure, NamesNumbersThatFmi2CannotHold) {
    EXPECT_THAT(refusal("model: feedthrough, start: {uint64_in: 18446744073709551615, int64_in: "
                        "-3000000000}"),
                AllOf(HasSubstr("\"it.uint64_in\" starts beyond the integers of FMI 2.0"),
                      HasSubstr("\"it.int64_in\" starts beyond")));
}

TEST_F(ExportFailure, StepsWithoutLengthAreRefused) {
    const auto whole = made_of("model: dahlquist", ExportVersion::fmi3);
    whole->enter_initialization({});
    whole->exit_initialization();
    EXPECT_THAT(error_of<Error>([&] { (void)whole->step({0}, {0}); }),
                HasSubstr("a step must be longer than 0 s"));
}

TEST_F(ExportFailure, KeepsFilesThatExist) {
    const fs::path file = scenario_with("model: dahlquist");
    exporter.write("out.fmu", "precious");
    EXPECT_THAT(error_of<InputError>(
                    [&] { (void)exporter.export_file(file, ExportVersion::fmi2, "out.fmu"); }),
                AllOf(HasSubstr("out.fmu\" exists"), HasSubstr("--force")));
    EXPECT_EQ(files::read_file(exporter.folder / "out.fmu"), "precious");
    exporter.overwrite = true;
    EXPECT_TRUE(exporter.export_file(file, ExportVersion::fmi2, "out.fmu"));
    EXPECT_NE(files::read_file(exporter.folder / "out.fmu"), "precious");
}

TEST_F(ExportFailure, KeepsWhatTheScenarioReads) {
    fs::copy(std::string(MISUSE_FMUS) + "/behaves.fmu", exporter.folder / "in.fmu");
    const fs::path file = scenario_with("fmu: in.fmu");
    exporter.overwrite = true;
    for (const char* target : {"in.fmu", "s.yaml"})
        EXPECT_THAT(error_of<InputError>(
                        [&] { (void)exporter.export_file(file, ExportVersion::fmi2, target); }),
                    AllOf(HasSubstr(target), HasSubstr("which the scenario reads")));
}

TEST_F(ExportFailure, LeavesNothingWhereItCannotBeWritten) {
    const fs::path file = scenario_with("model: dahlquist");
    ::setenv("RUBATO_RUNTIME", (exporter.folder / "missing.so").c_str(), 1);
    EXPECT_THAT(error_of<Error>(
                    [&] { (void)exporter.export_file(file, ExportVersion::fmi2, "new/out.fmu"); }),
                HasSubstr("missing.so"));
    EXPECT_TRUE(!fs::exists(exporter.folder / "new") || fs::is_empty(exporter.folder / "new"));
}

TEST_F(ExportFailure, OfAnInnerUnitNamesItsPath) {
    for (const auto version : {ExportVersion::fmi2, ExportVersion::fmi3}) {
        exporter.overwrite = true;
        const auto whole = made_of(misuse("fails-in-step"), version);
        whole->enter_initialization({});
        whole->exit_initialization();
        const auto steps = [&] {
            for (int i = 0; i < 5; ++i) (void)whole->step({0.2 * i}, {0.2});
        };
        EXPECT_THAT(error_of<Error>(steps), HasSubstr("unit \"whole/it\" failed in fmi2DoStep"));
        EXPECT_EQ(whole->phase(), unit::Phase::failed);
    }
}

TEST_F(ExportFailure, TerminateRequestsPassThrough) {
    for (const auto version : {ExportVersion::fmi2, ExportVersion::fmi3}) {
        exporter.overwrite = true;
        const auto whole = made_of(misuse("terminates"), version);
        whole->enter_initialization({});
        whole->exit_initialization();
        unit::StepResult result{};
        for (int i = 0; i < 5 && result.end == unit::StepEnd::completed; ++i)
            result = whole->step({0.2 * i}, {0.2});
        EXPECT_EQ(result.end, unit::StepEnd::terminated);
    }
}

TEST_F(ExportFailure, OfInstantiationSaysWhy) {
    EXPECT_THAT(
        error_of<Error>([&] { (void)made_of(misuse("null-instance"), ExportVersion::fmi3); }),
        HasSubstr("whole/it"));
}

TEST_F(ExportFailure, MessagesOfInnerUnitsReachTheImporter) {
    const auto whole = made_of(misuse("talks") + ", logging: {on: true}", ExportVersion::fmi2);
    std::string all;
    for (const auto& message : log.messages()) all += message.source + ": " + message.text + "\n";
    EXPECT_THAT(all, HasSubstr("whole/it: "));
}

} // namespace
} // namespace rubato::test
