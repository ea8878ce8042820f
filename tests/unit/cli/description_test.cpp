// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"
#include "describe/help.hpp"
#include "describe/writers.hpp"
#include "version.hpp"

#include <CLI/Config.hpp>
#include <gmock/gmock.h>

#include <algorithm>
#include <map>

namespace rubato::cli {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Description : public ::testing::Test {
protected:
    /// All commands of the program as CLI11 knows them, by their full names.
    static void collect(const CLI::App& app, const std::string& parent,
                        std::map<std::string, const CLI::App*>& apps) {
        const std::string name = parent + app.get_name();
        apps[name] = &app;
        for (const CLI::App* const each : app.get_subcommands({})) collect(*each, name + " ", apps);
    }

    std::map<std::string, const CLI::App*> apps() const {
        std::map<std::string, const CLI::App*> all;
        collect(*app_, "", all);
        return all;
    }

    const CommandDescription& find(const std::string& name) const {
        for (const CommandDescription* const command : all_commands(program_))
            if (full_name(*command) == name) return *command;
        throw std::runtime_error("no command " + name);
    }

    int exit_code_ = 0;
    std::unique_ptr<Command> app_ = make_command_line(exit_code_);
    CommandDescription program_ = describe(*app_);
};

/// Part of a completion file that belongs to one command.
std::string part_of(const std::string& text, const std::string& from, const std::string& to) {
    const std::size_t begin = text.find(from);
    if (begin == std::string::npos) return "";
    return text.substr(begin, text.find(to, begin + from.size()) - begin);
}

TEST_F(Description, HasEveryCommandAndOptionThatCli11Parses) {
    std::size_t options = 0;
    for (const auto& [name, app] : apps()) {
        const CommandDescription& command = find(name);
        std::vector<std::string> names;
        for (const OptionDescription& option : all_options(command))
            names.insert(names.end(), option.names.begin(), option.names.end());
        for (const CLI::Option* const option : app->get_options({})) {
            for (const std::string& long_name : option->get_lnames()) {
                EXPECT_THAT(names, ::testing::Contains("--" + long_name)) << name;
                ++options;
            }
        }
        EXPECT_EQ(command.commands.size(), app->get_subcommands({}).size()) << name;
    }
    EXPECT_GT(options, 100u);
}

TEST_F(Description, EveryFormHasEveryOptionOfEveryCommand) {
    const std::string bash = bash_completion(program_), zsh = zsh_completion(program_),
                      fish = fish_completion(program_), page = markdown(program_);
    for (const CommandDescription* const command : all_commands(program_)) {
        const std::string name = full_name(*command);
        const std::string help = help_text(*command), man = man_page(*command, "1.2.3");
        const std::string in_bash = part_of(bash, "        \"" + name + "\")\n", "esac");
        const std::string in_zsh = part_of(zsh, "\n_" + full_name(*command, "_") + "() {", "\n}\n");
        const std::string in_fish = part_of(fish, "\n# " + name + "\n", "\n# ");
        const std::string in_page = part_of(page, "\n## " + name + "\n", "\n## ");
        for (const OptionDescription& option : all_options(*command)) {
            for (const std::string& each : option.names) {
                const bool is_long = each.starts_with("--");
                std::string in_man;
                for (const char c : each) in_man += c == '-' ? "\\-" : std::string(1, c);
                EXPECT_THAT(help, HasSubstr(each)) << name;
                EXPECT_THAT(man, HasSubstr("\\fB" + in_man + "\\fR")) << name;
                EXPECT_THAT(in_bash, HasSubstr(each)) << name;
                EXPECT_THAT(in_zsh, HasSubstr(each)) << name;
                EXPECT_THAT(in_fish,
                            HasSubstr(is_long ? " -l " + each.substr(2) : " -s " + each.substr(1)))
                    << name;
                EXPECT_THAT(in_page, HasSubstr("`" + each + "`")) << name;
            }
        }
    }
}

TEST_F(Description, EveryCommandHasTwoExamplesWithAPurpose) {
    for (const CommandDescription* const command : all_commands(program_)) {
        EXPECT_GE(command->manual.examples.size(), 2u) << full_name(*command);
        for (const Example& example : command->manual.examples) {
            EXPECT_THAT(example.command, StartsWith("rubato")) << full_name(*command);
            EXPECT_TRUE(example.purpose.ends_with('.')) << example.purpose;
        }
    }
}

/// An example whose options do not exist would be worse than none.
TEST_F(Description, ExamplesNameOptionsThatExist) {
    for (const CommandDescription* const command : all_commands(program_)) {
        for (const Example& example : command->manual.examples) {
            std::istringstream words(example.command);
            std::string word, name;
            words >> name;
            while (words >> word && word.front() != '-') {
                const std::string longer = name + " " + word;
                if (!apps().contains(longer)) break;
                name = longer;
            }
            std::vector<std::string> names;
            for (const OptionDescription& option : all_options(find(name)))
                names.insert(names.end(), option.names.begin(), option.names.end());
            for (std::istringstream again(example.command); again >> word;)
                if (word.size() > 1 && word.front() == '-') {
                    EXPECT_THAT(names, ::testing::Contains(word)) << example.command;
                }
        }
    }
}

TEST_F(Description, GroupsOfRunAreInTheOrderOfHelp) {
    std::vector<std::string> titles;
    for (const OptionGroup& each : find("rubato run").groups) titles.push_back(each.title);
    EXPECT_THAT(titles, ElementsAre("Experiment", "Algorithm", "Federation", "Accuracy", "Output",
                                    "General"));
}

TEST_F(Description, HelpShowsChoicesAndDefaultsInLinesOfATerminal) {
    const std::string help = help_text(find("rubato run"));
    EXPECT_THAT(help,
                AllOf(StartsWith("Run a scenario and record its results\n\nUsage: rubato "
                                 "run [OPTIONS] FILE.yaml|.conf|.ssp|.ssd|.msim|.json|.xml\n"),
                      HasSubstr("jacobi"), HasSubstr("[default: fixed]")));
    std::istringstream lines(help);
    std::size_t longest = 0;
    for (std::string line; std::getline(lines, line);)
        if (line.find("rubato run") == std::string::npos) longest = std::max(longest, line.size());
    EXPECT_LE(longest, 82u); // bytes: a line may hold characters of two
}

TEST_F(Description, CompletionsOfferChoicesAndFilesByExtension) {
    EXPECT_THAT(
        bash_completion(program_),
        AllOf(HasSubstr("\"rubato run --algorithm\")\n            _rubato_words "
                        "\"synthesized jacobi"),
              HasSubstr("*) _rubato_files \"$current\" yaml conf ssp ssd msim json xml ;;")));
    EXPECT_THAT(zsh_completion(program_),
                HasSubstr(":_files -g \"*.(yaml|conf|ssp|ssd|msim|json|xml)\"'"));
    EXPECT_THAT(fish_completion(program_), HasSubstr("__fish_complete_suffix .yaml"));
}

/// A command made for this test: what is special to a form is escaped.
TEST(Writers, EscapeWhatIsSpecialInTheirForm) {
    Command program("rubato", "It's a test");
    const std::string odd = R"(.starts with a dot, has a \ and 'quotes' and [brackets])";
    program.add_flag("--odd", odd);
    program.manual.examples = {{"rubato --odd", "An example."}};
    const CommandDescription description = describe(program);
    EXPECT_THAT(man_page(description, "1"), HasSubstr("\n\\&.starts with a dot, has a \\e and"));
    EXPECT_THAT(zsh_completion(description),
                HasSubstr(R"([.starts with a dot, has a \\ and '\''quotes'\'' and \[brackets\]])"));
    EXPECT_THAT(fish_completion(description), HasSubstr(R"(has a \\ and \'quotes\' and)"));
}

TEST(Version, HasALineForEachFact) {
    std::istringstream lines(version_text());
    std::vector<std::string> words;
    for (std::string line; std::getline(lines, line);)
        words.push_back(line.substr(0, line.find(' ')));
    EXPECT_THAT(words, ElementsAre("rubato", "commit", "compiler", "build", "FMI", "libraries"));
    EXPECT_THAT(version_text(), Not(HasSubstr("  \n")));
}

} // namespace
} // namespace rubato::cli
