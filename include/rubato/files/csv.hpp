// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rubato::files {

/// Takes a CSV text (RFC 4180) apart, a row at a time. Blanks around quotes and a byte-order mark
/// are passed over. Faults are InputErrors that name file and line.
class CsvReader {
public:
    /// `text` must outlive the reader; `file` names it in messages.
    CsvReader(std::string_view text, std::string file);

    bool at_end() const { return rest_.empty(); }
    /// Reads the next row into `cells`.
    void read_row(std::vector<std::string>& cells);
    /// Where the row read last begins.
    Location where() const { return {file_, row_line_, 0}; }
    /// Whether the row read last ended with the text instead of with a line break.
    bool is_unfinished() const { return is_unfinished_; }

private:
    void read_cell(std::string& cell);
    void read_quoted(std::string& cell);
    void expect_end_of_cell();
    bool take(char expected);
    bool take_line_break();
    void skip_blanks();

    std::string_view rest_;
    std::string file_;
    int line_ = 1;
    int row_line_ = 1;
    bool is_unfinished_ = false;
};

/// A cell as a number, whatever the locale; nullopt: it is none. Blanks around it and a plus sign
/// are passed over.
std::optional<double> parse_real(std::string_view cell);
std::optional<std::int64_t> parse_integer(std::string_view cell);

/// A text without the blanks around it.
std::string_view trimmed(std::string_view text);

} // namespace rubato::files
