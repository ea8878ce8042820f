// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/diagnostics.hpp>
#include <rubato/files/companion.hpp>
#include <rubato/private/format.hpp>

#include <cstdlib>
#include <system_error>
#include <vector>

namespace rubato::files {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> places_of(const std::string& name) {
    std::error_code unknown;
    const fs::path here = fs::read_symlink("/proc/self/exe", unknown).parent_path();
    std::vector<fs::path> paths;
    if (!here.empty()) paths = {here / name, here.parent_path() / "libexec" / "rubato" / name};
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
                format("install Rubato as a whole, or name the file in {}", companion.variable));
}

} // namespace rubato::files
