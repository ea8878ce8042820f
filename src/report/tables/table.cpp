// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/diagnostics.hpp>
#include <rubato/core/text.hpp>
#include <rubato/files/csv.hpp>
#include <rubato/files/output_file.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/metadata.hpp>
#include <rubato/report/table.hpp>

#include <algorithm>
#include <limits>
#include <set>

namespace rubato::report {
namespace {

std::vector<Table::Column> read_header(files::CsvReader& reader) {
    std::vector<std::string> names;
    reader.read_row(names);
    std::set<std::string_view> seen;
    std::vector<Table::Column> columns;
    for (const std::string& name : names) {
        if (!seen.insert(name).second)
            throw InputError(
                format("{}: two columns are named \"{}\"", to_string(reader.where()), name));
        columns.push_back({name, {}});
    }
    return columns;
}

void append(Table::Column& column, const std::string& cell, const files::CsvReader& reader) {
    constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
    const std::optional<double> number = cell.empty() ? nothing : files::parse_real(cell);
    if (!number && column.why_not_numeric.empty())
        column.why_not_numeric = format("{}: \"{}\" in column \"{}\" is not a number",
                                        to_string(reader.where()), cell, column.name);
    column.values.push_back(number.value_or(nothing));
}

/// One behind the last line end outside of quotes; 0: there is none.
std::size_t end_of_last_row(std::string_view text) {
    std::size_t end = 0;
    bool is_quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"') is_quoted = !is_quoted;
        if (text[i] == '\n' && !is_quoted) end = i + 1;
    }
    return end;
}

std::string incomplete_row_at(const std::string& where) {
    return format("{}: the last row is incomplete and is left out; its run is under way or was "
                  "killed",
                  where);
}

} // namespace

std::optional<std::size_t> Table::find(std::string_view name) const {
    for (std::size_t i = 0; i < columns_.size(); ++i)
        if (columns_[i].name == name) return i;
    return std::nullopt;
}

const std::vector<double>& Table::values(std::string_view name) const {
    const auto index = find(name);
    if (!index) {
        std::vector<std::string> names;
        for (const Column& column : columns_) names.push_back(column.name);
        throw InputError(format("there is no column \"{}\"", name),
                         suggest(name, names, "the columns"));
    }
    const Column& column = columns_[*index];
    if (!column.why_not_numeric.empty()) throw InputError(column.why_not_numeric);
    return column.values;
}

Table read_csv(const std::filesystem::path& file) {
    const std::string text = files::read_file(file);
    std::string_view rows = text;
    if (std::filesystem::exists(metadata_file_of(file)))
        rows = rows.substr(0, end_of_last_row(rows));
    files::CsvReader reader(rows, file.string());
    if (reader.at_end()) throw InputError(format("\"{}\" is empty", file.string()));
    std::vector<Table::Column> columns = read_header(reader);
    std::string incomplete_row;
    std::vector<std::string> cells;
    while (!reader.at_end()) {
        reader.read_row(cells);
        if (reader.is_unfinished() && cells.size() < columns.size()) {
            incomplete_row = incomplete_row_at(to_string(reader.where()));
            break;
        }
        if (cells.size() != columns.size())
            throw InputError(format("{}: {} cells in a table of {} columns",
                                    to_string(reader.where()), cells.size(), columns.size()),
                             columns.size() == 1 ? "cells are separated by commas" : "");
        for (std::size_t i = 0; i < columns.size(); ++i) append(columns[i], cells[i], reader);
    }
    if (rows.size() < text.size())
        incomplete_row =
            incomplete_row_at(format("{}:{}", file.string(), 1 + std::ranges::count(rows, '\n')));
    return Table(std::move(columns), std::move(incomplete_row));
}

} // namespace rubato::report
