// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "description/model_description.hpp"
#include "fmi1/fmi1_unit.hpp"
#include "fmi2/fmi2_unit.hpp"
#include "fmi3/fmi3_unit.hpp"
#include "shared_library.hpp"

#include <rubato/files/temporary_folder.hpp>
#include <rubato/scenario/scenario.hpp>

#include <array>
#include <memory>
#include <optional>
#include <variant>

namespace rubato::unit {

/// An FMU, a file or an unpacked folder: described when opened, unpacked and loaded when first
/// instantiated. Must outlive its units.
class Fmu {
public:
    /// What was read leniently is logged. Throws InputError.
    Fmu(std::filesystem::path file, const files::ArchiveLimits& limits, Strictness strictness,
        Log& log);

    const std::filesystem::path& file() const { return file_; }
    /// The same wherever the working directory is now.
    const std::filesystem::path& absolute_file() const { return absolute_file_; }

    /// What a unit of it is that runs this interface; none: co-simulation if it offers that, else
    /// model exchange. Throws InputError when it does not offer it.
    const scenario::UnitDescription& describe(std::optional<scenario::Interface> type);

    /// The same for a reader, of FMUs that cannot be run, too.
    const scenario::UnitDescription& outline() {
        return description_.is_only_scheduled ? description_.unit : describe(std::nullopt);
    }

    /// The same for a new instance. Throws InputError when the binary cannot be used and Error when
    /// it fails to instantiate.
    std::unique_ptr<Unit> instantiate(const std::string& name,
                                      std::optional<scenario::Interface> type,
                                      const scenario::SolverSettings& solver,
                                      const scenario::LoggingSettings& logging, Log& log);

    /// Throws InputError when a copy of it cannot run anywhere else on this platform.
    void require_copyable(std::optional<scenario::Interface> type);

    /// Whether it allows but one instance in this process, and there is one.
    bool is_taken(std::optional<scenario::Interface> type);

private:
    /// The library of one interface.
    struct Binary {
        SharedLibrary library;
        std::variant<Fmi1Binary, Fmi2Binary, Fmi3Binary> functions;
    };
    /// What there is of an interface once it has been asked for.
    struct Part {
        std::optional<scenario::UnitDescription> description;
        std::unique_ptr<Binary> binary;
    };

    scenario::Interface choose(std::optional<scenario::Interface> type) const;
    Part& part(scenario::Interface interface) {
        return parts_[static_cast<std::size_t>(interface)];
    }
    void provide_files();
    std::unique_ptr<Binary> load(scenario::Interface interface, Log& log);
    [[noreturn]] void refuse_platform() const;
    std::filesystem::path find_library(const std::string& identifier) const;
    std::shared_ptr<void> claim_instance();
    std::unique_ptr<Unit> make_solved(const std::string& name, const Binary& binary,
                                      const scenario::UnitDescription& description,
                                      const scenario::SolverSettings& solver,
                                      InstanceContext context) const;

    std::filesystem::path file_, absolute_file_;
    files::ArchiveLimits limits_;
    Strictness strictness_;
    ModelDescription description_;
    std::unique_ptr<files::TemporaryFolder>
        folder_;                        ///< goes after the libraries; null: not unpacked
    std::filesystem::path root_;        ///< where what it holds is; empty: not known yet
    std::array<Part, 2> parts_;         ///< by interface
    std::weak_ptr<void> only_instance_; ///< of an FMU that allows one per process
};

} // namespace rubato::unit
