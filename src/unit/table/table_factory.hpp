// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "table.hpp"

#include <rubato/core/log.hpp>
#include <rubato/unit/unit_factory.hpp>

#include <map>
#include <string>
#include <utility>

namespace rubato::unit {

/// Units of CSV files, each of which is read once.
class TableFactory final : public UnitFactory {
public:
    explicit TableFactory(Log& log) : log_(log) {}

    bool makes(const scenario::UnitOrigin& origin) const override;
    const scenario::UnitDescription& describe(const scenario::Unit& unit,
                                              const std::filesystem::path& folder) override;
    std::unique_ptr<Unit> instantiate(const scenario::Unit& unit,
                                      const std::filesystem::path& folder) override;
    std::vector<std::filesystem::path> files() const override;

private:
    const Table& open(const scenario::TableFile& origin, const std::filesystem::path& folder);

    Log& log_;
    /// By file and what its columns hold.
    std::map<std::pair<std::filesystem::path, std::vector<std::string>>, std::unique_ptr<Table>>
        tables_;
};

} // namespace rubato::unit
