// SPDX-License-Identifier: Apache-2.0
#include "text_file.hpp"

#include "foreign.hpp"

#include <rubato/private/format.hpp>

#include <fstream>

namespace rubato::scenario::formats {

namespace {

constexpr std::size_t max_file_size = std::size_t{256} << 20; // of any format

std::string read_text(std::ifstream& stream) {
    std::string text;
    constexpr std::size_t chunk = std::size_t{1} << 16;
    while (stream && text.size() <= max_file_size) {
        const std::size_t size = text.size();
        text.resize(size + chunk);
        stream.read(text.data() + size, chunk);
        text.resize(size + static_cast<std::size_t>(stream.gcount()));
    }
    return text;
}

} // namespace

std::optional<std::string> read_text_file(const std::filesystem::path& file,
                                          Diagnostics& diagnostics) {
    const Location where{file.string(), 0, 0};
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored)) {
        if (report_foreign_folder(file, diagnostics)) return std::nullopt;
        const auto inside = file / "scenario.yaml";
        const bool exists = std::filesystem::exists(inside, ignored);
        diagnostics.error(where, "is a folder, not a scenario file",
                          exists ? format("did you mean {}?", inside.string()) : "");
        return std::nullopt;
    }
    if (!std::filesystem::exists(file, ignored)) {
        diagnostics.error(
            where, "there is no such file",
            format("looked for it from {}", std::filesystem::current_path(ignored).string()));
        return std::nullopt;
    }
    std::ifstream stream(file, std::ios::binary);
    std::string text = stream ? read_text(stream) : std::string();
    if (stream.bad() || (!stream && !stream.eof() && text.empty())) {
        diagnostics.error(where, "cannot be read", "check its permissions");
        return std::nullopt;
    }
    if (report_foreign(file, text, diagnostics)) return std::nullopt;
    return text;
}

bool report_oversized(std::string_view text, std::size_t megabytes, Reporter& reporter) {
    if (text.size() <= megabytes << 20U) return false;
    reporter.error({}, format("is larger than {} MB", megabytes),
                   "this does not look like a scenario");
    return true;
}

} // namespace rubato::scenario::formats
