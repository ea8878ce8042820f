// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "row_format.hpp"

namespace rubato::report {

/// Rows of a CSV file.
class CsvRows final : public RowFormat {
public:
    /// `has_text`: cells may hold line ends, in quotes.
    explicit CsvRows(bool has_text) : has_text_(has_text) {}

    Row last_row(std::string_view rows) const noexcept override;
    /// A process that is killed stops writing between two pages of the file. So rows are written up
    /// to the end of a page, and the row that goes beyond it alone: hardly ever is half a row left.
    std::size_t next_piece(std::string_view rows, std::size_t position) const noexcept override;
    std::size_t put_time(std::string_view row, char* out, std::size_t room) const noexcept override;

private:
    bool has_text_;
};

} // namespace rubato::report
