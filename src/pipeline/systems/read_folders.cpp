// SPDX-License-Identifier: Apache-2.0
#include "systems/folder_files.hpp"
#include "systems/read_systems.hpp"

#include <rubato/scenario/maestro.hpp>
#include <rubato/scenario/msim.hpp>
#include <rubato/scenario/osp.hpp>

namespace rubato::pipeline {

namespace fs = std::filesystem;

namespace {

using Parse = scenario::Scenario (*)(const fs::path& file, scenario::SystemFiles& files,
                                     Diagnostics& diagnostics);

/// A system whose files lie around the one that describes it.
scenario::Scenario read_around(const fs::path& file, const ReadOptions& options, Parse parse,
                               Diagnostics& diagnostics) {
    const fs::path folder = file.parent_path();
    const Location where{file.string(), 0, 0};
    if (!options.variant.empty())
        diagnostics.error(where, "has no variants: it is no SSP package", "leave --variant out");
    try {
        SystemStore store;
        FolderFiles files(store, folder, folder, folder.string(), FolderFiles::Access::anywhere);
        scenario::Scenario scenario = parse(file.filename(), files, diagnostics);
        scenario.name = file.stem().string();
        scenario.file = file;
        return scenario;
    } catch (const InputError& error) {
        diagnostics.error(where, error.what());
    }
    return {};
}

} // namespace

scenario::Scenario read_osp(const fs::path& file, const ReadOptions& options,
                            Diagnostics& diagnostics) {
    constexpr auto usual_name = "OspSystemStructure";
    std::error_code trouble;
    const fs::path system =
        fs::is_directory(file, trouble) ? file / (std::string(usual_name) + ".xml") : file;
    scenario::Scenario scenario = read_around(system, options, scenario::parse_osp, diagnostics);
    // Files of systems are all called alike: the folder says which one it is.
    if (system.stem() == usual_name)
        scenario.name = fs::absolute(system, trouble).parent_path().filename().string();
    return scenario;
}

scenario::Scenario read_msim(const fs::path& file, const ReadOptions& options,
                             Diagnostics& diagnostics) {
    return read_around(file, options, scenario::parse_msim, diagnostics);
}

scenario::Scenario read_maestro(const fs::path& file, const ReadOptions& options,
                                Diagnostics& diagnostics) {
    return read_around(file, options, scenario::parse_maestro, diagnostics);
}

} // namespace rubato::pipeline
