// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/files/archive_writer.hpp>
#include <rubato/files/temporary_folder.hpp>
#include <rubato/scenario/scenario.hpp>
#include <rubato/unit/library.hpp>

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace rubato::pipeline {

/// The files that a scenario needs to run from the resources of an FMU.
class Contents {
public:
    /// What prevents the export goes to `diagnostics`.
    Contents(unit::Library& library, Diagnostics& diagnostics)
        : library_(library), diagnostics_(diagnostics) {}

    /// The same scenario with paths relative to the resources, and scenarios within it inline.
    scenario::Scenario taken_in(scenario::Scenario scenario);

    /// Packs the files. Inner FMUs are unpacked: nobody has to do it again.
    void pack(files::ArchiveWriter& archive);

    /// The scenario files and others that were read.
    const std::set<std::filesystem::path>& inputs() const { return inputs_; }
    /// FMUs and tables, by their paths in the resources.
    std::vector<std::string> names() const;

private:
    void take_in(scenario::Unit& unit, const std::filesystem::path& folder);
    void take_in(scenario::Unit& unit, scenario::FmuFile& fmu, const std::filesystem::path& folder);
    void take_in(scenario::Unit& unit, scenario::TableFile& table,
                 const std::filesystem::path& folder);
    void check(const scenario::Unit& unit, const scenario::NativeModel& model);
    void check_instances(const scenario::Unit& unit, const std::filesystem::path& folder,
                         const std::filesystem::path& file);
    /// Where a file gets its place in the resources: `folder/name`, or `folder/name-2`.
    std::string place_of(const std::filesystem::path& file, const std::string& folder,
                         const std::string& extension);

    unit::Library& library_;
    Diagnostics& diagnostics_;
    std::set<std::filesystem::path> inputs_;
    std::map<std::filesystem::path, std::string> places_; ///< of files, by their canonical paths
    std::set<std::string> taken_;                         ///< places
    std::set<std::filesystem::path> only_once_;           ///< FMUs that allow one instance
    std::vector<std::unique_ptr<files::TemporaryFolder>>
        unpacked_; ///< until the archive is written
};

} // namespace rubato::pipeline
