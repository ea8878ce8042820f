// SPDX-License-Identifier: Apache-2.0
#include <rubato/files/csv.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <charconv>

namespace rubato::files {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::string_view blanks = " \t";

template <class Number>
std::optional<Number> parse(std::string_view text) {
    text = trimmed(text);
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    Number value{};
    const char* const end = text.data() + text.size();
    const auto [rest, fault] = std::from_chars(text.data(), end, value);
    if (fault != std::errc{} || rest != end) return std::nullopt;
    return value;
}

} // namespace

CsvReader::CsvReader(std::string_view text, std::string file)
    : rest_(text), file_(std::move(file)) {
    if (rest_.starts_with(byte_order_mark)) rest_.remove_prefix(byte_order_mark.size());
}

void CsvReader::read_row(std::vector<std::string>& cells) {
    row_line_ = line_;
    std::size_t count = 0;
    do {
        if (count == cells.size()) cells.emplace_back();
        read_cell(cells[count++]);
    } while (take(','));
    cells.resize(count);
    is_unfinished_ = !take_line_break();
}

void CsvReader::read_cell(std::string& cell) {
    cell.clear();
    const std::size_t start = std::min(rest_.find_first_not_of(blanks), rest_.size());
    if (rest_.substr(start).starts_with('"')) {
        rest_.remove_prefix(start + 1);
        return read_quoted(cell);
    }
    const std::size_t length = std::min(rest_.find_first_of(",\r\n"), rest_.size());
    cell = rest_.substr(0, length);
    rest_.remove_prefix(length);
}

void CsvReader::read_quoted(std::string& cell) {
    while (!rest_.empty()) {
        const char c = rest_.front();
        rest_.remove_prefix(1);
        if (c == '"' && !take('"')) return expect_end_of_cell();
        if (c == '\n') ++line_;
        cell += c;
    }
    throw InputError(
        format("{}: a cell begins with a quote that is never closed", to_string(where())));
}

void CsvReader::expect_end_of_cell() {
    skip_blanks();
    if (!rest_.empty() && std::string_view(",\r\n").find(rest_.front()) == std::string_view::npos)
        throw InputError(format("{}: text after a closing quote", to_string(where())),
                         "quotes within a quoted cell are doubled: \"\"");
}

void CsvReader::skip_blanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size()));
}

bool CsvReader::take(char expected) {
    if (rest_.empty() || rest_.front() != expected) return false;
    rest_.remove_prefix(1);
    return true;
}

bool CsvReader::take_line_break() {
    const bool carriage_return = take('\r');
    const bool line_feed = take('\n');
    if (carriage_return || line_feed) ++line_;
    return carriage_return || line_feed;
}

std::optional<double> parse_real(std::string_view cell) { return parse<double>(cell); }

std::optional<std::int64_t> parse_integer(std::string_view cell) {
    return parse<std::int64_t>(cell);
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = std::min(text.find_first_not_of(blanks), text.size());
    text.remove_prefix(first);
    return text.substr(0, text.find_last_not_of(blanks) + 1);
}

} // namespace rubato::files
