// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/core/log.hpp>

#include <string>

namespace rubato::cli {

/// Prints the warnings, and the notes if `least` allows, to standard error.
void print_remarks(const Diagnostics& diagnostics, LogLevel least);

/// Throws all errors as one InputError, if there are any. `file` is where they were found.
void throw_errors(const Diagnostics& diagnostics, const std::string& file);

/// It is not decided whether the algorithm is correct; nothing has been run.
class NotDecided : public Error {
public:
    using Error::Error;
};

} // namespace rubato::cli
