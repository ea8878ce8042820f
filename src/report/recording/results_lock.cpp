// SPDX-License-Identifier: Apache-2.0
#include "results_lock.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/files/output_file.hpp>
#include <rubato/private/format.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace rubato::report {

ResultsLock::ResultsLock(const std::filesystem::path& file) {
    files::create_folder_of(file);
    descriptor_ = ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
    if (descriptor_ < 0)
        throw Error(format("cannot create \"{}\": {}", file.string(), std::strerror(errno)));
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
    ::close(descriptor_);
    throw InputError(format("another run is writing to \"{}\"", file.string()),
                     "wait for it to end, or give this run a file of its own: -o FILE.csv");
}

ResultsLock::~ResultsLock() { ::close(descriptor_); }

} // namespace rubato::report
