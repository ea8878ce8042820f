// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rubato::report {

enum class Align : std::uint8_t { left, right };

/// Rows of text in aligned columns, for terminals.
class TextTable {
public:
    struct Heading {
        std::string text;
        Align align = Align::left;
    };

    /// All headings empty: rows only.
    explicit TextTable(std::vector<Heading> headings) : headings_(std::move(headings)) {}

    /// Missing cells at the end are empty.
    void add(std::vector<std::string> cells);
    bool empty() const { return rows_.empty(); }

    /// Lines that end with \n, each behind `indent` spaces, without spaces at their ends.
    std::string to_string(std::size_t indent = 2) const;

private:
    std::vector<Heading> headings_;
    std::vector<std::vector<std::string>> rows_;
};

/// 1234567 → "1 234 567".
std::string human_count(std::uint64_t count);
/// Six significant digits: 0.30000000000000004 → "0.3".
std::string human_number(double value);
/// "12.3 ms", "4.56 s", "3 min 05 s".
std::string human_duration(double seconds);
/// "1 unit", "2 units".
std::string plural(std::uint64_t count, std::string_view noun);

/// Columns a text takes on a terminal: its UTF-8 code points.
std::size_t display_width(std::string_view text);

} // namespace rubato::report
