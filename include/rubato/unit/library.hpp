// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/log.hpp>
#include <rubato/files/archive_limits.hpp>
#include <rubato/model/model_type.hpp>
#include <rubato/scenario/description.hpp>
#include <rubato/scenario/scenario.hpp>
#include <rubato/unit/rules.hpp>
#include <rubato/unit/unit.hpp>
#include <rubato/unit/unit_factory.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace rubato::unit {

/// Opens FMU files, native models and tables, and what factories are added for, and makes units of
/// them. Each FMU is unpacked once and its binary loaded once, however many units are made; both go
/// when the library goes, which must therefore outlive its units. Rules of the standard that an FMU
/// breaks are logged, a line for each; when strict, they are errors.
class Library {
public:
    explicit Library(Log& log, files::ArchiveLimits limits = {},
                     Strictness strictness = Strictness::lenient);
    ~Library();
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;

    /// Makes a native model known under its name. A name that is known already keeps its model,
    /// which units may be using.
    void add(const model::ModelType& type);

    /// For units of another origin. Of several factories that make a unit, the one that was added
    /// last does.
    void add(std::unique_ptr<UnitFactory> factory);

    /// What a unit of a scenario is. Reads the model description, loads no binary. `folder` is what
    /// relative paths are relative to. Throws InputError.
    const scenario::UnitDescription& describe(const scenario::Unit& unit,
                                              const std::filesystem::path& folder);
    /// The same for an FMU file.
    const scenario::UnitDescription& describe(const std::filesystem::path& fmu);

    /// The FMU of a unit that is one, wherever it was found, for a copy of it. Throws InputError
    /// when a copy cannot be run.
    std::filesystem::path find_copyable_fmu(const scenario::Unit& unit,
                                            const std::filesystem::path& folder);

    /// The FMUs, tables and other files that have been opened.
    std::vector<std::filesystem::path> files() const;

    /// A new unit, in phase `instantiated`, without the scenario's values. An FMU runs in a process
    /// of its own if the scenario isolates it, or if it allows one instance per process and has one
    /// in this. Throws InputError when
    /// its binary cannot be used and Error when it fails to instantiate.
    std::unique_ptr<Unit> instantiate(const scenario::Unit& unit,
                                      const std::filesystem::path& folder);

    /// The same for a unit that `make` makes of others, for which there is no factory.
    std::unique_ptr<Unit> instantiate_by(const std::function<std::unique_ptr<Unit>()>& make,
                                         const scenario::Unit& unit);

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

} // namespace rubato::unit
