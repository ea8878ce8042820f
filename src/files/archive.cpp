// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/diagnostics.hpp>
#include <rubato/files/archive.hpp>
#include <rubato/private/format.hpp>

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

void Archive::refuse_size(std::string_view entry, std::uint64_t most) const {
    refuse_entry(ArchiveFault::limits, entry,
                 format("unpacks to more than the limit of {}", in_megabytes(most)));
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
    open_zip();
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
    list_zip();
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
