// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/report/table.hpp>

#include <filesystem>
#include <string_view>

namespace rubato::report {

/// Whether a file that begins so is HDF5.
bool is_hdf5(std::string_view begin);

/// Reads the datasets of one dimension in the root group; "time" is the first column. Faults are
/// InputErrors. Where the run was killed while it wrote, some may have fewer rows than others: the
/// rest is left out.
Table read_hdf5(const std::filesystem::path& file);

} // namespace rubato::report
