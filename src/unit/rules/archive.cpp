// SPDX-License-Identifier: Apache-2.0
#include "archive.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <string>

namespace rubato::unit {

namespace {

constexpr std::array<const char*, 3> interfaces = {"ModelExchange", "CoSimulation",
                                                   "ScheduledExecution"};

/// <machine>-<system>, for static libraries with an ABI behind it. Vendors may introduce machines
/// and systems of their own.
bool is_platform_tuple(std::string_view folder) {
    const auto dashes = std::ranges::count(folder, '-');
    const bool has_empty_part = folder.starts_with('-') || folder.ends_with('-') ||
                                folder.find("--") != std::string_view::npos;
    return (dashes == 1 || dashes == 2) && !has_empty_part;
}

bool is_library(std::string_view file) {
    constexpr std::array<std::string_view, 5> endings = {".so", ".dll", ".dylib", ".a", ".lib"};
    return std::ranges::any_of(endings, [&](std::string_view e) { return file.ends_with(e); });
}

std::set<std::string> model_identifiers(const XmlReader& reader, pugi::xml_node root) {
    std::set<std::string> identifiers;
    if (root.attribute("modelIdentifier")) // FMI 1.0
        identifiers.insert(reader.text(root, "modelIdentifier"));
    for (const char* interface : interfaces) {
        const std::string identifier = reader.text(root.child(interface), "modelIdentifier");
        if (!identifier.empty()) identifiers.insert(identifier);
    }
    return identifiers;
}

void check_libraries(const XmlReader& reader, pugi::xml_node root, const FmuArchive& archive,
                     const std::string& platform) {
    const auto files = archive.files_in("binaries/" + platform);
    for (const std::string& identifier : model_identifiers(reader, root)) {
        const bool is_there = std::ranges::any_of(files, [&](const std::string& file) {
            return is_library(file) && file.substr(0, file.rfind('.')) == identifier;
        });
        if (!is_there)
            reader.report(Rule::library_name, root,
                          format("binaries/{} holds no library named {}", platform, identifier));
    }
}

void check_binaries(const XmlReader& reader, FmiVersion version, pugi::xml_node root,
                    const FmuArchive& archive) {
    const auto platforms = archive.folders_in("binaries");
    for (const std::string& platform : platforms) {
        if (version == FmiVersion::fmi3 && !is_platform_tuple(platform))
            reader.report(Rule::platform_folder, root,
                          format("binaries/{} is not named after a platform", platform),
                          "such as x86_64-linux");
        else
            check_libraries(reader, root, archive, platform);
    }
    const bool has_sources =
        !archive.files_in("sources").empty() || !archive.folders_in("sources").empty();
    if (platforms.empty() && !has_sources)
        reader.report(Rule::binary_missing, root, "there are neither binaries/ nor sources/");
}

void check_sources(const XmlReader& reader, pugi::xml_node root, const FmuArchive& archive) {
    for (const char* interface : interfaces) {
        for (const auto file : root.child(interface).child("SourceFiles").children("File")) {
            const std::string name = reader.text(file, "name");
            if (!archive.has_file("sources/" + name))
                reader.report(Rule::source_file_missing, file,
                              format("the archive has no sources/{}", name));
        }
    }
}

} // namespace

void check_archive(const XmlReader& reader, FmiVersion version, pugi::xml_node root,
                   const FmuArchive& archive) {
    for (const std::string& file : archive.repeated())
        reader.report(Rule::archive_repeated_entry, root,
                      format("the archive holds \"{}\" more than once", file));
    check_binaries(reader, version, root, archive);
    check_sources(reader, root, archive);
    const bool is_documented =
        !archive.files_in("documentation").empty() || !archive.folders_in("documentation").empty();
    if (is_documented && !archive.has_file("documentation/index.html"))
        reader.report(Rule::documentation_index, root, "documentation/ holds no index.html");
}

} // namespace rubato::unit
