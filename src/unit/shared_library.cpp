// SPDX-License-Identifier: Apache-2.0
#include "shared_library.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/private/format.hpp>

#include <dlfcn.h>

#include <algorithm>

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

} // namespace

SharedLibrary::SharedLibrary(fs::path file, std::string owner, const fs::path& others)
    : file_(std::move(file)), owner_(std::move(owner)), handle_(::dlopen(file_.c_str(), apart)) {
    if (handle_ != nullptr) return;
    const std::string reason = ::dlerror();
    load_others(file_.parent_path());
    if (!others.empty()) load_others(others);
    handle_ = ::dlopen(file_.c_str(), apart);
    if (handle_ != nullptr) return;
    for (void* other : others_) ::dlclose(other);
    throw InputError(
        format("{}: its library does not load: {}", owner_, reason),
        "it may need other libraries to be installed, or be built for another machine");
}

SharedLibrary::~SharedLibrary() {
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
