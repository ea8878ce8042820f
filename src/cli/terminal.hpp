// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdio>
#include <string>
#include <string_view>

namespace rubato::cli {

bool is_terminal(std::FILE* stream);

/// Emphasis for a stream: none unless it is a terminal and NO_COLOR is unset (no-color.org).
class Style {
public:
    explicit Style(std::FILE* stream);

    bool is_on() const { return on_; }
    std::string bold(std::string_view text) const { return wrapped("1", text); }
    std::string dim(std::string_view text) const { return wrapped("2", text); }
    std::string red(std::string_view text) const { return wrapped("1;31", text); }
    std::string yellow(std::string_view text) const { return wrapped("1;33", text); }
    std::string green(std::string_view text) const { return wrapped("1;32", text); }

private:
    std::string wrapped(std::string_view code, std::string_view text) const;
    bool on_;
};

/// Prints and flushes text. Throws an Error if that fails, except on standard error.
void print(std::FILE* stream, std::string_view text);

} // namespace rubato::cli
