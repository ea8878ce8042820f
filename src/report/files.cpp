// SPDX-License-Identifier: Apache-2.0
#include "files.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/private/format.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

namespace rubato::report {
namespace {

void create_folder_of(const std::filesystem::path& path) {
    if (!path.has_parent_path()) return;
    std::error_code fault;
    std::filesystem::create_directories(path.parent_path(), fault);
    if (fault)
        throw Error(format("cannot create the folder \"{}\": {}", path.parent_path().string(),
                           fault.message()));
}

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

OutputFile::~OutputFile() {
    if (open_) ::close(descriptor_);
}

void OutputFile::fail(std::string_view doing) const {
    throw Error(format("cannot {} \"{}\": {}", doing, path_.string(), std::strerror(errno)));
}

void OutputFile::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written < 0) {
            if (errno == EINTR) continue;
            fail("write to");
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

void OutputFile::close() {
    open_ = false;
    if (::close(descriptor_) != 0) fail("finish writing");
}

void write_atomically(const std::filesystem::path& path, std::string_view content) {
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

} // namespace rubato::report
