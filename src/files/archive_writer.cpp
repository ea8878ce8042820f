// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/diagnostics.hpp>
#include <rubato/files/archive_writer.hpp>
#include <rubato/files/output_file.hpp>
#include <rubato/private/format.hpp>

#include <unistd.h>
#include <zip.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace rubato::files {

namespace fs = std::filesystem;

void ArchiveWriter::Discard::operator()(zip* archive) const { zip_discard(archive); }

ArchiveWriter::ArchiveWriter(fs::path file)
    : file_(std::move(file)), temporary_(file_.string() + format(".{}.tmp", ::getpid())) {
    create_folder_of(file_);
    int code = 0;
    zip_.reset(zip_open(temporary_.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code));
    if (zip_) return;
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string reason = zip_error_strerror(&error);
    zip_error_fini(&error);
    fail(reason);
}

ArchiveWriter::~ArchiveWriter() = default;

void ArchiveWriter::fail(const std::string& reason) const {
    throw Error(format("cannot write \"{}\": {}", file_.string(), reason));
}

void ArchiveWriter::add_source(const std::string& entry, void* source) {
    auto* const from = static_cast<zip_source_t*>(source);
    const zip_int64_t index =
        from == nullptr ? -1 : zip_file_add(zip_.get(), entry.c_str(), from, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
        const std::string reason = zip_strerror(zip_.get());
        zip_source_free(from);
        fail(format("{}: {}", entry, reason));
    }
    // Dates and permissions of their own would make archives of the same contents differ.
    constexpr zip_uint16_t first_of_january_1980 = (1u << 5) | 1u;
    constexpr zip_uint32_t mode = 0100755u << 16;
    constexpr zip_uint32_t quick = 3; // half the time of the default, for a tenth of the size
    const auto number = static_cast<zip_uint64_t>(index);
    zip_set_file_compression(zip_.get(), number, ZIP_CM_DEFLATE, quick);
    zip_file_set_dostime(zip_.get(), number, 0, first_of_january_1980, 0);
    zip_file_set_external_attributes(zip_.get(), number, 0, ZIP_OPSYS_UNIX, mode);
}

void ArchiveWriter::add(const std::string& entry, std::string bytes) {
    contents_.push_back(std::make_unique<std::string>(std::move(bytes)));
    const std::string& kept = *contents_.back();
    add_source(entry, zip_source_buffer(zip_.get(), kept.data(), kept.size(), 0));
}

void ArchiveWriter::add_file(const std::string& entry, const fs::path& file) {
    if (::access(file.c_str(), R_OK) != 0)
        fail(format("cannot read \"{}\": {}", file.string(), std::strerror(errno)));
    add_source(entry, zip_source_file(zip_.get(), file.c_str(), 0, -1));
}

void ArchiveWriter::add_folder(const std::string& entry, const fs::path& folder) {
    std::vector<fs::path> all;
    try {
        for (const auto& each : fs::recursive_directory_iterator(folder))
            if (each.is_regular_file()) all.push_back(each.path());
    } catch (const fs::filesystem_error& fault) {
        fail(format("{}: {}", folder.string(), fault.code().message()));
    }
    std::ranges::sort(all);
    for (const fs::path& each : all)
        add_file(format("{}/{}", entry, each.lexically_relative(folder).generic_string()), each);
}

void ArchiveWriter::finish() {
    if (zip_close(zip_.get()) != 0) fail(zip_strerror(zip_.get()));
    static_cast<void>(zip_.release()); // zip_close has freed it
    std::error_code fault;
    fs::rename(temporary_, file_, fault);
    if (!fault) return;
    ::unlink(temporary_.c_str());
    fail(fault.message());
}

} // namespace rubato::files
