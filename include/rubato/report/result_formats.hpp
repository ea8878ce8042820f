// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/report/result_writer.hpp>
#include <rubato/report/table.hpp>

#include <filesystem>
#include <memory>
#include <string>

/// The formats of result files.
namespace rubato::report {

/// Writes the format that the extension of the file names; CSV if it has none, and to devices and
/// pipes. Throws InputError for an unknown extension.
std::unique_ptr<ResultWriter> make_result_writer(const std::filesystem::path& file);

/// Throws InputError where make_result_writer would.
void require_result_format(const std::filesystem::path& file);

/// Reads results of any format, recognized by the content of the file.
Table read_results(const std::filesystem::path& file);

/// ".csv, .mat": for messages and help.
std::string result_extensions();

} // namespace rubato::report
