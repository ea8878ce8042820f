// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/files/archive_limits.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct zip;

namespace rubato::files {

enum class ArchiveFault : std::uint8_t {
    damaged,         ///< or no archive
    limits,          ///< holds more than is allowed
    path,            ///< an entry leads outside
    special_entry,   ///< a link, a device, something encrypted
    duplicate_entry, ///< twice the same name, with different contents
    missing_entry,
};

/// Something is wrong with an archive. `what()` names it and the entry.
class ArchiveError : public InputError {
public:
    ArchiveError(ArchiveFault fault, const std::filesystem::path& file, const std::string& problem,
                 const std::string& hint);
    ArchiveFault fault() const { return fault_; }
    const std::string& problem() const { return problem_; } ///< without the file
    const std::string& hint() const { return hint_; }

private:
    ArchiveFault fault_;
    std::string problem_, hint_;
};

/// What an archive holds, for messages and to recognize it unpacked.
struct ArchiveKind {
    std::string_view name;   ///< "FMU"
    std::string_view marker; ///< a file that every such archive has
};

/// A zip file that is not trusted, or a folder that holds what such a file would. Opening it judges
/// its list of entries: an archive that would write outside its folder, holds links, is encrypted
/// or promises more than the limits is refused before a byte is unpacked. Every fault is an
/// InputError that names the file and the entry; one of the archive itself is an ArchiveError.
class Archive {
public:
    Archive(std::filesystem::path file, const ArchiveKind& kind, const ArchiveLimits& limits);

    const std::filesystem::path& file() const { return file_; }
    bool is_folder() const { return zip_ == nullptr; }
    /// Files that are there more than once, each time the same; the first is taken.
    const std::vector<std::string>& repeated() const { return repeated_; }

    /// The folders directly under `folder`, sorted.
    std::vector<std::string> folders_in(std::string_view folder) const;

    /// The names of the files directly in `folder`, sorted.
    std::vector<std::string> files_in(std::string_view folder) const;
    bool has_file(std::string_view name) const;

    /// The bytes of one entry, which must be there.
    std::string read(std::string_view entry) const;

    /// Writes everything into `folder`, an empty folder. Not for folders, which are unpacked. On a
    /// fault what is there stays there: the caller owns the folder.
    void unpack(const std::filesystem::path& folder) const;

private:
    struct Entry {
        std::string name; ///< normalized: no empty, "." or ".." parts, no trailing slash
        std::uint64_t index = 0;
        std::uint64_t size = 0; ///< as declared, as is the next
        std::uint32_t checksum = 0;
        bool is_folder = false;

        bool is_same_file(const Entry& other) const {
            return !is_folder && !other.is_folder && name == other.name && size == other.size &&
                   checksum == other.checksum;
        }
    };
    struct Closer {
        void operator()(zip* archive) const;
    };

    [[noreturn]] void refuse(ArchiveFault fault, const std::string& why,
                             const std::string& hint = {}) const;
    [[noreturn]] void refuse_entry(ArchiveFault fault, std::string_view entry,
                                   const std::string& why) const;
    [[noreturn]] void refuse_size(std::string_view entry, std::uint64_t most) const;
    [[noreturn]] void fail_to_unpack(std::string_view entry, const std::string& why) const;
    void open();
    void open_zip();
    void list_entries();
    void list_zip();
    void list_folder();
    std::string read_from_folder(std::string_view entry) const;
    void drop_repeated();
    Entry judge(std::uint64_t index) const;
    std::string judge_name(std::string_view raw) const;
    void judge_kind(std::uint64_t index, std::string_view name) const;
    void judge_sizes() const;
    void judge_names() const;
    const Entry* find(std::string_view name) const;

    /// Hands the entry's bytes to `sink`, piece by piece, and returns how many there were; more
    /// than `most` is a fault.
    using Sink = std::function<void(std::string_view bytes)>;
    std::uint64_t stream(const Entry& entry, std::uint64_t most, const Sink& sink) const;

    std::filesystem::path file_;
    ArchiveKind kind_;
    ArchiveLimits limits_;
    std::unique_ptr<zip, Closer> zip_; ///< null: a folder
    std::vector<Entry> entries_;       ///< sorted by name
    std::vector<std::string> repeated_;
};

} // namespace rubato::files
