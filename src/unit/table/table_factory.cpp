// SPDX-License-Identifier: Apache-2.0
#include "table_factory.hpp"

#include "table_unit.hpp"

#include <rubato/private/format.hpp>

namespace rubato::unit {

namespace fs = std::filesystem;

bool TableFactory::makes(const scenario::UnitOrigin& origin) const {
    return std::holds_alternative<scenario::TableFile>(origin);
}

const Table& TableFactory::open(const scenario::TableFile& origin, const fs::path& folder) {
    const fs::path file = folder / origin.file;
    std::vector<std::string> columns;
    for (const scenario::TableColumn& column : origin.columns)
        columns.push_back(format("{} {}", column.name, to_string(column.kind)));
    auto& slot = tables_[{file, std::move(columns)}];
    if (!slot) slot = std::make_unique<Table>(file, origin.columns);
    return *slot;
}

const scenario::UnitDescription& TableFactory::describe(const scenario::Unit& unit,
                                                        const fs::path& folder) {
    return open(std::get<scenario::TableFile>(unit.origin), folder).description();
}

std::unique_ptr<Unit> TableFactory::instantiate(const scenario::Unit& unit,
                                                const fs::path& folder) {
    const auto& origin = std::get<scenario::TableFile>(unit.origin);
    const bool announces = origin.stop_at_jumps.value_or(false);
    return make_table_unit(unit.name, open(origin, folder),
                           announces ? JumpMode::events : JumpMode::silent, log_);
}

std::vector<fs::path> TableFactory::files() const {
    std::vector<fs::path> files;
    for (const auto& [key, table] : tables_) files.push_back(key.first);
    return files;
}

} // namespace rubato::unit
