// SPDX-License-Identifier: Apache-2.0
#include "resources.hpp"

#include <rubato/pipeline/scenario_unit.hpp>

#include <dlfcn.h>

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace rubato::runtime {

namespace fs = std::filesystem;

namespace {

/// binaries/<platform>/<name>.so is what is running.
fs::path own_resources() {
    Dl_info found{};
    if (::dladdr(reinterpret_cast<const void*>(&own_resources), &found) == 0 || !found.dli_fname)
        return "resources";
    return fs::absolute(found.dli_fname).parent_path().parent_path().parent_path() / "resources";
}

/// Where a scenario is: importers differ in what they pass.
fs::path usable(const fs::path& folder) {
    std::error_code absent;
    return fs::is_regular_file(folder / pipeline::exported::scenario, absent) ? fs::absolute(folder)
                                                                              : own_resources();
}

/// RFC 3986: %20 is a space.
std::string decoded(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        unsigned char byte = 0;
        const char* const digits = text.data() + 1;
        if (text.size() >= 3 && text[0] == '%' &&
            std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
            result += static_cast<char>(byte);
            text.remove_prefix(3);
        } else {
            result += text[0];
            text.remove_prefix(1);
        }
    }
    return result;
}

/// file:/path, file:///path and file://localhost/path.
std::optional<std::string_view> path_of(std::string_view uri) {
    constexpr std::string_view scheme = "file:";
    if (!uri.starts_with(scheme)) return std::nullopt;
    uri.remove_prefix(scheme.size());
    if (!uri.starts_with("//")) return uri;
    const std::size_t slash = uri.find('/', 2);
    if (slash == std::string_view::npos) return std::nullopt;
    return uri.substr(slash);
}

} // namespace

fs::path resources_from_uri(const char* uri) {
    const auto path = path_of(uri ? uri : "");
    return path ? usable(decoded(*path)) : own_resources();
}

fs::path resources_from_path(const char* path) { return path ? usable(path) : own_resources(); }

} // namespace rubato::runtime
