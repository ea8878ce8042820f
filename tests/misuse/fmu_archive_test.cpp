// SPDX-License-Identifier: Apache-2.0

/// Files that are no FMU, and archives that mean harm.

#include "support/error_text.hpp"
#include "support/private_folder.hpp"
#include "support/zip_writer.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/unit/library.hpp>

#include <gmock/gmock.h>

namespace rubato {
namespace {

using test::error_of;
using test::ZipWriter;
using testing::AllOf;
using testing::HasSubstr;
using Entry = ZipWriter::Entry;

class FmuArchive : public testing::Test {
protected:
    std::filesystem::path file() const { return folder_ / "evil.fmu"; }

    /// What the user is told about the file. Nothing may be left on disk.
    std::string complaint(files::ArchiveLimits limits = {}) {
        std::string text;
        {
            unit::Library library(silent_log(), limits);
            text = error_of<InputError>([&] {
                library.describe(file());
                scenario::Unit unit;
                unit.name = "evil";
                unit.origin = scenario::FmuFile{file()};
                const auto ignored = library.instantiate(unit, "");
            });
        }
        EXPECT_FALSE(folder_.has_temporary_files());
        EXPECT_THAT(text, HasSubstr("evil.fmu"));
        return text;
    }

    std::string complaint_of(const ZipWriter& zip, files::ArchiveLimits limits = {}) {
        zip.save(file());
        return complaint(limits);
    }

    static constexpr const char* good_description = R"(<?xml version="1.0"?>
<fmiModelDescription fmiVersion="2.0" modelName="m" guid="g">
  <CoSimulation modelIdentifier="m"/>
</fmiModelDescription>)";

    static ZipWriter with_description() {
        return ZipWriter().add("modelDescription.xml", good_description);
    }

    test::PrivateFolder folder_;
};

TEST_F(FmuArchive, NoSuchFile) { EXPECT_THAT(complaint(), AllOf(HasSubstr("no such file"))); }

TEST_F(FmuArchive, FolderInsteadOfFile) {
    std::filesystem::create_directory(file());
    EXPECT_THAT(complaint(), HasSubstr("is a folder without modelDescription.xml"));
}

TEST_F(FmuArchive, NotAZip) {
    std::ofstream(file()) << "hello";
    EXPECT_THAT(complaint(), HasSubstr("is not a zip archive"));
}

TEST_F(FmuArchive, EmptyFile) {
    std::ofstream{file()};
    EXPECT_THAT(complaint(), HasSubstr("is not a zip archive"));
}

TEST_F(FmuArchive, TruncatedAtAnyByteIsRefused) {
    const std::string whole = with_description().bytes();
    for (std::size_t length = 4; length < whole.size(); ++length) {
        std::ofstream(file(), std::ios::binary) << whole.substr(0, length);
        ASSERT_THAT(complaint(), HasSubstr("truncated or damaged")) << length;
    }
}

TEST_F(FmuArchive, EntryThatClimbsOut) {
    EXPECT_THAT(complaint_of(with_description().add("../evil.txt", "x")),
                HasSubstr(R"(entry "../evil.txt" escapes its folder by "..")"));
    EXPECT_THAT(complaint_of(with_description().add("resources/../../evil.txt", "x")),
                HasSubstr(R"(entry "resources/../../evil.txt" escapes)"));
    EXPECT_THAT(complaint_of(with_description().add("resources/..", "x")), HasSubstr("escapes"));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "tmp/evil.txt"));
}

TEST_F(FmuArchive, AbsoluteEntry) {
    EXPECT_THAT(complaint_of(with_description().add("/tmp/evil.txt", "x")),
                HasSubstr(R"(entry "/tmp/evil.txt" has an absolute path)"));
    EXPECT_THAT(complaint_of(with_description().add("C:/evil.txt", "x")),
                HasSubstr(R"(entry "C:/evil.txt" has an absolute path)"));
}

TEST_F(FmuArchive, EntryWithBackslash) {
    EXPECT_THAT(complaint_of(with_description().add(R"(..\evil.txt)", "x")),
                HasSubstr(R"(entry "..\evil.txt" has a backslash)"));
}

TEST_F(FmuArchive, SymbolicLink) {
    const Entry link{.name = "resources/link", .bytes = "/etc/passwd", .mode = 0120777};
    EXPECT_THAT(complaint_of(with_description().add(link)),
                HasSubstr(R"(entry "resources/link" is a symbolic link)"));
}

TEST_F(FmuArchive, SpecialFile) {
    const Entry pipe{.name = "resources/pipe", .bytes = "", .mode = 0010644};
    EXPECT_THAT(complaint_of(with_description().add(pipe)),
                HasSubstr(R"(entry "resources/pipe" is a special file)"));
}

TEST_F(FmuArchive, DuplicateEntry) {
    EXPECT_THAT(complaint_of(with_description().add("a", "1").add("a", "2")),
                HasSubstr(R"(entry "a" occurs twice)"));
    EXPECT_THAT(complaint_of(with_description().add("a", "1").add("./a", "2")),
                HasSubstr(R"(entry "a" occurs twice)"));
}

TEST_F(FmuArchive, FileThatIsThereTwiceTheSameIsTakenOnce) {
    EXPECT_THAT(complaint_of(with_description().add("a", "1").add("a", "1")),
                testing::Not(HasSubstr("twice")));
}

TEST_F(FmuArchive, FileThatIsAlsoAFolder) {
    EXPECT_THAT(complaint_of(with_description().add("a", "1").add("a/b", "2")),
                HasSubstr(R"(entry "a" is both a file and a folder)"));
}

TEST_F(FmuArchive, EncryptedEntry) {
    const Entry secret{.name = "secret", .bytes = std::string(20, 'x'), .flags = 1};
    EXPECT_THAT(complaint_of(with_description().add(secret)),
                HasSubstr(R"(entry "secret" is encrypted)"));
}

TEST_F(FmuArchive, DeclaresMoreThanTheLimit) {
    const Entry bomb{.name = "bomb", .bytes = "x", .declared_size = 0xfffffff0};
    EXPECT_THAT(complaint_of(with_description().add(bomb)),
                HasSubstr("unpacks to more than the limit of 2048.0 MB"));
}

TEST_F(FmuArchive, SmallEntriesThatAddUpToMoreThanTheLimit) {
    auto zip = with_description();
    for (int i = 0; i < 10; ++i) zip.add("part" + std::to_string(i), std::string(1000, 'x'));
    EXPECT_THAT(complaint_of(zip, {.total_bytes = 5000}), HasSubstr("more than the limit"));
}

TEST_F(FmuArchive, UnpacksToMoreThanItDeclares) {
    const Entry liar{.name = "liar", .bytes = std::string(5000, 'x'), .declared_size = 10};
    EXPECT_THAT(complaint_of(with_description().add(liar), {.total_bytes = 2000}),
                HasSubstr(R"(entry "liar" )"));
}

TEST_F(FmuArchive, TooManyEntries) {
    EXPECT_THAT(complaint_of(with_description().add("a", "").add("b", ""), {.entries = 2}),
                HasSubstr("has 3 entries; at most 2 are unpacked"));
}

TEST_F(FmuArchive, WrongChecksum) {
    const Entry damaged{.name = "resources/table.csv", .bytes = "1,2", .checksum = 1};
    EXPECT_THAT(complaint_of(with_description().add(damaged)),
                HasSubstr(R"(entry "resources/table.csv" is damaged: CRC error)"));
}

TEST_F(FmuArchive, WithoutModelDescription) {
    EXPECT_THAT(complaint_of(ZipWriter().add("readme.txt", "x")),
                HasSubstr("has no modelDescription.xml"));
}

TEST_F(FmuArchive, OversizeModelDescription) {
    EXPECT_THAT(complaint_of(with_description(), {.file_bytes = 10}),
                HasSubstr(R"(entry "modelDescription.xml" unpacks to more than the limit)"));
}

TEST_F(FmuArchive, ADeepFolderIsHarmless) {
    std::string deep;
    for (int i = 0; i < 100; ++i) deep += "d/";
    EXPECT_THAT(complaint_of(with_description().add(deep + "x", "")),
                HasSubstr("has no binary for this platform"));
}

} // namespace
} // namespace rubato
