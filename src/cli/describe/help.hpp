// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "description.hpp"

#include <CLI/FormatterFwd.hpp>

namespace rubato::cli {

/// What --help prints.
std::string help_text(const CommandDescription& command);

/// Makes CLI11 print it.
class HelpFormatter final : public CLI::FormatterBase {
public:
    std::string make_help(const CLI::App* app, std::string name,
                          CLI::AppFormatMode mode) const override;
};

/// Text in lines of at most `width` characters, each indented.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent);

} // namespace rubato::cli
