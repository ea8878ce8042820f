// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fmi2/fmi2_unit.hpp"
#include "fmi3/fmi3_unit.hpp"
#include "model_description.hpp"
#include "shared_library.hpp"
#include "temporary_folder.hpp"

#include <memory>
#include <optional>
#include <variant>

namespace rubato::unit {

/// An FMU file: described when opened, unpacked and loaded when first instantiated. Must outlive
/// its units.
class Fmu {
public:
    /// Throws InputError.
    Fmu(std::filesystem::path file, const ArchiveLimits& limits);

    const scenario::UnitDescription& description() const { return description_.unit; }

    /// Throws InputError when the binary cannot be used and Error when it fails to instantiate.
    std::unique_ptr<Unit> instantiate(const std::string& name, Log& log);

private:
    /// An unpacked copy with its library.
    struct Loaded {
        TemporaryFolder folder;
        std::optional<SharedLibrary> library; ///< goes before the folder
        std::variant<std::monostate, Fmi2Binary, Fmi3Binary> binary;
    };

    void load(Log& log);
    std::filesystem::path find_library(const std::filesystem::path& folder) const;
    std::shared_ptr<void> claim_instance(const std::string& name);

    std::filesystem::path file_;
    ArchiveLimits limits_;
    ModelDescription description_;
    std::unique_ptr<Loaded> loaded_;
    std::weak_ptr<void> only_instance_; ///< of an FMU that allows one per process
};

} // namespace rubato::unit
