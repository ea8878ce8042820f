// SPDX-License-Identifier: Apache-2.0
#include "workers/worker.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace rubato::pipeline {

void become_worker(const std::filesystem::path& folder) {
    ::setenv("TMPDIR", folder.c_str(), 1);
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL})
        ::signal(signal, SIG_DFL);
    constexpr rlim_t memory = rlim_t{8} << 30;
    const rlimit most{memory, memory}, no_core{0, 0};
    ::setrlimit(RLIMIT_AS, &most);
    ::setrlimit(RLIMIT_CORE, &no_core);
    const int nowhere = ::open("/dev/null", O_RDWR);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
}

void write_all(int descriptor, const std::string& bytes) {
    std::size_t written = 0;
    while (written < bytes.size()) {
        const ssize_t count = ::write(descriptor, bytes.data() + written, bytes.size() - written);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return;
        written += static_cast<std::size_t>(count);
    }
}

} // namespace rubato::pipeline
