// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace rubato::report {

/// A file being written. Faults are Errors that name the file and the reason.
class OutputFile {
public:
    /// Creates or empties the file; creates its folder.
    explicit OutputFile(std::filesystem::path path);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(std::string_view bytes);
    /// Some file systems tell only here that writing failed.
    void close();

private:
    [[noreturn]] void fail(std::string_view doing) const;

    std::filesystem::path path_;
    int descriptor_;
    bool open_ = true;
};

/// Readers see the old file or the new one, never half of it.
void write_atomically(const std::filesystem::path& path, std::string_view content);

/// The whole file. Throws InputError.
std::string read_file(const std::filesystem::path& path);

} // namespace rubato::report
