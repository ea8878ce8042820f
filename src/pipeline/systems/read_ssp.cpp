// SPDX-License-Identifier: Apache-2.0
#include "systems/folder_files.hpp"
#include "systems/read_systems.hpp"

#include <rubato/core/text.hpp>
#include <rubato/files/archive.hpp>
#include <rubato/private/format.hpp>
#include <rubato/scenario/ssp.hpp>

#include <algorithm>
#include <array>
#include <fstream>

namespace rubato::pipeline {

namespace fs = std::filesystem;

namespace {

bool is_archive(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::array<char, 2> start{};
    stream.read(start.data(), start.size());
    return start == std::array{'P', 'K'} || file.extension() == ".ssp";
}

/// The descriptions of a package, by their file names.
std::vector<std::string> descriptions_in(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code trouble;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, trouble))
        if (entry.path().extension() == ".ssd") names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
}

/// The file of a variant, which is named with or without its extension. Empty: there is none, which
/// has been reported.
std::string find_variant(const fs::path& folder, const std::string& variant, const Location& where,
                         Diagnostics& diagnostics) {
    const std::vector<std::string> names = descriptions_in(folder);
    if (variant.empty()) {
        if (std::ranges::find(names, scenario::default_ssd) != names.end())
            return std::string(scenario::default_ssd);
        diagnostics.error(where, format("the package has no {}", scenario::default_ssd),
                          names.empty() ? "every SSP package has one"
                                        : format("--variant {}", fmt::join(names, " or ")));
        return {};
    }
    for (const std::string& name : names)
        if (name == variant || fs::path(name).stem() == variant) return name;
    std::vector<std::string> stems;
    for (const std::string& name : names) stems.push_back(fs::path(name).stem().string());
    diagnostics.error(where, format("the package has no variant \"{}\"", variant),
                      suggest(fs::path(variant).stem().string(), stems, "its variants"));
    return {};
}

/// Scenarios within the scenario find their files from where it does.
void set_file(scenario::Scenario& scenario, const fs::path& file) {
    scenario.file = file;
    std::ranges::replace(scenario.name, '/', '_'); // results are named after it
    for (scenario::Unit& unit : scenario.units) {
        auto* const nested = std::get_if<scenario::NestedScenario>(&unit.origin);
        if (!nested || !nested->scenario) continue;
        scenario::Scenario inner = *nested->scenario;
        set_file(inner, file);
        nested->scenario = std::make_shared<const scenario::Scenario>(std::move(inner));
    }
}

scenario::Scenario read_from(FolderFiles& files, const fs::path& description, const fs::path& file,
                             Diagnostics& diagnostics) {
    scenario::Scenario scenario = scenario::parse_ssd(description, files, diagnostics);
    set_file(scenario, file);
    return scenario;
}

} // namespace

scenario::Scenario read_ssp(const fs::path& file, const ReadOptions& options,
                            Diagnostics& diagnostics) {
    const Location where{file.string(), 0, 0};
    std::error_code trouble;
    try {
        SystemStore store;
        const bool is_folder = fs::is_directory(file, trouble);
        if (!is_folder && !is_archive(file)) {
            const fs::path folder = file.parent_path();
            FolderFiles files(store, folder, folder, folder.string(),
                              FolderFiles::Access::anywhere);
            const std::string name = options.variant.empty()
                                         ? file.filename().string()
                                         : find_variant(folder.empty() ? "." : folder,
                                                        options.variant, where, diagnostics);
            if (name.empty()) return {};
            return read_from(files, name, folder / name, diagnostics);
        }
        const fs::path folder = store.unpack(file, scenario::default_ssd);
        const std::string name = find_variant(folder, options.variant, where, diagnostics);
        if (name.empty()) return {};
        FolderFiles files(store, folder, folder, file.string(),
                          is_folder ? FolderFiles::Access::anywhere
                                    : FolderFiles::Access::within_root);
        return read_from(files, name, is_folder ? file / name : file, diagnostics);
    } catch (const files::ArchiveError& error) {
        diagnostics.error(where, error.problem(), error.hint());
    } catch (const InputError& error) {
        diagnostics.error(where, error.what());
    }
    return {};
}

} // namespace rubato::pipeline
