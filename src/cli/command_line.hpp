// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "command.hpp"

#include <memory>

namespace rubato::cli {

/// The program with all its commands. A command that has run puts its exit code into `exit_code`.
std::unique_ptr<Command> make_command_line(int& exit_code);

} // namespace rubato::cli
