// SPDX-License-Identifier: Apache-2.0
#include "support/error_text.hpp"
#include "support/private_folder.hpp"
#include "support/zip_writer.hpp"

#include <rubato/files/archive.hpp>

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

namespace rubato::files {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Nothing of FMI: the archive of some other format.
constexpr ArchiveKind system_kind{.name = "system", .marker = "SystemStructure.ssd"};

class Archives : public ::testing::Test {
protected:
    std::filesystem::path file() const { return folder_ / "a.ssp"; }

    /// The fault of opening, reading or unpacking it.
    ArchiveFault fault_of(const test::ZipWriter& zip, const ArchiveLimits& limits = {}) {
        zip.save(file());
        try {
            const Archive archive(file(), system_kind, limits);
            (void)archive.read("SystemStructure.ssd");
            archive.unpack(folder_ / "unpacked");
        } catch (const ArchiveError& error) {
            EXPECT_THAT(error.what(), HasSubstr("a.ssp: " + error.problem()));
            return error.fault();
        }
        ADD_FAILURE() << "it is taken";
        return {};
    }

    static test::ZipWriter sound() {
        return test::ZipWriter()
            .add("SystemStructure.ssd", "<ssd/>")
            .add("resources/a.fmu", "inner")
            .add("resources/deeper/b.csv", "t,x");
    }

    test::PrivateFolder folder_;
};

TEST_F(Archives, AreListedReadAndUnpacked) {
    sound().save(file());
    const Archive archive(file(), system_kind, {});
    EXPECT_FALSE(archive.is_folder());
    EXPECT_EQ(archive.read("SystemStructure.ssd"), "<ssd/>");
    EXPECT_THAT(archive.files_in("resources"), ElementsAre("a.fmu"));
    EXPECT_THAT(archive.folders_in("resources"), ElementsAre("deeper"));
    archive.unpack(folder_ / "unpacked");
    std::ifstream inner(folder_ / "unpacked/resources/a.fmu");
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(inner), {}), "inner");
}

TEST_F(Archives, FaultsHaveAKind) {
    EXPECT_EQ(fault_of(sound().add("../outside", "")), ArchiveFault::path);
    EXPECT_EQ(fault_of(sound().add("a", "1").add("a", "2")), ArchiveFault::duplicate_entry);
    EXPECT_EQ(fault_of(sound().add({.name = "link", .bytes = "/etc", .mode = 0120777})),
              ArchiveFault::special_entry);
    EXPECT_EQ(fault_of(sound(), {.total_bytes = 3}), ArchiveFault::limits);
    EXPECT_EQ(fault_of(sound(), {.file_bytes = 3}), ArchiveFault::limits);
    EXPECT_EQ(fault_of(test::ZipWriter().add("other", "")), ArchiveFault::missing_entry);
}

TEST_F(Archives, AreCalledWhatTheyHold) {
    std::ofstream(file()) << "no zip";
    EXPECT_THAT(test::error_of<ArchiveError>([&] { Archive(file(), system_kind, {}); }),
                HasSubstr("a.ssp: is not a zip archive, so it is no system"));
    EXPECT_THAT(test::error_of<ArchiveError>([&] { Archive(folder_.path(), system_kind, {}); }),
                HasSubstr("is a folder without SystemStructure.ssd, so it is no system"));
}

} // namespace
} // namespace rubato::files
