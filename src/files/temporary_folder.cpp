// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/diagnostics.hpp>
#include <rubato/files/temporary_folder.hpp>
#include <rubato/private/format.hpp>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <mutex>
#include <string>
#include <system_error>
#include <vector>

namespace rubato::files {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view prefix = "rubato-fmu-";

/// Locked for this process and those that it forks; the lock goes with the last of them, however
/// they end. nullopt: another process has it, or there are no locks here.
std::optional<int> lock(const fs::path& folder) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0) return std::nullopt;
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
    ::close(descriptor);
    return std::nullopt;
}

/// A folder that has just been made may not be locked yet.
bool is_new(const fs::path& folder) {
    std::error_code trouble;
    const auto changed = fs::last_write_time(folder, trouble);
    return trouble || fs::file_time_type::clock::now() - changed < std::chrono::minutes(1);
}

struct LivingFolders {
    std::mutex mutex;
    std::vector<fs::path> paths;
};

/// Never destroyed: a process may end at any time.
LivingFolders& living_folders() {
    static auto* const folders = new LivingFolders;
    return *folders;
}

} // namespace

void remove_temporary_folders() noexcept {
    const std::unique_lock lock(living_folders().mutex, std::try_to_lock);
    if (!lock) return; // somebody makes or removes one: whoever comes next removes what is left
    for (const fs::path& folder : living_folders().paths) {
        std::error_code ignored;
        fs::remove_all(folder, ignored);
    }
}

void remove_forsaken_folders(const fs::path& parent) {
    std::error_code trouble; // of others: what cannot be removed stays
    for (fs::directory_iterator entry(parent, trouble), end; !trouble && entry != end;
         entry.increment(trouble)) {
        const fs::path& folder = entry->path();
        if (!folder.filename().string().starts_with(prefix) || is_new(folder)) continue;
        const auto descriptor = lock(folder);
        if (!descriptor) continue;
        std::error_code ignored;
        fs::remove_all(folder, ignored);
        ::close(*descriptor);
    }
}

TemporaryFolder::TemporaryFolder() {
    std::error_code trouble;
    const auto parent = fs::absolute(fs::temp_directory_path(trouble));
    std::string name = (parent / format("{}XXXXXX", prefix)).string();
    if (trouble || ::mkdtemp(name.data()) == nullptr) {
        const auto reason = trouble ? trouble : std::error_code(errno, std::system_category());
        throw Error(format("cannot make a temporary folder {}: {}", name, reason.message()),
                    "set TMPDIR to a folder that can be written to");
    }
    path_ = name;
    lock_ = lock(path_);
    {
        const std::lock_guard guard(living_folders().mutex);
        living_folders().paths.push_back(path_);
    }
    static std::once_flag tidied;
    std::call_once(tidied, remove_forsaken_folders, parent);
}

TemporaryFolder::~TemporaryFolder() {
    const std::lock_guard guard(living_folders().mutex);
    std::erase(living_folders().paths, path_);
    std::error_code ignored; // a destructor cannot report it
    fs::remove_all(path_, ignored);
    if (lock_) ::close(*lock_);
}

} // namespace rubato::files
