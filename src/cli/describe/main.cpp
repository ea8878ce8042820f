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

namespace {

namespace fs = std::filesystem;
using namespace rubato::cli;

void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream stream(file, std::ios::binary);
    stream << text;
    stream.close();
    if (!stream) throw std::runtime_error("cannot write " + file.string());
}

void write_all(const CommandDescription& program, const fs::path& folder) {
    for (const CommandDescription* const command : all_commands(program))
        write(folder / "man1" / (full_name(*command, "-") + ".1"), man_page(*command, version()));
    write(folder / "bash" / "rubato", bash_completion(program));
    write(folder / "zsh" / "_rubato", zsh_completion(program));
    write(folder / "fish" / "rubato.fish", fish_completion(program));
    write(folder / "cli.md", markdown(program));
}

} // namespace

int main(int argc, char** argv) try {
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
} catch (const std::exception& fault) {
    std::fprintf(stderr, "rubato-describe: %s\n", fault.what());
    return 1;
}
