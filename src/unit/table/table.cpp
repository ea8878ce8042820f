// SPDX-License-Identifier: Apache-2.0
#include "table.hpp"

#include "table_reader.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>

namespace rubato::unit {

using scenario::ColumnKind;
using scenario::TableColumn;

namespace {

ValueType type_of(ColumnKind kind) {
    switch (kind) {
    case ColumnKind::continuous:
    case ColumnKind::discrete: return ValueType::float64;
    case ColumnKind::integer: return ValueType::int64;
    case ColumnKind::large_integer: return ValueType::uint64;
    case ColumnKind::binary: return ValueType::binary;
    case ColumnKind::boolean: return ValueType::boolean;
    case ColumnKind::string: break;
    }
    return ValueType::string;
}

ColumnKind kind_of(const std::string& name, const std::vector<std::string>& cells,
                   std::span<const TableColumn> known) {
    const auto found = std::ranges::find(known, name, &TableColumn::name);
    if (found != known.end()) return found->kind;
    if (has_only_truths(cells)) return ColumnKind::boolean;
    return has_only_numbers(cells) ? ColumnKind::continuous : ColumnKind::string;
}

/// A column that the scenario speaks of and the file lacks.
void require_columns(const TableText& text, std::span<const TableColumn> known) {
    const std::vector<std::string> names(text.names.begin() + 1, text.names.end());
    Diagnostics problems;
    for (const TableColumn& column : known) {
        if (std::ranges::find(names, column.name) != names.end()) continue;
        problems.error(column.where, format("{} has no column \"{}\"", text.file, column.name),
                       suggest(column.name, names, "its columns"));
    }
    problems.throw_if_errors();
}

} // namespace

Table::Table(const std::filesystem::path& file, std::span<const TableColumn> known) {
    const TableText text = read_table_text(file);
    require_columns(text, known);
    TableProblems problems(text);
    times_ = read_times(text, problems);
    for (std::size_t i = 1; i < text.names.size(); ++i) {
        Column& column = columns_.emplace_back();
        column.kind = kind_of(text.names[i], text.cells[i], known);
        switch (storage_of(type_of(column.kind))) {
        case Storage::real: column.values = read_reals(text, i, problems); break;
        case Storage::integer:
            column.values = column.kind == ColumnKind::integer
                                ? read_integers(text, i, problems)
                                : read_large_integers(text, i, problems);
            break;
        case Storage::boolean: column.values = read_booleans(text, i, problems); break;
        case Storage::string:
            column.values = column.kind == ColumnKind::string ? text.cells[i]
                                                              : read_binaries(text, i, problems);
            break;
        }
    }
    problems.throw_if_any();
    find_jumps();
    describe(file, std::span(text.names).subspan(1));
}

void Table::describe(const std::filesystem::path& file, std::span<const std::string> names) {
    description_.model = file.stem().string();
    description_.kind = "table";
    description_.source = file.string();
    description_.capabilities.variable_step = true;
    description_.capabilities.snapshots = true;
    description_.capabilities.serialization = true;
    for (std::uint32_t i = 0; i < names.size(); ++i) {
        scenario::Variable variable;
        variable.name = names[i];
        variable.type = type_of(columns_[i].kind);
        variable.causality = scenario::Causality::output;
        variable.variability = columns_[i].kind == ColumnKind::continuous
                                   ? scenario::Variability::continuous
                                   : scenario::Variability::discrete;
        variable.initial = scenario::Initial::calculated;
        variable.reference = i;
        description_.variables.push_back(std::move(variable));
        const std::vector<std::uint32_t> nothing;
        description_.dependencies.push_back({i, nothing, nothing});
    }
}

std::size_t Table::row_at(double time, double slack) const {
    const auto next = std::ranges::upper_bound(times_, time + slack);
    return next == times_.begin() ? 0 : static_cast<std::size_t>(next - times_.begin()) - 1;
}

std::size_t Table::row_before(double time, double slack) const {
    const auto next = std::ranges::lower_bound(times_, time - slack);
    return next == times_.begin() ? 0 : static_cast<std::size_t>(next - times_.begin()) - 1;
}

void Table::find_jumps() {
    const auto jumps = [&](const Column& column, std::size_t row) {
        const bool is_held = column.kind != ColumnKind::continuous;
        return (is_held || times_[row] == times_[row - 1]) &&
               std::visit([&](const auto& v) { return v[row] != v[row - 1]; }, column.values);
    };
    for (std::size_t row = 1; row < times_.size(); ++row) {
        const bool any =
            std::ranges::any_of(columns_, [&](const Column& column) { return jumps(column, row); });
        const bool is_known = !jumps_.empty() && jumps_.back() == times_[row];
        if (any && !is_known && times_[row] > times_.front()) jumps_.push_back(times_[row]);
    }
}

std::optional<double> Table::next_jump(double since) const {
    const auto found = std::ranges::lower_bound(jumps_, since);
    return found == jumps_.end() ? std::nullopt : std::optional(*found);
}

double Table::real(ValueRef column, std::size_t row, double time) const {
    const Column& source = columns_[column];
    const auto& values = std::get<std::vector<double>>(source.values);
    const bool is_held = source.kind != ColumnKind::continuous || row + 1 == values.size();
    if (is_held || time <= times_[row]) return values[row];
    const double fraction = (time - times_[row]) / (times_[row + 1] - times_[row]);
    return values[row] + fraction * (values[row + 1] - values[row]);
}

std::int64_t Table::integer(ValueRef column, std::size_t row) const {
    return std::get<std::vector<std::int64_t>>(columns_[column].values)[row];
}

bool Table::boolean(ValueRef column, std::size_t row) const {
    return std::get<std::vector<bool>>(columns_[column].values)[row];
}

const std::string& Table::text(ValueRef column, std::size_t row) const {
    return std::get<std::vector<std::string>>(columns_[column].values)[row];
}

} // namespace rubato::unit
