// SPDX-License-Identifier: Apache-2.0
// What of an archive needs libzip. Alone: the runtime of exported scenarios, which reads folders
// only, has its own (src/runtime/no_zip.cpp).
#include <rubato/files/archive.hpp>
#include <rubato/private/format.hpp>

#include <sys/stat.h>
#include <zip.h>

#include <array>
#include <fstream>

namespace rubato::files {

namespace fs = std::filesystem;

namespace {

/// Every zip with entries starts with a local header; an empty one with the end of its directory.
bool starts_like_a_zip(const fs::path& file) {
    std::array<char, 4> head{};
    std::ifstream(file, std::ios::binary).read(head.data(), head.size());
    const std::string_view text(head.data(), head.size());
    return text == "PK\3\4" || text == "PK\5\6";
}

} // namespace

void Archive::Closer::operator()(zip* archive) const { zip_discard(archive); }

void Archive::open_zip() {
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

void Archive::list_zip() {
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

std::uint64_t Archive::stream(const Entry& entry, std::uint64_t most, const Sink& sink) const {
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
        if (total > most) refuse_size(entry.name, most);
        sink(std::string_view(buffer.data(), static_cast<std::size_t>(got)));
    }
}

} // namespace rubato::files
