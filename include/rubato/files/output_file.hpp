// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace rubato::files {

/// A file being written. Faults are Errors that name the file and the reason.
class OutputFile {
public:
    /// Creates or empties the file; creates its folder.
    explicit OutputFile(std::filesystem::path path);
    /// Writes to a copy of a descriptor that is open already, called `path` in messages.
    OutputFile(std::filesystem::path path, int descriptor);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(std::string_view bytes);

    /// How far writing got.
    struct Written {
        std::size_t bytes = 0;
        int fault = 0; ///< errno; 0: none
    };
    /// Async-signal-safe, as are the next two.
    Written try_write(std::string_view bytes) noexcept;
    /// Overwrites bytes that have been written before. Returns errno; 0: no fault.
    int try_write_at(std::size_t position, std::string_view bytes) noexcept;
    /// Takes back the last bytes that were written, where that is possible.
    void take_back(std::size_t bytes) noexcept;
    /// The Error for a fault. ReaderGone, if nobody reads any more.
    [[noreturn]] void fail(std::string_view doing, int fault) const;
    /// Some file systems report only here that writing failed.
    void close();

private:
    std::filesystem::path path_;
    int descriptor_;
    bool open_ = true;
};

/// Creates the folder that the file is in. Throws Error.
void create_folder_of(const std::filesystem::path& path);

/// Readers see the old file or the new one, never half of it.
void write_atomically(const std::filesystem::path& path, std::string_view content);

/// The whole file. Throws InputError.
std::string read_file(const std::filesystem::path& path);

} // namespace rubato::files
