// SPDX-License-Identifier: Apache-2.0
#include "support/private_folder.hpp"

#include <rubato/files/temporary_folder.hpp>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

namespace rubato::files {
namespace {

namespace fs = std::filesystem;

/// As it is two minutes after the last thing was written to it.
void age(const fs::path& folder) {
    fs::last_write_time(folder, fs::file_time_type::clock::now() - std::chrono::minutes(2));
}

/// What a process leaves that is ended by an FMU.
void leave_folder() {
    const pid_t child = ::fork();
    if (child == 0) {
        const TemporaryFolder folder;
        ::_exit(fs::exists(folder.path()) ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_EQ(status, 0);
}

TEST(TemporaryFolder, GoesWithTheObject) {
    const test::PrivateFolder place;
    {
        const TemporaryFolder folder;
        EXPECT_TRUE(fs::is_directory(folder.path()));
    }
    EXPECT_FALSE(place.has_temporary_files());
}

TEST(TemporaryFolder, ThatAProcessHasLeftGoesLater) {
    const test::PrivateFolder place;
    const fs::path parent = place / "tmp";
    leave_folder();
    ASSERT_TRUE(place.has_temporary_files());
    remove_forsaken_folders(parent);
    EXPECT_TRUE(place.has_temporary_files()) << "it is new: somebody may be about to lock it";
    age(fs::directory_iterator(parent)->path());
    remove_forsaken_folders(parent);
    EXPECT_FALSE(place.has_temporary_files());
}

TEST(TemporaryFolder, ThatIsInUseStays) {
    const test::PrivateFolder place;
    const TemporaryFolder used;
    age(used.path());
    const fs::path other = place / "tmp" / "rubato-results";
    fs::create_directory(other);
    age(other);
    remove_forsaken_folders(place / "tmp");
    EXPECT_TRUE(fs::exists(used.path()));
    EXPECT_TRUE(fs::exists(other));
}

} // namespace
} // namespace rubato::files
