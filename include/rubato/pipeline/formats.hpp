// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/scenario/overrides.hpp>
#include <rubato/scenario/scenario.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rubato::pipeline {

/// A file that may hold a scenario.
struct Candidate {
    const std::filesystem::path& file;
    std::string_view text;    ///< all of it
    std::string_view content; ///< the same without a byte-order mark and space around it

    bool has_extension(std::string_view extension) const;
};

/// What a user may say of a system that is stored in several files.
struct ReadOptions {
    std::string variant; ///< of an SSP package: which of its descriptions; empty: the default
};

/// A format that Rubato reads, or recognizes to say what to do instead. One row of a table.
struct Format {
    std::string_view name;                          ///< as in `synthesize --format`
    std::vector<std::string_view> extensions;       ///< used where no format recognizes the content
    bool (*recognizes)(const Candidate&) = nullptr; ///< null: never by content
    std::string_view marker = {}; ///< a folder that holds this file is one, unpacked

    /// Reads the text of a file. Null: not read; then `problem` and `advice` are reported.
    scenario::Scenario (*read)(std::string_view text, const std::filesystem::path& file,
                               Diagnostics& diagnostics) = nullptr;
    /// Reads a system that other files belong to, from its file or its folder; instead of `read`.
    scenario::Scenario (*read_system)(const std::filesystem::path& file, const ReadOptions& options,
                                      Diagnostics& diagnostics) = nullptr;
    std::string (*write)(const scenario::Scenario&) = nullptr;              ///< null: not written
    std::string (*write_output)(const scenario::OutputSettings&) = nullptr; ///< one line of it
    /// What the format cannot hold of a scenario.
    std::vector<std::string> (*losses)(const scenario::Scenario&) = nullptr;

    std::string_view problem = {}; ///< "is an FMU, not a scenario"
    std::string (*advice)(const std::filesystem::path& file) = nullptr;

    bool is_read() const { return read || read_system; }
};

/// All formats, in the order in which they are asked whether they recognize a content.
std::span<const Format> formats();

/// The format of a text: the one that recognizes it, else the one that has the extension of `file`,
/// else YAML.
const Format& recognize(std::string_view text, const std::filesystem::path& file);

/// The format of a file that is or will be a scenario, by its name: YAML unless another one has the
/// extension.
const Format& scenario_format(const std::filesystem::path& file);

/// A format that is written, by its name; null: there is none.
const Format* find_written_format(std::string_view name);

/// Reads a scenario in any format, recognized by its content, else by its extension. "-" is
/// standard input. Problems go to `diagnostics`, all of them; with errors among them the result is
/// not to be used. Loads no FMU. A file that cannot be read or is no scenario is a problem, too.
scenario::Scenario read(const std::filesystem::path& file, Diagnostics& diagnostics,
                        const ReadOptions& options = {});

/// The same with settings changed.
scenario::Scenario read(const std::filesystem::path& file,
                        std::span<const scenario::Override> overrides, Diagnostics& diagnostics);

/// The same from text; `file` names it in messages.
scenario::Scenario parse(std::string_view text, const std::filesystem::path& file,
                         Diagnostics& diagnostics);

/// Reads the scenarios that are units of this one, at all levels, as far as they have only been
/// named: the functions above do, and what assembles a scenario.
void read_nested(scenario::Scenario& scenario, Diagnostics& diagnostics);

} // namespace rubato::pipeline
