// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/description.hpp>
#include <rubato/scenario/scenario.hpp>

#include <filesystem>
#include <memory>
#include <string>

namespace rubato::scenario {

/// The folder that a system of another tool is stored in, packed or not: how its reader gets at the
/// files that the system names. Readers know no archives and open no FMUs.
class SystemFiles {
public:
    virtual ~SystemFiles() = default;

    /// What messages call a file of the folder: "crane.ssp/resources/winch.ssv".
    virtual std::string label(const std::filesystem::path& file) const = 0;

    /// Whether there is such a file, or such a folder, that may be read.
    virtual bool exists(const std::filesystem::path& file) const = 0;

    /// The bytes of a file, named relative to the folder. Throws InputError with the reason, without
    /// the name.
    virtual std::string read(const std::filesystem::path& file) const = 0;

    /// Where the units of a scenario find the file. Throws as `read` does.
    virtual std::filesystem::path path_of(const std::filesystem::path& file) const = 0;

    /// Stores a file that the reader has made, under a name that no other has. Returns where units
    /// find it.
    virtual std::filesystem::path keep(const std::string& name, const std::string& text) = 0;

    /// What a unit is; null: its file is missing or wrong, which is reported when the scenario is
    /// assembled.
    virtual const UnitDescription* describe(const Unit& unit) = 0;

    /// The files of a package within the folder, or of the folder that a file is in. Throws as
    /// `read` does.
    virtual std::unique_ptr<SystemFiles> open(const std::filesystem::path& file) = 0;
};

} // namespace rubato::scenario
