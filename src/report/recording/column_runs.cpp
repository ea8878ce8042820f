// SPDX-License-Identifier: Apache-2.0
#include "column_runs.hpp"

#include <string>

namespace rubato::report {
namespace {

std::size_t size_of(CellFormat format) {
    switch (format) {
    case CellFormat::float64:
    case CellFormat::float32: return sizeof(double);
    case CellFormat::integer:
    case CellFormat::natural: return sizeof(std::int64_t);
    case CellFormat::boolean: return sizeof(bool);
    case CellFormat::text:
    case CellFormat::bytes: return sizeof(std::string);
    }
    return 0;
}

} // namespace

CellFormat cell_format(ValueType type) {
    switch (type) {
    case ValueType::float32: return CellFormat::float32;
    case ValueType::uint64: return CellFormat::natural;
    case ValueType::binary: return CellFormat::bytes;
    default: break;
    }
    switch (storage_of(type)) {
    case Storage::real: return CellFormat::float64;
    case Storage::integer: return CellFormat::integer;
    case Storage::boolean: return CellFormat::boolean;
    case Storage::string: return CellFormat::text;
    }
    return CellFormat::float64;
}

std::vector<ColumnRun> column_runs(std::span<const engine::Column> columns) {
    std::vector<ColumnRun> runs;
    for (const engine::Column& column : columns) {
        const CellFormat format = cell_format(column.type);
        if (!runs.empty() && runs.back().format == format) {
            ColumnRun& last = runs.back();
            const void* const next =
                static_cast<const std::byte*>(last.first) + last.count * size_of(format);
            if (next == column.value) {
                ++last.count;
                continue;
            }
        }
        runs.push_back({format, column.value, 1});
    }
    return runs;
}

} // namespace rubato::report
