// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rubato::unit {

/// The cells of a table, not yet understood.
struct TableText {
    std::string file;
    std::vector<std::string> names;              ///< of the columns; the first is time
    std::vector<std::vector<std::string>> cells; ///< by column
    std::vector<int> lines;                      ///< of the rows
};

/// Throws an InputError if the file is no table.
TableText read_table_text(const std::filesystem::path& file);

/// What is wrong with a table, up to a number of problems that people read.
class TableProblems {
public:
    explicit TableProblems(const TableText& text) : text_(text) {}

    /// `is` says why a cell is wrong: `is not a number`.
    void add(std::size_t column, std::size_t row, const std::string& is,
             const std::string& hint = {});
    bool is_full() const { return count_ >= most; }
    void throw_if_any() const { found_.throw_if_errors(); }

private:
    static constexpr std::size_t most = 20;

    const TableText& text_;
    Diagnostics found_;
    std::size_t count_ = 0;
};

/// Cells as reals that are finite, as whole numbers (1.0 is one), as true or false (also 1 or 0).
std::vector<double> read_reals(const TableText& text, std::size_t column, TableProblems& problems);
std::vector<std::int64_t> read_large_integers(const TableText& text, std::size_t column,
                                              TableProblems& problems); // an uint64 keeps its bits
std::vector<std::string> read_binaries(const TableText& text, std::size_t column,
                                       TableProblems& problems);
std::vector<std::int64_t> read_integers(const TableText& text, std::size_t column,
                                        TableProblems& problems);
std::vector<bool> read_booleans(const TableText& text, std::size_t column, TableProblems& problems);
/// Reals that never decrease.
std::vector<double> read_times(const TableText& text, TableProblems& problems);

/// Whether all cells are true or false in words, or are numbers.
bool has_only_truths(const std::vector<std::string>& cells);
bool has_only_numbers(const std::vector<std::string>& cells);

} // namespace rubato::unit
