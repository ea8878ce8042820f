// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tree.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace rubato::scenario::formats {

/// The whole file. nullopt: it cannot be had or is no scenario, which has been reported.
std::optional<std::string> read_text_file(const std::filesystem::path& file,
                                          Diagnostics& diagnostics);

/// Whether a text is larger than any scenario of its format, which is then reported.
bool report_oversized(std::string_view text, std::size_t megabytes, Reporter& reporter);

} // namespace rubato::scenario::formats
