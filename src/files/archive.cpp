// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/diagnostics.hpp>
#include <rubato/files/archive.hpp>
#include <rubato/private/format.hpp>

#include <sys/stat.h>
#include <zip.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <set>
#include <system_error>

namespace rubato::files {

namespace fs = std::filesystem;

namespace {

std::string in_megabytes(std::uint64_t bytes) {
    return format("{:.1f} MB", static_cast<double>(bytes) / (1024.0 * 1024.0));
}

/// Every zip with entries starts with a local header; an empty one with the end of its directory.
bool starts_like_a_zip(const fs::path& file) {
    std::array<char, 4> head{};
    std::ifstream(file, std::ios::binary).read(head.data(), head.size());
    const std::string_view text(head.data(), head.size());
    return text == "PK\3\4" || text == "PK\5\6";
}

bool is_drive_letter(std::string_view name) {
    return name.size() >= 2 && name[1] == ':' &&
           std::isalpha(static_cast<unsigned char>(name[0])) != 0;
}

std::vector<std::string_view> split(std::string_view path) {
    std::vector<std::string_view> parts;
    while (!path.empty()) {
        const std::size_t slash = std::min(path.find('/'), path.size());
        if (slash > 0) parts.push_back(path.substr(0, slash));
        path.remove_prefix(std::min(slash + 1, path.size()));
    }
    return parts;
}

} // namespace

void Archive::Closer::operator()(zip* archive) const { zip_discard(archive); }

ArchiveError::ArchiveError(ArchiveFault fault, const fs::path& file, const std::string& problem,
                           const std::string& hint)
    : InputError(format("{}: {}", file.string(), problem), hint), fault_(fault), problem_(problem),
      hint_(hint) {}

Archive::Archive(fs::path file, const ArchiveKind& kind, const ArchiveLimits& limits)
    : file_(std::move(file)), kind_(kind), limits_(limits) {
    open();
    list_entries();
    judge_names();
    judge_sizes();
}

void Archive::refuse(ArchiveFault fault, const std::string& why, const std::string& hint) const {
    throw ArchiveError(fault, file_, why, hint);
}

void Archive::refuse_entry(ArchiveFault fault, std::string_view entry,
                           const std::string& why) const {
    refuse(fault, format("entry \"{}\" {}", entry, why));
}

void Archive::open() {
    std::error_code trouble;
    const auto status = fs::status(file_, trouble);
    if (!fs::exists(status)) throw InputError(format("{}: no such file", file_.string()));
    if (fs::is_directory(status)) {
        if (fs::is_regular_file(file_ / kind_.marker, trouble)) return;
        refuse(
            ArchiveFault::damaged,
            format("is a folder without {}, so it is no {}", kind_.marker, kind_.name),
            format("name the file of the {}, or the folder that it was unpacked into", kind_.name));
    }
    if (!fs::is_regular_file(status)) refuse(ArchiveFault::damaged, "is not a regular file");

    int code = 0;
    zip_.reset(zip_open(file_.c_str(), ZIP_RDONLY, &code));
    if (zip_) return;
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string reason = zip_error_strerror(&error);
    zip_error_fini(&error);
    if (code == ZIP_ER_OPEN || code == ZIP_ER_READ)
        throw InputError(format("{}: cannot be read: {}", file_.string(), reason));
    if (!starts_like_a_zip(file_))
        refuse(ArchiveFault::damaged, format("is not a zip archive, so it is no {}", kind_.name));
    refuse(ArchiveFault::damaged, format("the zip archive is truncated or damaged: {}", reason),
           format("copy or export the {} again", kind_.name));
}

/// What a user has unpacked is the user's: links are followed.
void Archive::list_folder() {
    std::error_code trouble;
    for (fs::recursive_directory_iterator entry(file_, trouble), end; !trouble && entry != end;
         entry.increment(trouble)) {
        std::error_code gone;
        const bool is_folder = entry->is_directory(gone);
        const std::uint64_t size = is_folder ? 0 : entry->file_size(gone);
        if (gone) continue;
        entries_.push_back(
            {entry->path().lexically_relative(file_).generic_string(), 0, size, 0, is_folder});
        if (entries_.size() > limits_.entries)
            refuse(ArchiveFault::limits, format("has more than {} entries", limits_.entries));
    }
    if (trouble)
        throw InputError(format("{}: cannot be read: {}", file_.string(), trouble.message()));
    std::ranges::sort(entries_, {}, &Entry::name);
}

void Archive::list_entries() {
    if (is_folder()) return list_folder();
    const auto count = zip_get_num_entries(zip_.get(), 0);
    if (count < 0) refuse(ArchiveFault::damaged, "has no readable list of entries");
    if (static_cast<std::uint64_t>(count) > limits_.entries) {
        refuse(ArchiveFault::limits,
               format("has {} entries; at most {} are unpacked", count, limits_.entries));
    }
    for (std::uint64_t index = 0; index < static_cast<std::uint64_t>(count); ++index) {
        Entry entry = judge(index);
        if (!entry.name.empty()) entries_.push_back(std::move(entry));
    }
    std::ranges::stable_sort(entries_, {}, &Entry::name);
    drop_repeated();
}

/// Some tools pack a folder twice.
void Archive::drop_repeated() {
    std::vector<Entry> kept;
    for (Entry& entry : entries_) {
        if (!kept.empty() && kept.back().is_same_file(entry))
            repeated_.push_back(entry.name);
        else
            kept.push_back(std::move(entry));
    }
    entries_ = std::move(kept);
}

Archive::Entry Archive::judge(std::uint64_t index) const {
    zip_stat_t stat;
    zip_stat_init(&stat);
    if (zip_stat_index(zip_.get(), index, ZIP_FL_ENC_RAW, &stat) != 0) {
        refuse(ArchiveFault::damaged,
               format("entry {} cannot be read: {}", index, zip_strerror(zip_.get())));
    }
    const std::string_view raw = stat.name;
    judge_kind(index, raw);
    if ((stat.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && stat.encryption_method != ZIP_EM_NONE) {
        refuse_entry(ArchiveFault::special_entry, raw, "is encrypted");
    }
    const std::uint32_t checksum = (stat.valid & ZIP_STAT_CRC) != 0 ? stat.crc : 0;
    return {judge_name(raw), index, stat.size, checksum, raw.ends_with('/')};
}

std::string Archive::judge_name(std::string_view raw) const {
    if (raw.starts_with('/') || is_drive_letter(raw)) {
        refuse_entry(ArchiveFault::path, raw,
                     "has an absolute path; it would be written outside its folder");
    }
    if (raw.find('\\') != std::string_view::npos) {
        refuse_entry(ArchiveFault::path, raw,
                     "has a backslash in its path; zip archives separate folders by \"/\"");
    }
    std::string name;
    for (const std::string_view part : split(raw)) {
        if (part == "..") refuse_entry(ArchiveFault::path, raw, "escapes its folder by \"..\"");
        if (part == ".") continue;
        if (!name.empty()) name += '/';
        name += part;
    }
    return name;
}

void Archive::judge_kind(std::uint64_t index, std::string_view name) const {
    zip_uint8_t system = 0;
    zip_uint32_t attributes = 0;
    if (zip_file_get_external_attributes(zip_.get(), index, 0, &system, &attributes) != 0) return;
    if (system != ZIP_OPSYS_UNIX && system != ZIP_OPSYS_OS_X) return;
    const mode_t kind = (attributes >> 16) & S_IFMT;
    if (kind == S_IFLNK)
        refuse_entry(ArchiveFault::special_entry, name,
                     "is a symbolic link; links are not unpacked");
    if (kind != 0 && kind != S_IFREG && kind != S_IFDIR) {
        refuse_entry(ArchiveFault::special_entry, name,
                     "is a special file; only files and folders are unpacked");
    }
}

void Archive::judge_sizes() const {
    if (is_folder()) return; // nothing is unpacked
    std::uint64_t left = limits_.total_bytes;
    for (const Entry& entry : entries_) {
        if (entry.size > left) {
            refuse(ArchiveFault::limits, format("unpacks to more than the limit of {}",
                                                in_megabytes(limits_.total_bytes)));
        }
        left -= entry.size;
    }
}

void Archive::judge_names() const {
    std::set<std::string_view> files, folders;
    for (const Entry& entry : entries_) {
        if (!entry.is_folder && !files.insert(entry.name).second) {
            refuse_entry(ArchiveFault::duplicate_entry, entry.name, "occurs twice");
        }
        const std::string_view name = entry.name;
        for (auto slash = name.find('/'); slash != std::string_view::npos;
             slash = name.find('/', slash + 1)) {
            folders.insert(name.substr(0, slash));
        }
        if (entry.is_folder) folders.insert(name);
    }
    for (const std::string_view file : files) {
        if (folders.contains(file))
            refuse_entry(ArchiveFault::duplicate_entry, file, "is both a file and a folder");
    }
}

const Archive::Entry* Archive::find(std::string_view name) const {
    const auto entry = std::ranges::lower_bound(entries_, name, {}, &Entry::name);
    const bool is_file = entry != entries_.end() && entry->name == name && !entry->is_folder;
    return is_file ? &*entry : nullptr;
}

std::vector<std::string> Archive::folders_in(std::string_view folder) const {
    const std::string prefix = std::string(folder) + '/';
    std::set<std::string> found;
    for (const Entry& entry : entries_) {
        if (!entry.name.starts_with(prefix)) continue;
        const std::string_view rest = std::string_view(entry.name).substr(prefix.size());
        const auto slash = rest.find('/');
        if (slash != std::string_view::npos || entry.is_folder) {
            found.emplace(rest.substr(0, slash));
        }
    }
    return {found.begin(), found.end()};
}

bool Archive::has_file(std::string_view name) const { return find(name) != nullptr; }

std::vector<std::string> Archive::files_in(std::string_view folder) const {
    const std::string prefix = std::string(folder) + '/';
    std::vector<std::string> found;
    for (const Entry& entry : entries_) {
        if (entry.is_folder || !entry.name.starts_with(prefix)) continue;
        const std::string rest = entry.name.substr(prefix.size());
        if (rest.find('/') == std::string::npos) found.push_back(rest);
    }
    return found;
}

template <class Sink>
std::uint64_t Archive::stream(const Entry& entry, std::uint64_t most, Sink&& sink) const {
    struct Close {
        void operator()(zip_file_t* file) const { zip_fclose(file); }
    };
    const std::unique_ptr<zip_file_t, Close> input(zip_fopen_index(zip_.get(), entry.index, 0));
    if (!input) {
        refuse_entry(ArchiveFault::damaged, entry.name,
                     format("cannot be unpacked: {}", zip_strerror(zip_.get())));
    }
    std::vector<char> buffer(std::size_t{1} << 16);
    std::uint64_t total = 0;
    while (true) {
        const auto got = zip_fread(input.get(), buffer.data(), buffer.size());
        if (got < 0) {
            refuse_entry(ArchiveFault::damaged, entry.name,
                         format("is damaged: {}", zip_file_strerror(input.get())));
        }
        if (got == 0) return total;
        total += static_cast<std::uint64_t>(got);
        if (total > most) {
            refuse_entry(ArchiveFault::limits, entry.name,
                         format("unpacks to more than the limit of {}", in_megabytes(most)));
        }
        sink(std::string_view(buffer.data(), static_cast<std::size_t>(got)));
    }
}

std::string Archive::read_from_folder(std::string_view name) const {
    std::ifstream input(file_ / name, std::ios::binary);
    std::string bytes;
    std::vector<char> buffer(std::size_t{1} << 16);
    while (input.read(buffer.data(), static_cast<std::streamsize>(buffer.size())),
           input.gcount() > 0) {
        bytes.append(buffer.data(), static_cast<std::size_t>(input.gcount()));
        if (bytes.size() > limits_.file_bytes)
            refuse_entry(
                ArchiveFault::limits, name,
                format("holds more than the limit of {}", in_megabytes(limits_.file_bytes)));
    }
    return bytes;
}

std::string Archive::read(std::string_view name) const {
    const Entry* entry = find(name);
    if (entry == nullptr) refuse(ArchiveFault::missing_entry, format("has no {}", name));
    if (is_folder()) return read_from_folder(name);
    std::string bytes;
    stream(*entry, limits_.file_bytes, [&](std::string_view piece) { bytes += piece; });
    return bytes;
}

void Archive::fail_to_unpack(std::string_view entry, const std::string& why) const {
    throw InputError(format("{}: entry \"{}\" cannot be unpacked: {}", file_.string(), entry, why));
}

void Archive::unpack(const fs::path& folder) const {
    std::uint64_t left = limits_.total_bytes;
    for (const Entry& entry : entries_) {
        const fs::path target = folder / entry.name;
        std::error_code trouble;
        fs::create_directories(entry.is_folder ? target : target.parent_path(), trouble);
        if (trouble) fail_to_unpack(entry.name, trouble.message());
        if (entry.is_folder) continue;
        std::ofstream output(target, std::ios::binary);
        left -= stream(entry, left, [&](std::string_view piece) { output << piece; });
        output.close();
        if (!output) fail_to_unpack(entry.name, format("cannot write {}", target.string()));
    }
}

} // namespace rubato::files
