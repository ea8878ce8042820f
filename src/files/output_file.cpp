// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/diagnostics.hpp>
#include <rubato/files/output_file.hpp>
#include <rubato/files/reader_gone.hpp>
#include <rubato/private/forked_copy.hpp>
#include <rubato/private/format.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

namespace rubato::files {

void create_folder_of(const std::filesystem::path& path) {
    if (!path.has_parent_path()) return;
    std::error_code fault;
    std::filesystem::create_directories(path.parent_path(), fault);
    if (fault)
        throw Error(format("cannot create the folder \"{}\": {}", path.parent_path().string(),
                           fault.message()));
}

namespace {

int open_for_writing(const std::filesystem::path& path) {
    create_folder_of(path);
    const int descriptor =
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
    if (descriptor < 0)
        throw Error(format("cannot create \"{}\": {}", path.string(), std::strerror(errno)));
    return descriptor;
}

} // namespace

OutputFile::OutputFile(std::filesystem::path path)
    : path_(std::move(path)), descriptor_(open_for_writing(path_)) {}

OutputFile::OutputFile(std::filesystem::path path, int descriptor)
    : path_(std::move(path)), descriptor_(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0)) {
    if (descriptor_ < 0) fail("write to", errno);
}

OutputFile::~OutputFile() {
    if (open_) ::close(descriptor_);
}

void OutputFile::fail(std::string_view doing, int fault) const {
    const std::string message =
        format("cannot {} \"{}\": {}", doing, path_.string(), std::strerror(fault));
    if (fault == EPIPE) throw ReaderGone(message);
    throw Error(message);
}

OutputFile::Written OutputFile::try_write(std::string_view bytes) noexcept {
    Written done;
    if (ForkedCopy::is_this()) { // its file is that of the process that called fork()
        done.bytes = bytes.size();
        return done;
    }
    while (done.bytes < bytes.size()) {
        const ssize_t written =
            ::write(descriptor_, bytes.data() + done.bytes, bytes.size() - done.bytes);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) {
            done.fault = errno;
            return done;
        }
        done.bytes += static_cast<std::size_t>(written);
    }
    return done;
}

int OutputFile::try_write_at(std::size_t position, std::string_view bytes) noexcept {
    if (ForkedCopy::is_this()) return 0;
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t written = ::pwrite(descriptor_, bytes.data() + done, bytes.size() - done,
                                         static_cast<off_t>(position + done));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        done += static_cast<std::size_t>(written);
    }
    return 0;
}

void OutputFile::take_back(std::size_t bytes) noexcept {
    const off_t end = ::lseek(descriptor_, 0, SEEK_CUR);
    const off_t kept = end - static_cast<off_t>(bytes);
    if (end < 0 || kept < 0 || ::ftruncate(descriptor_, kept) != 0) return;
    ::lseek(descriptor_, kept, SEEK_SET);
}

void OutputFile::write(std::string_view bytes) {
    const Written done = try_write(bytes);
    if (done.fault != 0) fail("write to", done.fault);
}

void OutputFile::close() {
    open_ = false;
    if (::close(descriptor_) != 0) fail("finish writing", errno);
}

void write_atomically(const std::filesystem::path& path, std::string_view content) {
    std::error_code absent;
    const auto status = std::filesystem::status(path, absent);
    if (std::filesystem::exists(status) && std::filesystem::is_other(status)) { // /dev/null, a pipe
        OutputFile device(path);
        device.write(content);
        return device.close();
    }
    std::filesystem::path temporary = path;
    temporary += format(".{}.tmp", ::getpid());
    try {
        OutputFile file(temporary);
        file.write(content);
        file.close();
        std::filesystem::rename(temporary, path);
    } catch (const std::filesystem::filesystem_error& fault) {
        ::unlink(temporary.c_str());
        throw Error(format("cannot create \"{}\": {}", path.string(), fault.code().message()));
    } catch (...) {
        ::unlink(temporary.c_str());
        throw;
    }
}

std::string read_file(const std::filesystem::path& path) {
    if (std::filesystem::is_directory(path))
        throw InputError(format("\"{}\" is a folder, not a file", path.string()));
    std::ifstream stream(path, std::ios::binary);
    if (!stream)
        throw InputError(format("cannot read \"{}\": {}", path.string(), std::strerror(errno)));
    return {std::istreambuf_iterator<char>(stream), {}};
}

} // namespace rubato::files
