// SPDX-License-Identifier: Apache-2.0
// rubato-describe markdown        prints the reference page of the command line
// rubato-describe all FOLDER      writes manual pages, completions and the reference page
#include "../command_line.hpp"
#include "../version.hpp"
#include "writers.hpp"

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>

namespace rubato::cli {
namespace {

void write_file(const std::filesystem::path& file, const std::string& text) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream stream(file, std::ios::binary);
    stream << text;
    stream.close();
    if (!stream) throw std::runtime_error("cannot write " + file.string());
}

void write_all(const CommandDescription& program, const std::filesystem::path& folder) {
    for (const CommandDescription* const command : all_commands(program))
        write_file(folder / "man1" / (full_name(*command, "-") + ".1"),
                   man_page(*command, version()));
    write_file(folder / "bash" / "rubato", bash_completion(program));
    write_file(folder / "zsh" / "_rubato", zsh_completion(program));
    write_file(folder / "fish" / "rubato.fish", fish_completion(program));
    write_file(folder / "cli.md", markdown(program));
}

int describe_command_line(int argc, char** argv) {
    int exit_code = 0;
    const CommandDescription program = describe(*make_command_line(exit_code));
    const std::string_view form = argc > 1 ? argv[1] : "";
    if (form == "markdown" && argc == 2) {
        const std::string text = markdown(program);
        return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0 : 1;
    }
    if (form == "all" && argc == 3) {
        write_all(program, argv[2]);
        return 0;
    }
    std::fputs("usage: rubato-describe markdown\n       rubato-describe all FOLDER\n", stderr);
    return 2;
}

} // namespace
} // namespace rubato::cli

int main(int argc, char** argv) try {
    return rubato::cli::describe_command_line(argc, argv);
} catch (const std::exception& fault) {
    std::fprintf(stderr, "rubato-describe: %s\n", fault.what());
    return 1;
}
