// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/value.hpp>
#include <rubato/scenario/description.hpp>
#include <rubato/scenario/scenario.hpp>

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace rubato::unit {

/// Values over time from a CSV file: a column of times, the first, which never decrease, and others
/// under their names. A row holds from its time on; where two rows have the same time, the later
/// one does. Before the first row its values hold, after the last row that row's.
class Table {
public:
    /// `known` says what columns hold; any other is boolean where all its cells are true or false,
    /// continuous where they are numbers, and else text. Throws an InputError with all that is
    /// wrong in the file.
    Table(const std::filesystem::path& file, std::span<const scenario::TableColumn> known);

    /// Its outputs are the columns; a reference is the number of a column.
    const scenario::UnitDescription& description() const { return description_; }
    std::size_t row_count() const { return times_.size(); }
    double first_time() const { return times_.front(); }
    double last_time() const { return times_.back(); }

    /// The row that holds at a time; the first one if none does yet. A row that is later by
    /// `slack` at most holds already.
    std::size_t row_at(double time, double slack) const;

    /// The row that holds right before a time, likewise.
    std::size_t row_before(double time, double slack) const;
    /// The first time from `since` on at which a column jumps: a continuous one where two rows have
    /// that time, any other where its value changes.
    std::optional<double> next_jump(double since) const;

    double real(ValueRef column, std::size_t row, double time) const;
    std::int64_t integer(ValueRef column, std::size_t row) const;
    bool boolean(ValueRef column, std::size_t row) const;
    const std::string& text(ValueRef column, std::size_t row) const;

private:
    /// In the order of `Storage`.
    using Values = std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<bool>,
                                std::vector<std::string>>;
    struct Column {
        scenario::ColumnKind kind = scenario::ColumnKind::continuous;
        Values values;
    };

    void describe(const std::filesystem::path& file, std::span<const std::string> names);

    void find_jumps();

    std::vector<double> times_;
    std::vector<double> jumps_; ///< times after the first row's at which a column jumps
    std::vector<Column> columns_;
    scenario::UnitDescription description_;
};

} // namespace rubato::unit
