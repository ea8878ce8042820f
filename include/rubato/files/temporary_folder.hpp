// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <optional>

namespace rubato::files {

/// A new folder that only this user can read, under the system's folder for temporary files
/// (TMPDIR). It goes, with all in it, when the object goes; where a process ends without that, as
/// when an FMU crashes, with the first such folder that a later process makes.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
    std::optional<int> lock_; ///< descriptor of the folder, locked while it is used
};

/// Removes the temporary folders that this process has made, with all in them. For a process that
/// ends at once, without freeing what it has.
void remove_temporary_folders() noexcept;

/// Removes the temporary folders in `parent` that nobody uses any more.
void remove_forsaken_folders(const std::filesystem::path& parent);

} // namespace rubato::files
