// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>

namespace rubato::unit {

/// A new folder that only this user can read, under the system's folder for temporary files
/// (TMPDIR). It goes, with all in it, when the object goes.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

} // namespace rubato::unit
