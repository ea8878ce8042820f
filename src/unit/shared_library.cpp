// SPDX-License-Identifier: Apache-2.0
#include "shared_library.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/private/format.hpp>

#include <dlfcn.h>

namespace rubato::unit {

SharedLibrary::SharedLibrary(std::filesystem::path file, std::string owner)
    : file_(std::move(file)), owner_(std::move(owner)) {
    handle_ = ::dlopen(file_.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) return;
    throw InputError(
        format("{}: its library does not load: {}", owner_, ::dlerror()),
        "it may need other libraries to be installed, or be built for another machine");
}

SharedLibrary::~SharedLibrary() { ::dlclose(handle_); }

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
