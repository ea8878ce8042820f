// SPDX-License-Identifier: Apache-2.0
#include "support/error_text.hpp"
#include "support/private_folder.hpp"

#include <rubato/files/archive.hpp>
#include <rubato/files/archive_writer.hpp>
#include <rubato/files/output_file.hpp>

#include <gmock/gmock.h>

namespace rubato::files {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr ArchiveKind kind{.name = "box", .marker = "a.txt"};

class ArchiveWriterTest : public testing::Test {
protected:
    ArchiveWriterTest() {
        write_atomically(folder / "from/x.txt", "x");
        write_atomically(folder / "from/deep/y.txt", "y");
    }
    std::size_t file_count() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()));
    }

    test::PrivateFolder folder;
};

TEST_F(ArchiveWriterTest, WritesWhatIsRead) {
    ArchiveWriter writer(folder / "box.zip");
    writer.add("a.txt", "bytes");
    writer.add_file("b.txt", folder / "from/x.txt");
    writer.add_folder("c", folder / "from");
    writer.finish();
    const Archive archive(folder / "box.zip", kind, {});
    EXPECT_EQ(archive.read("a.txt"), "bytes");
    EXPECT_EQ(archive.read("b.txt"), "x");
    EXPECT_EQ(archive.read("c/x.txt"), "x");
    EXPECT_EQ(archive.read("c/deep/y.txt"), "y");
}

TEST_F(ArchiveWriterTest, LeavesNothingUnlessItIsFinished) {
    const std::size_t before = file_count();
    {
        ArchiveWriter writer(folder / "box.zip");
        writer.add("a.txt", "bytes");
        EXPECT_THAT(test::error_of<Error>([&] { writer.add_file("b.txt", folder / "absent"); }),
                    HasSubstr("absent"));
    }
    EXPECT_EQ(file_count(), before);
}

TEST_F(ArchiveWriterTest, SaysWhyItCannotWrite) {
    EXPECT_THAT(test::error_of<Error>([&] {
                    ArchiveWriter writer(folder / "from"); // a folder
                    writer.add("a.txt", "bytes");
                    writer.finish();
                }),
                HasSubstr("cannot write"));
    EXPECT_TRUE(fs::is_directory(folder / "from"));
}

} // namespace
} // namespace rubato::files
