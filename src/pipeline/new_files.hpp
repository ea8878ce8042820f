// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/log.hpp>

#include <filesystem>
#include <set>
#include <string>

namespace rubato::pipeline {

/// Sees which files come into being in the working directory while the object lives: FMUs that run
/// in this process write them there. Logs their names when it is destroyed.
class NewFiles {
public:
    explicit NewFiles(Log& log);
    ~NewFiles();
    NewFiles(const NewFiles&) = delete;
    NewFiles& operator=(const NewFiles&) = delete;

    /// A file of this program's own.
    void expect(const std::filesystem::path& file);

private:
    std::set<std::string> names() const;

    Log& log_;
    std::filesystem::path folder_;
    std::set<std::string> known_; ///< names of files and folders that were there, or are expected
};

} // namespace rubato::pipeline
