// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/engine/recorder.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rubato::report {

/// How a column is held in memory and written.
enum class CellFormat : std::uint8_t { float64, float32, integer, natural, boolean, text, bytes };

CellFormat cell_format(ValueType type);
constexpr bool is_text(CellFormat format) {
    return format == CellFormat::text || format == CellFormat::bytes;
}

/// Columns that follow each other in the file and in memory.
struct ColumnRun {
    CellFormat format = CellFormat::float64;
    const void* first = nullptr;
    std::size_t count = 0;
};

std::vector<ColumnRun> column_runs(std::span<const engine::Column> columns);

} // namespace rubato::report
