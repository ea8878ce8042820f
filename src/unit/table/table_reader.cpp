// SPDX-License-Identifier: Apache-2.0
#include "table_reader.hpp"

#include <rubato/core/text.hpp>
#include <rubato/files/csv.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>

namespace rubato::unit {

namespace fs = std::filesystem;

namespace {

std::string read_file(const fs::path& file) {
    std::error_code ignored;
    if (fs::is_directory(file, ignored))
        throw InputError(format("\"{}\" is a folder, not a table", file.string()));
    std::ifstream stream(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!stream.is_open() || stream.bad())
        throw InputError(format("the table \"{}\" cannot be read", file.string()),
                         "check its path and permissions");
    return text;
}

void read_names(files::CsvReader& reader, TableText& table) {
    reader.read_row(table.names);
    std::set<std::string_view> seen;
    for (std::string& name : table.names) {
        name = std::string(files::trimmed(name));
        if (name.empty())
            throw InputError(format("{}: a column has no name", to_string(reader.where())),
                             "the first row names the columns: time,u,v");
        if (!seen.insert(name).second)
            throw InputError(
                format("{}: two columns are named \"{}\"", to_string(reader.where()), name));
    }
    if (files::parse_real(table.names.front()))
        throw InputError(format("{}: the first row has numbers", to_string(reader.where())),
                         "it must name the columns: time,u,v");
    table.cells.resize(table.names.size());
}

bool is_blank(const std::vector<std::string>& row, std::size_t columns) {
    return row.size() == 1 && columns > 1 && files::trimmed(row.front()).empty();
}

std::optional<bool> parse_truth(std::string_view cell) {
    std::string word(files::trimmed(cell));
    std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::tolower(c); });
    if (word == "true") return true;
    if (word == "false") return false;
    return std::nullopt;
}

/// Calls `parse` on each cell of a column.
template <class T, class Parse>
std::vector<T> read_each(const TableText& text, std::size_t column, TableProblems& problems,
                         const char* what, Parse parse) {
    std::vector<T> values;
    const auto& cells = text.cells[column];
    values.reserve(cells.size());
    for (std::size_t row = 0; row < cells.size() && !problems.is_full(); ++row) {
        const std::optional<T> value = parse(cells[row]);
        if (!value) problems.add(column, row, format("is not {}", what));
        values.push_back(value.value_or(T{}));
    }
    return values;
}

std::optional<double> parse_finite(std::string_view cell) {
    const auto value = files::parse_real(cell);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<std::int64_t> parse_whole(std::string_view cell) {
    if (const auto value = files::parse_integer(cell)) return value;
    constexpr double exact_up_to = 9007199254740992; // 2^53
    const auto value = parse_finite(cell);
    if (!value || std::trunc(*value) != *value || std::abs(*value) > exact_up_to)
        return std::nullopt;
    return static_cast<std::int64_t>(*value);
}

/// An uint64 keeps its bits.
std::optional<std::int64_t> parse_large(std::string_view cell) {
    const std::string_view text = files::trimmed(cell);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc{} && end == text.data() + text.size())
        return static_cast<std::int64_t>(value);
    const auto whole = parse_whole(cell);
    return whole && *whole >= 0 ? whole : std::nullopt;
}

std::optional<std::string> parse_bytes(std::string_view cell) {
    const std::string_view digits = files::trimmed(cell);
    if (digits.size() % 2 != 0) return std::nullopt;
    std::string bytes;
    for (std::size_t i = 0; i < digits.size(); i += 2) {
        unsigned char byte = 0;
        const char* const end = digits.data() + i + 2;
        const auto parsed = std::from_chars(digits.data() + i, end, byte, 16);
        if (parsed.ec != std::errc{} || parsed.ptr != end) return std::nullopt;
        bytes += static_cast<char>(byte);
    }
    return bytes;
}

std::optional<bool> parse_boolean(std::string_view cell) {
    if (const auto truth = parse_truth(cell)) return truth;
    const auto value = files::parse_real(cell);
    if (value != 0.0 && value != 1.0) return std::nullopt;
    return value == 1.0;
}

} // namespace

TableText read_table_text(const fs::path& file) {
    TableText table;
    table.file = file.string();
    const std::string text = read_file(file);
    files::CsvReader reader(text, table.file);
    if (reader.at_end())
        throw InputError(format("the table \"{}\" is empty", table.file),
                         "its first row names the columns: time,u,v");
    read_names(reader, table);
    std::vector<std::string> row;
    while (!reader.at_end()) {
        reader.read_row(row);
        if (is_blank(row, table.names.size())) continue;
        if (row.size() != table.names.size())
            throw InputError(format("{}: {} cells in a table of {} columns",
                                    to_string(reader.where()), row.size(), table.names.size()));
        for (std::size_t i = 0; i < row.size(); ++i) table.cells[i].push_back(row[i]);
        table.lines.push_back(reader.where().line);
    }
    if (table.lines.empty())
        throw InputError(format("the table \"{}\" has no rows", table.file),
                         "give it one for the start: 0,1.5");
    return table;
}

void TableProblems::add(std::size_t column, std::size_t row, const std::string& is,
                        const std::string& hint) {
    ++count_;
    found_.error(
        {text_.file, text_.lines[row], static_cast<int>(column) + 1},
        format("\"{}\" in column \"{}\" {}", text_.cells[column][row], text_.names[column], is),
        is_full() ? "and maybe more: these are enough to begin with" : hint);
}

std::vector<double> read_reals(const TableText& text, std::size_t column, TableProblems& problems) {
    return read_each<double>(text, column, problems, "a finite number", parse_finite);
}

std::vector<std::int64_t> read_integers(const TableText& text, std::size_t column,
                                        TableProblems& problems) {
    return read_each<std::int64_t>(text, column, problems, "a whole number", parse_whole);
}

std::vector<std::int64_t> read_large_integers(const TableText& text, std::size_t column,
                                              TableProblems& problems) {
    return read_each<std::int64_t>(text, column, problems, "a whole number from 0 to 2^64 - 1",
                                   parse_large);
}

std::vector<std::string> read_binaries(const TableText& text, std::size_t column,
                                       TableProblems& problems) {
    return read_each<std::string>(text, column, problems, "an even number of hexadecimal digits",
                                  parse_bytes);
}

std::vector<bool> read_booleans(const TableText& text, std::size_t column,
                                TableProblems& problems) {
    return read_each<bool>(text, column, problems, "true, false, 1 or 0", parse_boolean);
}

std::vector<double> read_times(const TableText& text, TableProblems& problems) {
    std::vector<double> times = read_reals(text, 0, problems);
    for (std::size_t row = 1; row < times.size() && !problems.is_full(); ++row) {
        if (times[row] >= times[row - 1]) continue;
        problems.add(0, row,
                     format("is earlier than {} in the row before", shortest(times[row - 1])),
                     "sort the rows by time");
    }
    return times;
}

bool has_only_truths(const std::vector<std::string>& cells) {
    return std::ranges::all_of(cells, [](const auto& c) { return parse_truth(c).has_value(); });
}

bool has_only_numbers(const std::vector<std::string>& cells) {
    return std::ranges::all_of(cells,
                               [](const auto& c) { return files::parse_real(c).has_value(); });
}

} // namespace rubato::unit
