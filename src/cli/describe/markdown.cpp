// SPDX-License-Identifier: Apache-2.0
#include "writers.hpp"

#include <rubato/private/format.hpp>

#include <utility>

namespace rubato::cli {
namespace {

/// Text in a paragraph or a cell of a table.
std::string marked(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '|' || c == '*' || c == '_' || c == '<' || c == '\\') out += '\\';
        out += c;
    }
    return out;
}

std::string code(std::string_view text) {
    std::string out = "`";
    for (const char c : text) out += c == '|' ? "\\|" : std::string(1, c);
    return out + "`";
}

std::string options_table(const std::vector<OptionDescription>& options) {
    std::string text = "| option | meaning | default |\n|---|---|---|\n";
    for (OptionDescription option : options) {
        std::vector<std::string> names;
        for (const std::string& name : option.names) names.push_back(code(name));
        std::string head = format("{}", fmt::join(names, ", "));
        if (!option.argument.empty()) head += (head.empty() ? "" : " ") + code(option.argument);
        const std::string fallback = marked(std::exchange(option.default_value, ""));
        text += format("| {} | {} | {} |\n", head, marked(full_text(option)), fallback);
    }
    return text;
}

std::string terms_list(const std::vector<Term>& terms) {
    std::string text;
    for (const Term& term : terms)
        text += format("- {}: {}\n", code(term.name), marked(term.meaning));
    return text;
}

std::string examples_block(const std::vector<Example>& examples) {
    if (examples.empty()) return "";
    std::string text = "\n**Examples**\n";
    for (const Example& example : examples)
        text += format("\n{}\n\n```text\n{}\n```\n", marked(example.purpose), example.command);
    return text;
}

std::string command_section(const CommandDescription& command) {
    std::string text = format("\n## {}\n\n{}.\n\n```text\n{}\n```\n", full_name(command),
                              marked(command.summary), usage(command));
    for (const std::string& paragraph : command.manual.description)
        text += "\n" + marked(paragraph) + "\n";
    if (!command.commands.empty()) text += "\n| command | purpose |\n|---|---|\n";
    for (const CommandDescription& each : command.commands)
        text += format("| [{}](#{}) | {} |\n", full_name(each), full_name(each, "-"),
                       marked(each.summary));
    if (!command.arguments.empty())
        text += "\n**Arguments**\n\n" + options_table(command.arguments);
    for (const OptionGroup& each : command.groups)
        text += format("\n**{}**\n\n{}", each.title, options_table(each.options));
    for (const Section& section : command.manual.sections) {
        text += format("\n**{}**\n\n", section.title);
        for (const std::string& paragraph : section.paragraphs) text += marked(paragraph) + "\n\n";
        text += terms_list(section.terms);
    }
    text += examples_block(command.manual.examples);
    if (!command.manual.exit_codes.empty())
        text += "\n**Exit codes**\n\n" + terms_list(command.manual.exit_codes);
    return text;
}

} // namespace

std::string markdown(const CommandDescription& program) {
    std::string text = "# Command line\n\nThis page is generated from the command line's own "
                       "description, as are `--help`, the manual pages and the completions.\n";
    for (const CommandDescription* const command : all_commands(program))
        text += command_section(*command);
    return text;
}

} // namespace rubato::cli
