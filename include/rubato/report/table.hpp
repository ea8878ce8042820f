// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rubato::report {

/// Results read back: columns of numbers under their names.
class Table {
public:
    struct Column {
        std::string name;
        std::vector<double> values;    ///< an empty cell is NaN
        std::string why_not_numeric{}; ///< empty: all cells are numbers
    };

    explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

    const std::vector<Column>& columns() const { return columns_; }
    std::size_t row_count() const { return columns_.empty() ? 0 : columns_.front().values.size(); }
    std::optional<std::size_t> find(std::string_view name) const;

    /// Throws InputError if there is no such column, or if it holds something else than numbers.
    const std::vector<double>& values(std::string_view name) const;

private:
    std::vector<Column> columns_;
};

/// Reads a CSV file with a header. A missing file, a row with too few or too many cells or an open
/// quote is an InputError with the line; so is, when its column is asked for, a cell that is not a
/// number. An unfinished last line, as a run under way leaves it, is not read.
Table read_csv(const std::filesystem::path& file);

} // namespace rubato::report
