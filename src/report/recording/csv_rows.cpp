// SPDX-License-Identifier: Apache-2.0
#include "csv_rows.hpp"

#include <algorithm>
#include <cstring>

namespace rubato::report {
namespace {

/// One behind the last line end; 0: there is none. std::string_view::rfind looks at byte by byte.
std::size_t end_of_last_line(std::string_view text) {
    const void* const found = ::memrchr(text.data(), '\n', text.size());
    return found ? static_cast<std::size_t>(static_cast<const char*>(found) - text.data()) + 1 : 0;
}

} // namespace

RowFormat::Row CsvRows::last_row(std::string_view rows) const noexcept {
    if (!has_text_) {
        const std::size_t end = end_of_last_line(rows);
        return {end == 0 ? 0 : end_of_last_line(rows.substr(0, end - 1)), end};
    }
    Row row;
    bool is_quoted = false;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i] == '"') is_quoted = !is_quoted;
        if (rows[i] == '\n' && !is_quoted) row = {row.end, i + 1};
    }
    return row;
}

std::size_t CsvRows::next_piece(std::string_view rows, std::size_t position) const noexcept {
    constexpr std::size_t page_bytes = 4096;
    const std::size_t room = page_bytes - position % page_bytes;
    if (rows.size() <= room) return rows.size();
    const std::size_t end = last_row(rows.substr(0, room)).end;
    if (end > 0) return end;
    if (!has_text_) return std::min(rows.find('\n'), rows.size() - 1) + 1;
    bool is_quoted = false;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i] == '"') is_quoted = !is_quoted;
        if (rows[i] == '\n' && !is_quoted) return i + 1;
    }
    return rows.size();
}

std::size_t CsvRows::put_time(std::string_view row, char* out, std::size_t room) const noexcept {
    const std::string_view cell = row.substr(0, row.find_first_of(",\n"));
    const std::size_t size = std::min(cell.size(), room);
    std::memcpy(out, cell.data(), size);
    return size;
}

} // namespace rubato::report
