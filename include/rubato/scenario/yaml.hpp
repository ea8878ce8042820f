// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/scenario/scenario.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace rubato::scenario {

/// Reads docs/reference/scenario.md's format. Problems go to `diagnostics`, all of them; with
/// errors among them the result is not to be used. Loads no FMU. `file` names the text in messages.
Scenario parse_yaml(std::string_view text, const std::filesystem::path& file,
                    Diagnostics& diagnostics);

/// The keys of a document: rubato, name, units, …
const std::vector<std::string>& section_names();

/// How much is written.
enum class Detail {
    all,        ///< every setting
    deviations, ///< settings that differ from their defaults
};

/// The scenario as YAML that reads back as the same scenario (but for comments and line numbers).
std::string write_yaml(const Scenario& scenario);
std::string write_yaml(const Scenario& scenario, Detail detail);

/// One line of it: `y: {feedthrough: [u]}`
std::string write_yaml(const OutputSettings& output);

/// The keys of all sections that hold plain settings, as tables in Markdown:
/// docs/reference/settings.md.
std::string settings_reference();

} // namespace rubato::scenario
