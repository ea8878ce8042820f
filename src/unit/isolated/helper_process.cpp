// SPDX-License-Identifier: Apache-2.0
#include "helper_process.hpp"

#include "channel.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/files/companion.hpp>
#include <rubato/private/format.hpp>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace rubato::unit {

namespace fs = std::filesystem;

namespace {

/// Above all numbers that descriptors get in the helper, so that none is lost on the way.
constexpr int first_free_number = 16;

[[noreturn]] void fail(std::string_view what, int error) {
    throw Error(
        format("cannot run a unit in a process of its own: {}: {}", what, std::strerror(error)));
}

Descriptor out_of_the_way(int number) {
    const int moved = ::fcntl(number, F_DUPFD_CLOEXEC, first_free_number);
    if (moved < 0) fail("no more descriptors", errno);
    return Descriptor(moved);
}

/// What happens between the start of the process and its program.
class SpawnActions {
public:
    SpawnActions() { ::posix_spawn_file_actions_init(&actions_); }
    ~SpawnActions() { ::posix_spawn_file_actions_destroy(&actions_); }
    SpawnActions(const SpawnActions&) = delete;
    SpawnActions& operator=(const SpawnActions&) = delete;

    void duplicate(int from, int to) { ::posix_spawn_file_actions_adddup2(&actions_, from, to); }
    void enter(const fs::path& folder) {
        ::posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
    }
    void open_nothing(int number, int mode) {
        ::posix_spawn_file_actions_addopen(&actions_, number, "/dev/null", mode, 0);
    }
    const posix_spawn_file_actions_t* get() const { return &actions_; }

private:
    posix_spawn_file_actions_t actions_{};
};

/// The caller may block or ignore signals; the helper must not. Signals to the caller's process
/// group are left to the caller.
class SpawnAttributes {
public:
    SpawnAttributes() {
        ::posix_spawnattr_init(&attributes_);
        sigset_t none, all;
        ::sigemptyset(&none);
        ::sigfillset(&all);
        ::posix_spawnattr_setsigmask(&attributes_, &none);
        ::posix_spawnattr_setsigdefault(&attributes_, &all);
        ::posix_spawnattr_setpgroup(&attributes_, 0); // of its own, with whatever it starts
        ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                                     POSIX_SPAWN_SETPGROUP);
    }
    ~SpawnAttributes() { ::posix_spawnattr_destroy(&attributes_); }
    SpawnAttributes(const SpawnAttributes&) = delete;
    SpawnAttributes& operator=(const SpawnAttributes&) = delete;
    const posix_spawnattr_t* get() const { return &attributes_; }

private:
    posix_spawnattr_t attributes_{};
};

/// This program's, but for where temporary files go.
std::vector<std::string> environment_with(const fs::path& folder) {
    std::vector<std::string> variables = {"TMPDIR=" + fs::absolute(folder).string()};
    for (char** variable = environ; *variable != nullptr; ++variable)
        if (!std::string_view(*variable).starts_with("TMPDIR=")) variables.emplace_back(*variable);
    return variables;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (std::string& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

/// Where the helper runs, apart from the temporary files that Rubato itself has there.
fs::path work_folder_in(const fs::path& folder) {
    const fs::path work = fs::absolute(folder) / "work";
    fs::create_directory(work);
    return work;
}

pid_t spawn(const std::string& name, std::span<const Descriptor> descriptors,
            const fs::path& folder) {
    SpawnActions actions;
    actions.open_nothing(STDIN_FILENO, O_RDONLY);
    if (::fcntl(STDERR_FILENO, F_GETFD) < 0) actions.open_nothing(STDERR_FILENO, O_WRONLY);
    actions.duplicate(STDERR_FILENO, STDOUT_FILENO);
    int number = static_cast<int>(RemoteDescriptor::control);
    for (const Descriptor& descriptor : descriptors)
        actions.duplicate(descriptor.number(), number++);
    const fs::path helper = fs::absolute(find_helper());
    actions.enter(work_folder_in(folder));
    std::vector<std::string> arguments = {helper.string(), name};
    std::vector<std::string> environment = environment_with(folder);
    pid_t process = -1;
    const int error =
        ::posix_spawn(&process, helper.c_str(), actions.get(), SpawnAttributes().get(),
                      pointers_to(arguments).data(), pointers_to(environment).data());
    if (error != 0) fail(helper.string(), error);
    return process;
}

std::string text_of(int status) {
    if (!WIFSIGNALED(status)) return format("exited with code {}", WEXITSTATUS(status));
    const int number = WTERMSIG(status);
    const char* const name = ::sigabbrev_np(number);
    const char* const meaning = ::sigdescr_np(number);
    return format("was ended by {} ({})",
                  name ? format("SIG{}", name) : format("signal {}", number),
                  meaning ? meaning : "of unknown meaning");
}

} // namespace

fs::path find_helper() {
    return files::find_companion({.name = "rubato-unit",
                                  .variable = "RUBATO_UNIT_HELPER",
                                  .purpose = "a unit that is to run in a process of its own"});
}

Descriptor::Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    close();
    number_ = std::exchange(other.number_, -1);
    return *this;
}

void Descriptor::close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
}

HelperProcess::HelperProcess(const std::string& name, std::span<const int> memories,
                             const fs::path& folder) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) fail("no pipe", errno);
    lifeline_ = Descriptor(ends[1]);
    const Descriptor watched(ends[0]);
    std::vector<Descriptor> descriptors;
    for (const int memory : memories) descriptors.push_back(out_of_the_way(memory));
    descriptors.push_back(out_of_the_way(watched.number()));
    process_ = spawn(name, descriptors, folder);
}

HelperProcess::~HelperProcess() { kill(); }

bool HelperProcess::has_ended(bool wait) {
    if (end_) return true;
    siginfo_t ended{};
    int failed = 0;
    do {
        failed = ::waitid(P_PID, static_cast<id_t>(process_), &ended,
                          WEXITED | WNOWAIT | (wait ? 0 : WNOHANG));
    } while (failed != 0 && errno == EINTR);
    if (failed == 0 && ended.si_pid == 0) return false;
    ::kill(-process_, SIGKILL); // processes that it has started; its id is not free yet
    int status = 0;
    const pid_t found = ::waitpid(process_, &status, 0);
    // Where a program ignores SIGCHLD, nobody knows how its processes end.
    end_ = found < 0 ? "has ended" : text_of(status);
    ended_well_ = found < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return true;
}

const std::optional<std::string>& HelperProcess::find_end() {
    has_ended(false);
    return end_;
}

void HelperProcess::kill() {
    if (has_ended(false)) return;
    ::kill(-process_, SIGKILL);
    has_ended(true);
}

void HelperProcess::end(std::chrono::milliseconds patience) {
    constexpr std::chrono::milliseconds pause{1};
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!has_ended(false) && std::chrono::steady_clock::now() < deadline)
        std::this_thread::sleep_for(pause);
    kill();
}

} // namespace rubato::unit
