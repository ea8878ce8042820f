// SPDX-License-Identifier: Apache-2.0
#include "hdf5_reader.hpp"

#include "hdf5/load.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>

namespace rubato::report {
namespace {

/// The datasets, time first.
std::vector<std::size_t> in_order(const hdf5::Input& input) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < input.count(); ++i) {
        const std::string_view name = input.name(i);
        order.insert(name == "time" ? order.begin() : order.end(), i);
    }
    return order;
}

} // namespace

bool is_hdf5(std::string_view begin) { return begin.starts_with("\x89HDF\r\n\x1a\n"); }

Table read_hdf5(const std::filesystem::path& file) {
    const std::unique_ptr<hdf5::Input> input = hdf5::open(file);
    if (input->count() == 0)
        throw InputError(format("\"{}\" has no variables", file.string()),
                         "Rubato reads datasets of one dimension in the root group");
    std::size_t rows = input->size(0);
    std::size_t most = 0;
    for (std::size_t i = 0; i < input->count(); ++i) {
        rows = std::min(rows, input->size(i));
        most = std::max(most, input->size(i));
    }
    constexpr std::size_t most_values = std::size_t{1} << 30;
    if (most > most_values / input->count())
        throw InputError(format("\"{}\" is too large: {} variables at {} times", file.string(),
                                input->count(), most));
    std::vector<Table::Column> columns;
    for (const std::size_t i : in_order(*input)) {
        Table::Column& column = columns.emplace_back(
            Table::Column{input->name(i), std::vector<double>(input->size(i))});
        if (!input->is_number(i))
            column.why_not_numeric =
                format("{}: \"{}\" does not hold numbers", file.string(), column.name);
        else if (const char* const fault = input->read(i, column.values.data()))
            throw InputError(
                format("cannot read \"{}\" of \"{}\": {}", column.name, file.string(), fault));
        column.values.resize(rows);
    }
    return Table(std::move(columns),
                 rows == most ? ""
                              : format("{}: not all variables have the {} rows of the longest; "
                                       "those behind row {} are left out",
                                       file.string(), most, rows));
}

} // namespace rubato::report
