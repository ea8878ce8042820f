// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../command.hpp"

#include <string>
#include <vector>

namespace rubato::cli {

/// An option or a positional argument.
struct OptionDescription {
    std::vector<std::string> names; ///< "-o", "--output"; empty: positional
    std::string argument;           ///< "FILE.csv"; empty: the option takes none
    std::string text;               ///< what it does
    std::string default_value;      ///< empty: none to show
    std::vector<std::string> choices;
    bool is_required = false;
    bool is_repeatable = false;
};

struct OptionGroup {
    std::string title;
    std::vector<OptionDescription> options;
};

/// A command as plain data: what every writer of help reads.
struct CommandDescription {
    std::vector<std::string> path; ///< "rubato", "run"
    std::string summary;
    std::vector<OptionDescription> arguments; ///< positional
    std::vector<OptionGroup> groups;
    Manual manual;
    std::vector<CommandDescription> commands;
};

CommandDescription describe(const Command& command);

/// "rubato run"
std::string full_name(const CommandDescription& command, const std::string& separator = " ");
/// "rubato run [OPTIONS] FILE.yaml|.conf"
std::string usage(const CommandDescription& command);
/// The text with choices, default and whether the option may be repeated.
std::string full_text(const OptionDescription& option);
/// All options of all groups.
std::vector<OptionDescription> all_options(const CommandDescription& command);
/// The command and all commands below it, parents first.
std::vector<const CommandDescription*> all_commands(const CommandDescription& command);

/// Whether an argument is a file: "FILE.csv", "FILE.svg|FILE.dot".
bool is_file(const OptionDescription& option);
/// "FOLDER"
bool is_folder(const OptionDescription& option);
/// "svg", "dot": extensions of the files that an argument names.
std::vector<std::string> extensions(const OptionDescription& option);

} // namespace rubato::cli
