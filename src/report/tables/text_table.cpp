// SPDX-License-Identifier: Apache-2.0
#include <rubato/private/format.hpp>
#include <rubato/report/text_table.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace rubato::report {
namespace {

void append_row(std::string& out, const std::vector<std::string>& cells,
                const std::vector<TextTable::Heading>& headings,
                const std::vector<std::size_t>& widths, std::size_t indent) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < widths.size(); ++i) {
        const std::string cell = i < cells.size() ? cells[i] : std::string();
        const std::string padding(widths[i] - display_width(cell), ' ');
        if (i > 0) line += "  ";
        line += headings[i].align == Align::left ? cell + padding : padding + cell;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
}

} // namespace

std::size_t display_width(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xc0u) != 0x80u;
    }));
}

void TextTable::add(std::vector<std::string> cells) {
    assert(cells.size() <= headings_.size());
    rows_.push_back(std::move(cells));
}

std::string TextTable::to_string(std::size_t indent) const {
    std::vector<std::string> titles;
    std::vector<std::size_t> widths;
    for (const Heading& heading : headings_) {
        titles.push_back(heading.text);
        widths.push_back(display_width(heading.text));
    }
    for (const auto& row : rows_)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], display_width(row[i]));
    std::string out;
    const bool has_titles = std::any_of(titles.begin(), titles.end(),
                                        [](const std::string& title) { return !title.empty(); });
    if (has_titles) append_row(out, titles, headings_, widths, indent);
    for (const auto& row : rows_) append_row(out, row, headings_, widths, indent);
    return out;
}

std::string human_count(std::uint64_t count) {
    std::string digits = std::to_string(count);
    for (std::size_t from_end = 3; from_end < digits.size(); from_end += 4)
        digits.insert(digits.size() - from_end, 1, ' ');
    return digits;
}

std::string human_number(double value) { return format("{:.6g}", value); }

std::string human_duration(double seconds) {
    if (seconds >= 60) {
        const auto whole = std::llround(seconds);
        return whole >= 3600 ? format("{} h {:02} min", whole / 3600, whole % 3600 / 60)
                             : format("{} min {:02} s", whole / 60, whole % 60);
    }
    if (seconds >= 1) return format("{:.3g} s", seconds);
    if (seconds >= 1e-3) return format("{:.3g} ms", seconds * 1e3);
    return format("{:.3g} µs", seconds * 1e6);
}

std::string plural(std::uint64_t count, std::string_view noun) {
    return format("{} {}{}", human_count(count), noun, count == 1 ? "" : "s");
}

} // namespace rubato::report
