// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>

namespace rubato::report {

/// Keeps other runs from writing to the same file while the object lives, however this process
/// ends.
class ResultsLock {
public:
    /// Creates the file, and its folder, where there is none. Throws InputError when another run
    /// has locked it. Where the file system has no locks there is none.
    explicit ResultsLock(const std::filesystem::path& file);
    ~ResultsLock();
    ResultsLock(const ResultsLock&) = delete;
    ResultsLock& operator=(const ResultsLock&) = delete;

private:
    int descriptor_;
};

} // namespace rubato::report
