// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/scenario/scenario.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace rubato::scenario {

/// A setting given elsewhere than in the file: `experiment.step` = `0.1`, `units.msd1.parameters.m`
/// = `2`.
struct Override {
    std::string path;  ///< keys joined by dots; keys that contain dots are matched as they are
    std::string value; ///< YAML
};

/// Reads docs/scenario.md's format. Problems go to `diagnostics`, all of them; with errors among
/// them the result is not to be used. Loads no FMU. A file that cannot be read is a problem too.
Scenario read_yaml(const std::filesystem::path& file, std::span<const Override> overrides,
                   Diagnostics& diagnostics);

/// The same from text; `file` names it in messages.
Scenario parse_yaml(std::string_view text, const std::filesystem::path& file,
                    std::span<const Override> overrides, Diagnostics& diagnostics);

/// A scenario of whatever format with settings changed. Messages name the places of `scenario`.
Scenario with_overrides(const Scenario& scenario, std::span<const Override> overrides,
                        Diagnostics& diagnostics);

/// The scenario as YAML that reads back as the same scenario (but for comments and line numbers).
std::string write_yaml(const Scenario& scenario);

/// One line of it: `y: {feedthrough: [u]}`
std::string write_yaml(const OutputSettings& output);

/// Every setting of the sections `experiment`, `algorithm` and `record`: key, kind, default and
/// meaning, for help texts and docs/scenario.md.
std::string settings_reference();

} // namespace rubato::scenario
