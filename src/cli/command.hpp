// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/App.hpp>

#include <map>
#include <string>
#include <vector>

namespace rubato::cli {

/// Groups of options, in the order in which help shows them.
namespace group {
inline constexpr auto experiment = "Experiment";
inline constexpr auto algorithm = "Algorithm";
inline constexpr auto federation = "Federation";
inline constexpr auto accuracy = "Accuracy";
inline constexpr auto output = "Output";
inline constexpr auto corpus = "Corpus";
inline constexpr auto general = "General";
} // namespace group

/// A command line and what it does, as a sentence.
struct Example {
    std::string command;
    std::string purpose;
};

struct Term {
    std::string name;
    std::string meaning;
};

/// A part of the help with a heading: paragraphs, then a list of terms.
struct Section {
    std::string title;
    std::vector<std::string> paragraphs;
    std::vector<Term> terms;
};

/// Text of help and manual page that CLI11 has no place for.
struct Manual {
    std::vector<std::string> description; ///< paragraphs after the summary
    std::vector<Section> sections;
    std::vector<Example> examples;
    std::vector<Term> exit_codes;
};

/// For CLI::Option::check: empty, or what is wrong. CLI11's own message names the largest double.
std::string must_be_positive(const std::string& text);

/// The program or one of its subcommands. The tree of commands is the only description of the
/// command line: help, manual pages, completions and the reference page are written from it
/// (describe/).
class Command : public CLI::App {
public:
    Command(const std::string& name, const std::string& summary, Command* parent = nullptr);

    Command& add_command(const std::string& name, const std::string& summary);

    /// Values of an option, for help and completions. The code that reads the value checks it.
    void set_choices(const CLI::Option* option, std::vector<std::string> choices);
    /// The same, and the command line accepts no other value.
    void restrict_to(CLI::Option* option, std::vector<std::string> choices);
    /// Empty: any value.
    std::vector<std::string> choices(const CLI::Option* option) const;

    Manual manual;

private:
    std::map<const CLI::Option*, std::vector<std::string>> choices_;
};

} // namespace rubato::cli
