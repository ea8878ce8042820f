// SPDX-License-Identifier: Apache-2.0
#include "files.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/table.hpp>

#include <charconv>
#include <limits>
#include <set>

namespace rubato::report {
namespace {

/// Takes a CSV text apart, a row at a time.
class CsvReader {
public:
    CsvReader(std::string_view text, std::string file) : rest_(text), file_(std::move(file)) {}

    bool at_end() const { return rest_.empty(); }
    /// Where the row read last begins.
    std::string where() const { return format("{}:{}", file_, row_line_); }
    /// Whether the row read last ended with the file instead of with a line break.
    bool is_unfinished() const { return is_unfinished_; }

    void read_row(std::vector<std::string>& cells) {
        row_line_ = line_;
        std::size_t count = 0;
        do {
            if (count == cells.size()) cells.emplace_back();
            read_cell(cells[count++]);
        } while (take(','));
        cells.resize(count);
        is_unfinished_ = !take_line_break();
    }

private:
    void read_cell(std::string& cell) {
        cell.clear();
        if (take('"')) return read_quoted(cell);
        const std::size_t length = std::min(rest_.find_first_of(",\r\n"), rest_.size());
        cell = rest_.substr(0, length);
        rest_.remove_prefix(length);
    }

    void read_quoted(std::string& cell) {
        while (!rest_.empty()) {
            const char c = rest_.front();
            rest_.remove_prefix(1);
            if (c == '"' && !take('"')) return expect_end_of_cell();
            if (c == '\n') ++line_;
            cell += c;
        }
        throw InputError(format("{}: a cell begins with a quote that is never closed", where()));
    }

    void expect_end_of_cell() const {
        if (!rest_.empty() && std::string_view(",\r\n").find(rest_.front()) == rest_.npos)
            throw InputError(format("{}: text after a closing quote", where()),
                             "quotes within a quoted cell are doubled: \"\"");
    }

    bool take(char expected) {
        if (rest_.empty() || rest_.front() != expected) return false;
        rest_.remove_prefix(1);
        return true;
    }

    bool take_line_break() {
        const bool carriage_return = take('\r');
        const bool line_feed = take('\n');
        if (carriage_return || line_feed) ++line_;
        return carriage_return || line_feed;
    }

    std::string_view rest_;
    std::string file_;
    int line_ = 1;
    int row_line_ = 1;
    bool is_unfinished_ = false;
};

std::optional<double> parse_number(std::string_view text) {
    if (text.empty()) return std::numeric_limits<double>::quiet_NaN();
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::vector<Table::Column> read_header(CsvReader& reader) {
    std::vector<std::string> names;
    reader.read_row(names);
    std::set<std::string_view> seen;
    std::vector<Table::Column> columns;
    for (const std::string& name : names) {
        if (!seen.insert(name).second)
            throw InputError(format("{}: two columns are named \"{}\"", reader.where(), name));
        columns.push_back({name, {}});
    }
    return columns;
}

void append(Table::Column& column, const std::string& cell, const CsvReader& reader) {
    const std::optional<double> number = parse_number(cell);
    if (!number && column.why_not_numeric.empty())
        column.why_not_numeric = format("{}: \"{}\" in column \"{}\" is not a number",
                                        reader.where(), cell, column.name);
    column.values.push_back(number.value_or(std::numeric_limits<double>::quiet_NaN()));
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
    const std::string text = read_file(file);
    CsvReader reader(text, file.string());
    if (reader.at_end()) throw InputError(format("\"{}\" is empty", file.string()));
    std::vector<Table::Column> columns = read_header(reader);
    std::vector<std::string> cells;
    while (!reader.at_end()) {
        reader.read_row(cells);
        if (reader.is_unfinished() && cells.size() < columns.size()) break;
        if (cells.size() != columns.size())
            throw InputError(format("{}: {} cells in a table of {} columns", reader.where(),
                                    cells.size(), columns.size()));
        for (std::size_t i = 0; i < columns.size(); ++i) append(columns[i], cells[i], reader);
    }
    return Table(std::move(columns));
}

} // namespace rubato::report
