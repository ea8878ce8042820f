// SPDX-License-Identifier: Apache-2.0

/// FMUs whose library is missing or of no use.

#include "support/collecting_log.hpp"
#include "support/error_text.hpp"
#include "support/private_folder.hpp"
#include "support/zip_writer.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/unit/library.hpp>

#include <gmock/gmock.h>

namespace rubato {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class FmuBinary : public testing::Test {
protected:
    std::string complaint_of(const std::filesystem::path& file) {
        std::string text;
        {
            unit::Library library(silent_log());
            scenario::Unit unit;
            unit.name = "broken";
            unit.origin = scenario::FmuFile{file};
            library.describe(unit, ""); // what cannot be run can be described
            text = test::error_of<InputError>(
                [&] { const auto ignored = library.instantiate(unit, ""); });
        }
        EXPECT_FALSE(folder_.has_temporary_files());
        return text;
    }

    std::filesystem::path save(const test::ZipWriter& zip) const {
        zip.save(folder_ / "m.fmu");
        return folder_ / "m.fmu";
    }

    static test::ZipWriter with_description() {
        return test::ZipWriter().add("modelDescription.xml", R"(
<fmiModelDescription fmiVersion="2.0" modelName="m" guid="g">
  <CoSimulation modelIdentifier="m"/>
</fmiModelDescription>)");
    }

    /// As many platforms as this test may run on.
    static test::ZipWriter with_library(const std::string& name, const std::string& bytes) {
        auto zip = with_description();
        for (const char* platform : {"linux64", "linux32", "x86_64-linux", "aarch64-linux"})
            zip.add(std::string("binaries/") + platform + "/" + name, bytes);
        return zip;
    }

    test::PrivateFolder folder_;
};

TEST_F(FmuBinary, NoneForThisPlatformListsThoseItHas) {
    const auto file = save(
        with_description().add("binaries/win64/m.dll", "").add("binaries/darwin64/m.dylib", ""));
    EXPECT_THAT(complaint_of(file), AllOf(HasSubstr("m.fmu: has no binary for this platform"),
                                          HasSubstr("it has binaries for: darwin64, win64")));
}

TEST_F(FmuBinary, NoneAtAll) {
    EXPECT_THAT(complaint_of(save(with_description())), HasSubstr("it has none at all"));
}

TEST_F(FmuBinary, NotNamedAfterTheModelIdentifier) {
    EXPECT_THAT(complaint_of(save(with_library("other.so", ""))),
                AllOf(HasSubstr("its library does not load"), HasSubstr("other.so")));
    auto several = with_library("other.so", "");
    for (const char* platform : {"linux64", "linux32", "x86_64-linux", "aarch64-linux"})
        several.add(std::string("binaries/") + platform + "/another.so", "");
    EXPECT_THAT(complaint_of(save(several)), HasSubstr("holds no m.so"));
}

TEST_F(FmuBinary, ThatDoesNotLoad) {
    EXPECT_THAT(complaint_of(save(with_library("m.so", "not a library"))),
                AllOf(HasSubstr("m.fmu: its library does not load"), HasSubstr("m.so")));
}

TEST_F(FmuBinary, ThatLacksAFunction) {
    EXPECT_THAT(complaint_of(MISUSE_FMUS "/lacks-do-step.fmu"),
                HasSubstr("its library lacks_do_step.so lacks the function fmi2DoStep"));
}

TEST_F(FmuBinary, ThatIsLinkedWithALibraryOfItsOwnRuns) {
    EXPECT_THAT(complaint_of(MISUSE_FMUS "/misses-neighbour.fmu"),
                HasSubstr("its library does not load: libmisuse_neighbour.so"));
    test::CollectingLog log;
    scenario::Unit described;
    described.name = "linked";
    described.origin = scenario::FmuFile{MISUSE_FMUS "/needs-neighbour.fmu"};
    EXPECT_THAT(test::error_of<InputError>([&] {
                    unit::Library(log, {}, unit::Strictness::strict).instantiate(described, "");
                }),
                HasSubstr("(library-dependency, refused by --strict)"));
    unit::Library library(log);
    const auto unit = library.instantiate(described, "");
    ASSERT_EQ(log.messages().size(), 1u);
    EXPECT_THAT(log.messages().front().text, HasSubstr("breaks the rule library-dependency"));
    unit->enter_initialization({});
    unit->exit_initialization();
    EXPECT_EQ(unit->step({0}, {1}).reached, Time{1});
}

TEST_F(FmuBinary, ThatLacksAFunctionRunsUntilItIsCalled) {
    test::CollectingLog log;
    unit::Library library(log);
    scenario::Unit described;
    described.name = "mute";
    described.origin = scenario::FmuFile{MISUSE_FMUS "/lacks-get-string.fmu"};
    const auto unit = library.instantiate(described, "");
    ASSERT_EQ(log.messages().size(), 1u);
    EXPECT_THAT(log.messages().front().text,
                HasSubstr("breaks the rule function-missing: its library lacks the function "
                          "fmi2GetString"));
    unit->enter_initialization({});
    const ValueRef reference = 0;
    std::string text;
    EXPECT_THAT(test::error_of<Error>([&] {
                    unit->get({ValueType::string, {&reference, 1}, &text, 1});
                }),
                HasSubstr("unit \"mute\" failed in fmi2GetString at t = 0 s: its library does "
                          "not export this function"));
    unit::Library strict(log, {}, unit::Strictness::strict);
    EXPECT_THAT(test::error_of<InputError>([&] { strict.instantiate(described, ""); }),
                HasSubstr("(function-missing, refused by --strict)"));
}

TEST_F(FmuBinary, MissingFmuListsWhereItWasLookedFor) {
    ::setenv("RUBATO_FMU_PATH", "/nowhere:/elsewhere", 1);
    unit::Library library(silent_log());
    scenario::Unit unit;
    unit.origin = scenario::FmuFile{"fmus/gone.fmu"};
    const auto text = test::error_of<InputError>([&] { library.describe(unit, folder_.path()); });
    ::unsetenv("RUBATO_FMU_PATH");
    EXPECT_THAT(text, AllOf(HasSubstr("there is no FMU \"fmus/gone.fmu\""),
                            HasSubstr((folder_ / "fmus/gone.fmu").string()),
                            HasSubstr("/nowhere/gone.fmu, /elsewhere/gone.fmu"),
                            HasSubstr("RUBATO_FMU_PATH")));
}

TEST_F(FmuBinary, UnknownNativeModel) {
    unit::Library library(silent_log());
    scenario::Unit unit;
    unit.origin = scenario::NativeModel{"mds1"};
    EXPECT_THAT(test::error_of<InputError>([&] { library.describe(unit, ""); }),
                HasSubstr("there is no native model \"mds1\""));
}

} // namespace
} // namespace rubato
