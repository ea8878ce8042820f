// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/files/output_file.hpp>

#include <cstddef>
#include <string_view>

namespace rubato::report {

/// What a RowWriter must know of the rows of a file. All functions are async-signal-safe.
class RowFormat {
public:
    virtual ~RowFormat() = default;

    /// Where a row begins and where it ends; both 0: there is none.
    struct Row {
        std::size_t begin = 0, end = 0;
    };
    /// The last whole row.
    virtual Row last_row(std::string_view rows) const noexcept = 0;
    /// How many bytes from the beginning, whole rows, to write at once at a position of the file.
    virtual std::size_t next_piece(std::string_view rows, std::size_t position) const noexcept = 0;
    /// The time of a row as text. Returns the number of characters.
    virtual std::size_t put_time(std::string_view row, char* out,
                                 std::size_t room) const noexcept = 0;
    /// These whole rows are in the file now. Returns errno of what else is written then; 0: no
    /// fault.
    virtual int rows_written(std::string_view /*rows*/, files::OutputFile&) noexcept { return 0; }
};

} // namespace rubato::report
