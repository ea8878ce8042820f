// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct zip;

namespace rubato::files {

/// Writes a zip file, as a whole or not at all. The same entries give the same bytes. Faults are
/// Errors that name the file.
class ArchiveWriter {
public:
    explicit ArchiveWriter(std::filesystem::path file);
    ~ArchiveWriter();
    ArchiveWriter(const ArchiveWriter&) = delete;
    ArchiveWriter& operator=(const ArchiveWriter&) = delete;

    void add(const std::string& entry, std::string bytes);
    /// A file, which must stay as it is until `finish`.
    void add_file(const std::string& entry, const std::filesystem::path& file);
    /// All files below a folder.
    void add_folder(const std::string& entry, const std::filesystem::path& folder);

    /// Puts the file in its place. Without it, nothing is left.
    void finish();

private:
    struct Discard {
        void operator()(zip* archive) const;
    };
    [[noreturn]] void fail(const std::string& reason) const;
    void add_source(const std::string& entry, void* source);

    std::filesystem::path file_, temporary_;
    std::vector<std::unique_ptr<std::string>> contents_; ///< read when the archive is written
    std::unique_ptr<zip, Discard> zip_;
};

} // namespace rubato::files
