// SPDX-License-Identifier: Apache-2.0
#include "terminal.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/distributed/join.hpp>
#include <rubato/private/format.hpp>

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace rubato::cli {
namespace {

bool wants_colour(std::FILE* stream) {
    const char* no_color = std::getenv("NO_COLOR");
    const char* kind = std::getenv("TERM");
    const bool is_dumb = kind != nullptr && std::string_view(kind) == "dumb";
    return is_terminal(stream) && (no_color == nullptr || *no_color == '\0') && !is_dumb;
}

} // namespace

bool is_terminal(std::FILE* stream) {
    // mpirun gives its processes a terminal of its own, even if its output goes to a file.
    return ::isatty(::fileno(stream)) == 1 && !distributed::launched_rank();
}

Style::Style(std::FILE* stream) : on_(wants_colour(stream)) {}

std::string Style::wrapped(std::string_view code, std::string_view text) const {
    return on_ ? format("\033[{}m{}\033[0m", code, text) : std::string(text);
}

void print(std::FILE* stream, std::string_view text) {
    const std::size_t written = std::fwrite(text.data(), 1, text.size(), stream);
    if ((written == text.size() && std::fflush(stream) == 0) || stream == stderr) return;
    throw Error(
        format("cannot write to standard output: {}", std::generic_category().message(errno)));
}

} // namespace rubato::cli
