// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string_view>

/// Cells of a CSV file as RFC 4180 has them.
namespace rubato::report {

/// Most characters that `text` takes as a cell.
constexpr std::size_t quoted_size(std::string_view text) { return 2 * text.size() + 2; }

/// Writes `text` as one cell, in quotes where it needs them, and returns the end. There must be
/// room for `quoted_size(text)` characters.
char* put_cell(char* out, std::string_view text);

} // namespace rubato::report
