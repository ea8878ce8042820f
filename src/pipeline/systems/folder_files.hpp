// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/files/temporary_folder.hpp>
#include <rubato/scenario/system_files.hpp>
#include <rubato/unit/library.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace rubato::pipeline {

/// What all folders of one system share: archives that have been unpacked, and descriptions of FMUs.
class SystemStore {
public:
    SystemStore();

    /// Unpacks a package into a folder of its own. It is there until the process ends: scenarios
    /// name files in it, and a scenario is plain data that anybody may copy.
    std::filesystem::path unpack(const std::filesystem::path& archive, std::string_view marker);

    /// A new folder that is there as long, for files that are made.
    static std::filesystem::path make_folder();
    /// Whether a file is in such a folder.
    static bool holds(const std::filesystem::path& file);

    unit::Library& library() { return library_; }

private:
    unit::Library library_;
};

/// A folder in the file system, or one that a package was unpacked into. Nothing outside the
/// package can be reached from there.
class FolderFiles final : public scenario::SystemFiles {
public:
    enum class Access : std::uint8_t { anywhere, within_root };

    /// `root` is the folder of the package. `folder` is where paths begin. Units name files of a
    /// folder that is open to all by the path that the system names them by.
    FolderFiles(SystemStore& store, std::filesystem::path root, std::filesystem::path folder,
                std::string label, Access access);

    std::string label(const std::filesystem::path& file) const override;
    bool exists(const std::filesystem::path& file) const override;
    std::string read(const std::filesystem::path& file) const override;
    std::filesystem::path path_of(const std::filesystem::path& file) const override;
    std::filesystem::path keep(const std::string& name, const std::string& text) override;
    const scenario::UnitDescription* describe(const scenario::Unit& unit) override;
    std::unique_ptr<scenario::SystemFiles> open(const std::filesystem::path& file) override;

private:
    /// Where a file is. Throws InputError where it must not be.
    std::filesystem::path locate(const std::filesystem::path& file) const;

    SystemStore& store_;
    std::filesystem::path root_, folder_;
    std::string label_; ///< of the root
    Access access_;
};

} // namespace rubato::pipeline
