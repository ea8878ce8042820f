// SPDX-License-Identifier: Apache-2.0
// rubato-unit: holds one unit for a program that has isolated it. Such programs start it; it is of
// no use by itself.
#include "server.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <thread>

namespace {

using namespace rubato::unit; // NOLINT(google-build-using-namespace)

constexpr int cannot_run = 70;

/// Whatever the unit is doing: this process ends when the program has ended.
void end_with_the_program() {
    char nothing = 0;
    while (::read(static_cast<int>(RemoteDescriptor::lifeline), &nothing, 1) < 0 &&
           errno == EINTR) {
    }
    if (::getpgrp() == ::getpid()) ::kill(0, SIGKILL); // with what it has started
    ::_exit(0);
}

bool was_started_by_rubato() {
    for (int i = 0; i < remote_descriptor_count; ++i)
        if (::fcntl(static_cast<int>(RemoteDescriptor::control) + i, F_GETFD) < 0) return false;
    return true;
}

/// What the unit starts shall not hold these.
void keep_descriptors_private() {
    for (int i = 0; i < remote_descriptor_count; ++i)
        ::fcntl(static_cast<int>(RemoteDescriptor::control) + i, F_SETFD, FD_CLOEXEC);
}

} // namespace

int main() try {
    if (!was_started_by_rubato()) {
        std::fputs("rubato-unit is started by Rubato, for units with isolate: true\n", stderr);
        return cannot_run;
    }
    keep_descriptors_private();
    std::signal(SIGINT, SIG_IGN);  // the program is asked to end and decides when
    std::signal(SIGTTOU, SIG_IGN); // what FMUs print goes to the terminal of the program
    std::thread(end_with_the_program).detach();
    Channel channel = Channel::attach();
    if (channel.control().protocol != protocol_version) {
        std::fputs("rubato-unit is of another version than the program that has started it\n",
                   stderr);
        return cannot_run;
    }
    Server(std::move(channel)).run();
} catch (const std::exception& fault) {
    std::fprintf(stderr, "rubato-unit: %s\n", fault.what());
    return cannot_run;
}
