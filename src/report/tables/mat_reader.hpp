// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/report/table.hpp>

#include <string>
#include <string_view>

namespace rubato::report {

/// Whether a file that begins so is a trajectory in a MAT-file of level 4.
bool is_mat_trajectory(std::string_view begin);

/// Reads a trajectory as Dymola and OpenModelica write it, transposed or not, with aliases,
/// constants, and numbers of any precision. `file` names it in messages. Faults are InputErrors.
Table read_mat(std::string_view bytes, const std::string& file);

} // namespace rubato::report
