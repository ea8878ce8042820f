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

    explicit Table(std::vector<Column> columns, std::string incomplete_row = "")
        : columns_(std::move(columns)), incomplete_row_(std::move(incomplete_row)) {}

    const std::vector<Column>& columns() const { return columns_; }
    std::size_t row_count() const { return columns_.empty() ? 0 : columns_.front().values.size(); }
    std::optional<std::size_t> find(std::string_view name) const;
    /// Says where a last row was left out because it is incomplete; empty: nothing was.
    const std::string& incomplete_row() const { return incomplete_row_; }

    /// Throws InputError if there is no such column, or if it holds something else than numbers.
    const std::vector<double>& values(std::string_view name) const;

private:
    std::vector<Column> columns_;
    std::string incomplete_row_;
};

/// Reads a CSV file with a header. A missing file, a row with too few or too many cells or an open
/// quote is an InputError with the line; so is, when its column is asked for, a cell that is not a
/// number. An incomplete last row is left out, as a run under way or a killed one leaves it: one
/// with too few cells and no line end, or, where metadata says that Rubato wrote the file, any
/// without line end, since its last number may be cut.
Table read_csv(const std::filesystem::path& file);

} // namespace rubato::report
