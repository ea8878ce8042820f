// SPDX-License-Identifier: Apache-2.0
#include "command.hpp"

#include "describe/help.hpp"

#include <rubato/files/csv.hpp>
#include <rubato/private/format.hpp>

#include <CLI/Validators.hpp>

#include <memory>
#include <optional>
#include <utility>

namespace rubato::cli {

std::string must_be_positive(const std::string& text) {
    const std::optional<double> number = files::parse_real(text);
    return number && *number > 0 ? "" : format("{} is not a positive number", text);
}

Command::Command(const std::string& name, const std::string& summary, Command* parent)
    : App(summary, name, parent) {
    option_defaults()->group(group::general);
    if (parent == nullptr) formatter(std::make_shared<HelpFormatter>());
    set_help_flag("-h,--help", "print this help and exit");
}

Command& Command::add_command(const std::string& name, const std::string& summary) {
    auto command = std::make_shared<Command>(name, summary, this);
    add_subcommand(command);
    return *command;
}

void Command::set_choices(const CLI::Option* option, std::vector<std::string> choices) {
    choices_[option] = std::move(choices);
}

void Command::restrict_to(CLI::Option* option, std::vector<std::string> choices) {
    option->check(CLI::IsMember(choices));
    set_choices(option, std::move(choices));
}

std::vector<std::string> Command::choices(const CLI::Option* option) const {
    const auto found = choices_.find(option);
    return found == choices_.end() ? std::vector<std::string>() : found->second;
}

} // namespace rubato::cli
