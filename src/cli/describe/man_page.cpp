// SPDX-License-Identifier: Apache-2.0
#include "writers.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>
#include <cctype>

namespace rubato::cli {
namespace {

/// Text that groff shows as it is.
std::string roff(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if ((c == '.' || c == '\'') && out.empty()) out += "\\&";
        if (c == '\\') {
            out += "\\e";
        } else if (c == '-') {
            out += "\\-"; // a minus sign, which can be copied to a shell
        } else {
            out += c;
        }
    }
    return out;
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }

std::string upper(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

std::string option_page(const OptionDescription& option) {
    std::vector<std::string> names;
    for (const std::string& name : option.names) names.push_back(bold(name));
    std::string head = format("{}", fmt::join(names, ", "));
    if (!option.argument.empty())
        head += (head.empty() ? "" : " ") + ("\\fI" + roff(option.argument) + "\\fR");
    return format(".TP\n{}\n{}\n", head, roff(full_text(option)));
}

std::string options_page(const CommandDescription& command) {
    std::string text;
    if (!command.arguments.empty()) text += ".SH ARGUMENTS\n";
    for (const OptionDescription& argument : command.arguments) text += option_page(argument);
    text += ".SH OPTIONS\n";
    for (const OptionGroup& each : command.groups) {
        text += format(".SS {}\n", roff(each.title));
        for (const OptionDescription& option : each.options) text += option_page(option);
    }
    return text;
}

std::string terms_page(const std::vector<Term>& terms) {
    std::string text;
    for (const Term& term : terms)
        text += format(".TP\n{}\n{}\n", bold(term.name), roff(term.meaning));
    return text;
}

std::string section_page(const Section& section) {
    std::string text = format(".SH {}\n", roff(upper(section.title)));
    for (std::size_t i = 0; i < section.paragraphs.size(); ++i)
        text += format("{}{}\n", i == 0 ? "" : ".PP\n", roff(section.paragraphs[i]));
    return text + terms_page(section.terms);
}

std::string commands_page(const CommandDescription& command) {
    std::vector<Term> terms;
    for (const CommandDescription& each : command.commands)
        terms.push_back({full_name(each, "-") + "(1)", each.summary});
    return terms.empty() ? "" : ".SH COMMANDS\n" + terms_page(terms);
}

std::string examples_page(const std::vector<Example>& examples) {
    std::string text = examples.empty() ? "" : ".SH EXAMPLES\n";
    for (const Example& example : examples)
        text += format(".TP\n{}\n{}\n", bold(example.command), roff(example.purpose));
    return text;
}

std::string see_also(const CommandDescription& command) {
    std::vector<std::string> pages;
    if (command.path.size() > 1) {
        CommandDescription parent;
        parent.path.assign(command.path.begin(), command.path.end() - 1);
        pages.push_back(bold(full_name(parent, "-")) + "(1)");
    }
    for (const CommandDescription& each : command.commands)
        pages.push_back(bold(full_name(each, "-")) + "(1)");
    return pages.empty() ? "" : format(".SH SEE ALSO\n{}\n", fmt::join(pages, ", "));
}

} // namespace

std::string man_page(const CommandDescription& command, const std::string& version) {
    const std::string name = full_name(command, "-");
    std::string text = format(".TH \"{}\" 1 \"\" \"Rubato {}\" \"User Commands\"\n.nh\n.ad l\n",
                              upper(name), version);
    text += format(".SH NAME\n{} \\- {}\n", roff(name), roff(command.summary));
    const std::string line = usage(command);
    text += format(".SH SYNOPSIS\n{}{}\n", bold(full_name(command)),
                   roff(line.substr(full_name(command).size())));
    text += format(".SH DESCRIPTION\n{}.\n", roff(command.summary));
    for (const std::string& paragraph : command.manual.description)
        text += format(".PP\n{}\n", roff(paragraph));
    text += commands_page(command) + options_page(command);
    for (const Section& section : command.manual.sections) text += section_page(section);
    text += examples_page(command.manual.examples);
    if (!command.manual.exit_codes.empty())
        text += ".SH EXIT STATUS\n" + terms_page(command.manual.exit_codes);
    return text + see_also(command);
}

} // namespace rubato::cli
