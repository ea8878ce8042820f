// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdlib.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace rubato::test {

/// A folder for one test. While it lives, temporary files go to a folder within it, where the test
/// can see whether any are left.
class PrivateFolder {
public:
    PrivateFolder() {
        if (const char* old = std::getenv("TMPDIR")) old_ = old;
        std::string name = (std::filesystem::temp_directory_path() / "rubato-test-XXXXXX").string();
        path_ = ::mkdtemp(name.data());
        std::filesystem::create_directory(path_ / "tmp");
        ::setenv("TMPDIR", (path_ / "tmp").c_str(), 1);
    }
    ~PrivateFolder() {
        if (old_) {
            ::setenv("TMPDIR", old_->c_str(), 1);
        } else {
            ::unsetenv("TMPDIR");
        }
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    PrivateFolder(const PrivateFolder&) = delete;
    PrivateFolder& operator=(const PrivateFolder&) = delete;

    std::filesystem::path operator/(const std::filesystem::path& name) const {
        return path_ / name;
    }
    const std::filesystem::path& path() const { return path_; }
    bool has_temporary_files() const { return !std::filesystem::is_empty(path_ / "tmp"); }

private:
    std::filesystem::path path_;
    std::optional<std::string> old_;
};

} // namespace rubato::test
