// SPDX-License-Identifier: Apache-2.0
#include "own_output.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace rubato::cli {

OwnOutput::OwnOutput() : stream_(stdout) {
    std::fflush(stdout);
    const int own = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (own < 0) return;
    std::FILE* const stream = ::fdopen(own, "w");
    if (stream != nullptr && ::dup2(STDERR_FILENO, STDOUT_FILENO) >= 0)
        stream_ = stream;
    else if (stream != nullptr)
        std::fclose(stream);
    else
        ::close(own);
}

/// Flushes first: text that FMUs have printed may still be in the buffer of stdout.
OwnOutput::~OwnOutput() {
    if (stream_ == stdout) return;
    std::fflush(stdout);
    std::fflush(stream_);
    ::dup2(::fileno(stream_), STDOUT_FILENO);
    std::fclose(stream_);
}

} // namespace rubato::cli
