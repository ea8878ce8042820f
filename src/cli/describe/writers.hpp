// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "description.hpp"

/// Forms of the description of the command line other than --help.
namespace rubato::cli {

/// The manual page of one command, for `man` (groff_man(7)).
std::string man_page(const CommandDescription& command, const std::string& version);

/// Completions of all commands.
std::string bash_completion(const CommandDescription& program);
std::string zsh_completion(const CommandDescription& program);
std::string fish_completion(const CommandDescription& program);

/// Reference page of all commands.
std::string markdown(const CommandDescription& program);

} // namespace rubato::cli
