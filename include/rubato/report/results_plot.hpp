// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/report/figure.hpp>
#include <rubato/report/metadata.hpp>
#include <rubato/report/table.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rubato::report {

/// The names that are meant: each wish is a whole name, the end of just one name after a dot (`x1`
/// for `msd1.x1`) or a pattern with `*` and `?`. Names come once, in the order of the wishes.
/// Throws InputError for a wish that names nothing or, without being a pattern, several.
std::vector<std::string> select_names(std::span<const std::string> names,
                                      std::span<const std::string> wishes);

/// The table's columns `names` over its first column. Columns of one unit of measure share a panel;
/// what is not continuous is held between samples. Without metadata no units are known.
Figure plot_results(const Table& table, const std::optional<Metadata>& metadata,
                    std::span<const std::string> names);

} // namespace rubato::report
