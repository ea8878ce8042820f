// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace rubato::cli {

/// Exit codes of the program; command_line.cpp documents them.
namespace exit_code {
constexpr int success = 0;
constexpr int run_failed = 1;
constexpr int violations = 1; ///< found by validate
constexpr int mismatch = 1;   ///< found by compare
constexpr int bad_input = 2;
constexpr int not_decided = 3; ///< whether the algorithm is correct
constexpr int internal_error = 70;
constexpr int interrupted = 130;
constexpr int reader_gone = 141; ///< as if SIGPIPE had ended the program
} // namespace exit_code

} // namespace rubato::cli
