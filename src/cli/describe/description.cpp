// SPDX-License-Identifier: Apache-2.0
#include "description.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>
#include <array>
#include <sstream>

namespace rubato::cli {
namespace {

constexpr std::array group_order = {group::experiment, group::algorithm, group::federation,
                                    group::accuracy,   group::output,    group::corpus,
                                    group::general};

OptionDescription describe_option(const Command& command, const CLI::Option& option) {
    OptionDescription description{.names = {},
                                  .argument = option.get_option_text(),
                                  .text = option.get_description(),
                                  .default_value = option.get_default_str(),
                                  .choices = command.choices(&option),
                                  .is_required = option.get_required()};
    for (const std::string& name : option.get_snames()) description.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) description.names.push_back("--" + name);
    const bool takes_list = option.get_expected_max() == CLI::detail::expected_max_vector_size;
    description.is_repeatable = option.get_positional() ? takes_list
                                                        : option.get_multi_option_policy() ==
                                                              CLI::MultiOptionPolicy::TakeAll;
    return description;
}

std::size_t rank(const std::string& title) {
    const auto* const found = std::ranges::find(group_order, title);
    return static_cast<std::size_t>(found - group_order.begin());
}

std::vector<OptionGroup> describe_groups(const Command& command) {
    std::vector<OptionGroup> groups;
    for (const CLI::Option* const option : command.get_options({})) {
        if (option->get_positional()) continue;
        auto found = std::ranges::find(groups, option->get_group(), &OptionGroup::title);
        if (found == groups.end()) found = groups.insert(groups.end(), {option->get_group(), {}});
        found->options.push_back(describe_option(command, *option));
    }
    std::ranges::stable_sort(groups, {}, [](const OptionGroup& each) { return rank(each.title); });
    // Help comes last, where people look for it.
    for (OptionGroup& each : groups)
        std::stable_partition(
            each.options.begin(), each.options.end(),
            [](const OptionDescription& option) { return option.names.back() != "--help"; });
    return groups;
}

} // namespace

CommandDescription describe(const Command& command) {
    CommandDescription description;
    for (const CLI::App* app = &command; app != nullptr; app = app->get_parent())
        description.path.insert(description.path.begin(), app->get_name());
    description.summary = command.get_description();
    description.groups = describe_groups(command);
    description.manual = command.manual;
    for (const CLI::Option* const option : command.get_options({}))
        if (option->get_positional())
            description.arguments.push_back(describe_option(command, *option));
    for (const CLI::App* const each : command.get_subcommands({}))
        description.commands.push_back(describe(dynamic_cast<const Command&>(*each)));
    return description;
}

std::string full_name(const CommandDescription& command, const std::string& separator) {
    return format("{}", fmt::join(command.path, separator));
}

std::string usage(const CommandDescription& command) {
    std::string text = full_name(command) + (command.commands.empty() ? " [OPTIONS]" : " COMMAND");
    for (const OptionDescription& argument : command.arguments) {
        const std::string name = argument.argument + (argument.is_repeatable ? "..." : "");
        text += argument.is_required ? " " + name : format(" [{}]", name);
    }
    return text;
}

std::string full_text(const OptionDescription& option) {
    std::string text = option.text;
    if (option.choices.size() > 1) text += format(": {}", fmt::join(option.choices, ", "));
    if (option.is_repeatable && !option.names.empty()) text += "; may be repeated";
    if (!option.default_value.empty()) text += format(" [default: {}]", option.default_value);
    return text;
}

std::vector<OptionDescription> all_options(const CommandDescription& command) {
    std::vector<OptionDescription> options;
    for (const OptionGroup& each : command.groups)
        options.insert(options.end(), each.options.begin(), each.options.end());
    return options;
}

std::vector<const CommandDescription*> all_commands(const CommandDescription& command) {
    std::vector<const CommandDescription*> commands = {&command};
    for (const CommandDescription& each : command.commands)
        std::ranges::copy(all_commands(each), std::back_inserter(commands));
    return commands;
}

bool is_file(const OptionDescription& option) { return option.argument.starts_with("FILE"); }

bool is_folder(const OptionDescription& option) { return option.argument == "FOLDER"; }

std::vector<std::string> extensions(const OptionDescription& option) {
    std::vector<std::string> list;
    std::istringstream stream(is_file(option) ? option.argument : "");
    for (std::string part; std::getline(stream, part, '|');)
        if (const std::size_t dot = part.find('.'); dot != std::string::npos)
            list.push_back(part.substr(dot + 1));
    return list;
}

} // namespace rubato::cli
