// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fmu.hpp"

#include <rubato/unit/unit_factory.hpp>

#include <map>

namespace rubato::unit {

/// Units of FMU files. Each file is unpacked once and its binary loaded once.
class FmuFactory final : public UnitFactory {
public:
    FmuFactory(Log& log, const files::ArchiveLimits& limits, Strictness strictness);

    bool makes(const scenario::UnitOrigin& origin) const override;
    const scenario::UnitDescription& describe(const scenario::Unit& unit,
                                              const std::filesystem::path& folder) override;
    std::unique_ptr<Unit> instantiate(const scenario::Unit& unit,
                                      const std::filesystem::path& folder) override;
    std::vector<std::filesystem::path> files() const override;

    Fmu& open(const std::filesystem::path& file);
    Fmu& open(const scenario::Unit& unit, const std::filesystem::path& folder);

private:
    Log& log_;
    const files::ArchiveLimits limits_;
    const Strictness strictness_;
    std::filesystem::path base_; ///< the working directory at first: FMUs may change it
    std::map<std::filesystem::path, std::unique_ptr<Fmu>> fmus_; ///< by canonical path
};

} // namespace rubato::unit
