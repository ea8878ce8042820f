// SPDX-License-Identifier: Apache-2.0
#include "shared_library.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/private/format.hpp>
#include <rubato/unit/call_under_way.hpp>

#include <dlfcn.h>
#include <link.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <system_error>

namespace rubato::unit {

namespace fs = std::filesystem;

namespace {

constexpr int apart = RTLD_NOW | RTLD_LOCAL;

/// Libraries that may be needed: `libtable.so`, `libtable.so.2`.
std::vector<fs::path> libraries_in(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code absent;
    for (const auto& entry : fs::directory_iterator(folder, absent)) {
        const std::string name = entry.path().filename().string();
        if (entry.is_regular_file() && name.find(".so") != std::string::npos)
            files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
}

/// Ids, sorted.
std::vector<long> threads_of_process() {
    std::vector<long> ids;
    std::error_code absent;
    for (const auto& entry : fs::directory_iterator("/proc/self/task", absent))
        ids.push_back(std::strtol(entry.path().filename().c_str(), nullptr, 10));
    std::ranges::sort(ids);
    return ids;
}

bool forbids_execution(const fs::path& file) {
    struct statvfs system {};
    return ::statvfs(file.c_str(), &system) == 0 && (system.f_flag & ST_NOEXEC) != 0;
}

constexpr std::string_view python_name = "libpython3";

/// FMUs that run Python need not be linked with it: they expect to be loaded by it.
bool lacks_python(const std::string& reason) {
    return reason.find("undefined symbol: Py") != std::string::npos ||
           reason.find("undefined symbol: _Py") != std::string::npos;
}

/// That of the command python3 first. Once loaded it stays: it cannot be unloaded.
bool load_python() {
    constexpr int newest = 20;
    constexpr int oldest = 6;
    std::vector<std::string> names;
    std::error_code absent;
    for (const char* const command : {"/usr/local/bin/python3", "/usr/bin/python3"}) {
        const std::string program = fs::canonical(command, absent).filename().string();
        if (!absent && program.starts_with("python3.")) names.push_back(format("lib{}", program));
    }
    for (int minor = newest; minor >= oldest; --minor)
        names.push_back(format("{}.{}", python_name, minor));
    return std::ranges::any_of(names, [](const std::string& name) {
        return ::dlopen((name + ".so.1.0").c_str(), RTLD_NOW | RTLD_GLOBAL) != nullptr ||
               ::dlopen((name + "m.so.1.0").c_str(), RTLD_NOW | RTLD_GLOBAL) != nullptr;
    });
}

/// Modules of Python that are written in C look for its functions among those of all libraries. So
/// a Python that an FMU has brought in must be there for all.
void share_python() {
    std::string file;
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* found) {
            const std::string name = info->dlpi_name;
            const bool is_python =
                name.find(std::string("/") + std::string(python_name)) != std::string::npos;
            if (is_python) *static_cast<std::string*>(found) = name;
            return is_python ? 1 : 0;
        },
        &file);
    if (!file.empty()) (void)::dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
}

/// Loading runs code of the library.
class LoadUnderWay {
public:
    explicit LoadUnderWay(const std::string& owner) {
        call_under_way.call.store("loading its library", std::memory_order_relaxed);
        call_under_way.file.store(&owner, std::memory_order_relaxed);
    }
    ~LoadUnderWay() { call_under_way.file.store(nullptr, std::memory_order_relaxed); }
    LoadUnderWay(const LoadUnderWay&) = delete;
    LoadUnderWay& operator=(const LoadUnderWay&) = delete;
};

} // namespace

SharedLibrary::SharedLibrary(fs::path file, std::string owner, const fs::path& others)
    : file_(std::move(file)), owner_(std::move(owner)), threads_before_(threads_of_process()) {
    const LoadUnderWay loading(owner_);
    handle_ = ::dlopen(file_.c_str(), apart);
    if (handle_ == nullptr) load_with_help(::dlerror(), others);
    share_python();
}

void SharedLibrary::load_with_help(const std::string& reason, const fs::path& others) {
    if (lacks_python(reason) && !load_python())
        throw InputError(
            format("{}: its library needs Python: {}", owner_, reason),
            "install Python with its shared library, such as the package libpython3-dev");
    handle_ = ::dlopen(file_.c_str(), apart);
    if (handle_ != nullptr) return;
    load_others(file_.parent_path());
    if (!others.empty()) load_others(others);
    handle_ = ::dlopen(file_.c_str(), apart);
    if (handle_ != nullptr) return;
    for (void* other : others_) ::dlclose(other);
    if (forbids_execution(file_))
        throw InputError(format("{}: its library cannot be loaded from {}: that file system is "
                                "mounted with noexec",
                                owner_, file_.parent_path().string()),
                         "set TMPDIR to a folder from which programs may be run");
    throw InputError(
        format("{}: its library does not load: {}", owner_, reason),
        "it may need other libraries to be installed, or be built for another machine");
}

/// Threads that have come since it was loaded may run code of the library, which must then stay.
SharedLibrary::~SharedLibrary() {
    if (!std::ranges::includes(threads_before_, threads_of_process())) return;
    ::dlclose(handle_);
    for (void* other : others_) ::dlclose(other);
}

/// One may need another: goes through them until none is loaded any more.
void SharedLibrary::load_others(const fs::path& folder) {
    std::vector<fs::path> files = libraries_in(folder);
    std::erase(files, file_);
    const auto load = [&](const fs::path& other) {
        void* const handle = ::dlopen(other.c_str(), apart);
        if (handle != nullptr) others_.push_back(handle);
        return handle != nullptr;
    };
    while (std::erase_if(files, load) > 0) {
    }
}

void* SharedLibrary::find_symbol(const char* name) const { return ::dlsym(handle_, name); }

void* SharedLibrary::load_symbol(const char* name) const {
    void* symbol = find_symbol(name);
    if (symbol == nullptr) {
        throw InputError(format("{}: its library {} lacks the function {}", owner_,
                                file_.filename().string(), name),
                         "the FMU is incomplete; export it again");
    }
    return symbol;
}

} // namespace rubato::unit
