// SPDX-License-Identifier: Apache-2.0
#include "problems.hpp"

#include "terminal.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>

namespace rubato::cli {

void print_remarks(const Diagnostics& diagnostics, LogLevel least) {
    const Style style(stderr);
    for (const Diagnostic& diagnostic : diagnostics.all()) {
        const bool is_warning = diagnostic.severity == Severity::warning;
        const LogLevel level = is_warning ? LogLevel::warning : LogLevel::info;
        if (diagnostic.severity == Severity::error || level < least) continue;
        const std::string text = to_string(diagnostic);
        print(stderr, (is_warning ? style.yellow(text) : text) + "\n");
    }
}

void throw_errors(const Diagnostics& diagnostics, const std::string& file) {
    const auto count =
        std::ranges::count(diagnostics.all(), Severity::error, &Diagnostic::severity);
    if (count == 0) return;
    const std::string all = InputError(diagnostics.all()).what();
    throw InputError(count == 1 ? all : format("{} problems in {}:\n{}", count, file, all));
}

} // namespace rubato::cli
