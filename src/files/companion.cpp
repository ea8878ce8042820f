// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/diagnostics.hpp>
#include <rubato/files/companion.hpp>
#include <rubato/private/format.hpp>

#include <dlfcn.h>

#include <cstdlib>
#include <system_error>
#include <vector>

namespace rubato::files {

namespace {

namespace fs = std::filesystem;

/// The folder of the shared library that holds this code, such as Python's extension module; empty:
/// it is not known.
fs::path own_folder() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&own_folder), &info) == 0 || !info.dli_fname)
        return {};
    const fs::path file = info.dli_fname;
    return file.is_absolute() ? file.parent_path() : fs::path(); // programs may have any name here
}

std::vector<fs::path> places_of(const std::string& name) {
    std::error_code unknown;
    const fs::path here = fs::read_symlink("/proc/self/exe", unknown).parent_path();
    std::vector<fs::path> paths;
    if (!here.empty()) paths = {here / name, here.parent_path() / "libexec" / "rubato" / name};
    if (const fs::path own = own_folder(); !own.empty()) paths.push_back(own / "bin" / name);
    paths.push_back(fs::path(RUBATO_LIBEXEC) / name);
    return paths;
}

} // namespace

fs::path find_companion(const Companion& companion) {
    if (const char* named = std::getenv(companion.variable.c_str())) return named;
    const auto paths = places_of(companion.name);
    std::vector<std::string> looked;
    for (const fs::path& path : paths) {
        std::error_code absent;
        if (fs::is_regular_file(path, absent)) return path;
        looked.push_back(path.lexically_normal().string());
    }
    throw Error(format("{} needs {}; looked for {}", companion.purpose, companion.name,
                       fmt::join(looked, ", ")),
                format("{}, or name the file in {}", companion.remedy, companion.variable));
}

} // namespace rubato::files
