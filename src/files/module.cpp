// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/diagnostics.hpp>
#include <rubato/files/companion.hpp>
#include <rubato/files/module.hpp>
#include <rubato/private/format.hpp>

#include <dlfcn.h>

namespace rubato::files {

void* module_function(const Module& module, const char* name, const char* purpose) {
    const auto file = find_companion({.name = module.name,
                                      .variable = module.variable,
                                      .purpose = purpose,
                                      .remedy = module.remedy});
    void* const handle =
        ::dlopen(file.c_str(), RTLD_NOW | (module.is_global ? RTLD_GLOBAL : RTLD_LOCAL));
    if (handle == nullptr)
        throw Error(
            format("cannot load \"{}\": {}", file.string(), ::dlerror()),
            format("install the libraries that Rubato was built with ({})", module.libraries));
    void* const function = ::dlsym(handle, name);
    if (function == nullptr)
        throw Error(format("\"{}\" does not belong to this build of Rubato", file.string()),
                    "install Rubato as a whole");
    return function;
}

} // namespace rubato::files
