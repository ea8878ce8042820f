// SPDX-License-Identifier: Apache-2.0
#include "help.hpp"

#include <rubato/private/format.hpp>
#include <rubato/report/text_table.hpp>

#include <sstream>

namespace rubato::cli {
namespace {

constexpr std::size_t line_width = 80;
constexpr std::size_t text_column = 28;

/// "-o, --output FILE.csv"; options without a short name are aligned with the others.
std::string head_of(const OptionDescription& option) {
    if (option.names.empty()) return option.argument + (option.is_repeatable ? "..." : "");
    std::string head = format("{}", fmt::join(option.names, ", "));
    if (option.names.front().starts_with("--")) head.insert(0, "    ");
    return option.argument.empty() ? head : head + " " + option.argument;
}

/// A name in the left column, its meaning in the right one.
std::string entry(const std::string& head, const std::string& meaning, std::size_t column) {
    const std::string text = wrapped(meaning, line_width, column);
    const std::string left = "  " + head;
    const std::size_t width = report::display_width(left);
    if (width + 1 >= column) return left + "\n" + text;
    return left + std::string(column - width, ' ') + text.substr(column);
}

std::string options_text(const std::string& title, const std::vector<OptionDescription>& options) {
    if (options.empty()) return "";
    std::string text = format("\n{}:\n", title);
    for (const OptionDescription& option : options)
        text += entry(head_of(option), full_text(option), text_column);
    return text;
}

std::string terms_text(const std::vector<Term>& terms) {
    std::size_t column = 0;
    for (const Term& term : terms) column = std::max(column, term.name.size() + 4);
    std::string text;
    for (const Term& term : terms) text += entry(term.name, term.meaning, column);
    return text;
}

std::string section_text(const Section& section) {
    std::string text = format("\n{}:\n", section.title);
    for (std::size_t i = 0; i < section.paragraphs.size(); ++i)
        text += (i == 0 ? "" : "\n") + wrapped(section.paragraphs[i], line_width, 2);
    return text + terms_text(section.terms);
}

std::string commands_text(const CommandDescription& command) {
    std::vector<Term> terms;
    for (const CommandDescription& each : command.commands)
        terms.push_back({each.path.back(), each.summary});
    return terms.empty() ? "" : "\nCommands:\n" + terms_text(terms);
}

std::string examples_text(const std::vector<Example>& examples) {
    std::string text = examples.empty() ? "" : "\nExamples:\n";
    for (const Example& example : examples)
        text += format("  {}\n{}", example.command, wrapped(example.purpose, line_width, 6));
    return text;
}

} // namespace

std::string wrapped(const std::string& text, std::size_t width, std::size_t indent) {
    std::istringstream words(text);
    std::string lines, line;
    for (std::string word; words >> word;) {
        const std::size_t length = report::display_width(line) + 1 + report::display_width(word);
        if (!line.empty() && indent + length > width) {
            lines += std::string(indent, ' ') + line + "\n";
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
    }
    return lines + std::string(indent, ' ') + line + "\n";
}

std::string help_text(const CommandDescription& command) {
    std::string text = format("{}\n\nUsage: {}\n", command.summary, usage(command));
    for (const std::string& paragraph : command.manual.description)
        text += "\n" + wrapped(paragraph, line_width, 0);
    text += commands_text(command) + options_text("Arguments", command.arguments);
    for (const OptionGroup& each : command.groups) text += options_text(each.title, each.options);
    for (const Section& section : command.manual.sections) text += section_text(section);
    text += examples_text(command.manual.examples);
    if (!command.manual.exit_codes.empty())
        text += "\nExit codes:\n" + terms_text(command.manual.exit_codes);
    if (!command.commands.empty())
        text +=
            format("\n\"{} COMMAND --help\" shows the options of a command.\n", full_name(command));
    return text;
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const {
    return help_text(describe(dynamic_cast<const Command&>(*app)));
}

} // namespace rubato::cli
