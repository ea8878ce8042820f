// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"
#include "crash_guard.hpp"
#include "exit_code.hpp"
#include "problems.hpp"
#include "terminal.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/core/text.hpp>
#include <rubato/files/reader_gone.hpp>
#include <rubato/private/format.hpp>

#include <CLI/Config.hpp>

#include <algorithm>
#include <iostream>
#include <new>
#include <sstream>

namespace rubato::cli {
namespace {

/// "rubato run" once that command is known.
std::string command_name(const CLI::App& app) {
    const auto chosen = app.get_subcommands();
    return chosen.empty() ? "rubato" : "rubato " + chosen.front()->get_name();
}

int report_fault(int code, const std::string& message) {
    print(stderr, format("{} {}\n", Style(stderr).red("rubato:"), message));
    return code;
}

/// CLI11 would only report that a command is missing.
void require_known_command(const CLI::App& app, int argc, char** argv) {
    const std::string name = argc > 1 ? argv[1] : "";
    if (name.empty() || name.starts_with('-')) return;
    std::vector<std::string> commands;
    for (const CLI::App* command : app.get_subcommands({})) commands.push_back(command->get_name());
    if (std::ranges::find(commands, name) == commands.end())
        throw InputError(format("there is no command \"{}\"", name),
                         suggest(name, commands, "the commands"));
}

int run_command_line(int argc, char** argv) {
    int exit_code = exit_code::success;
    const std::unique_ptr<Command> app = make_command_line(exit_code);
    require_known_command(*app, argc, argv);
    try {
        app->parse(argc, argv);
    } catch (const CLI::Success& request) { // help or version
        std::ostringstream text;
        const int code = app->exit(request, text, std::cerr);
        print(stdout, text.str());
        return code;
    } catch (const CLI::ParseError& fault) {
        return report_fault(exit_code::bad_input, format("{}\n  \"{} --help\" lists the options",
                                                         fault.what(), command_name(*app)));
    }
    return exit_code;
}

} // namespace
} // namespace rubato::cli

namespace {

int run_and_report(int argc, char** argv) {
    namespace cli = rubato::cli;
    try {
        return cli::run_command_line(argc, argv);
    } catch (const rubato::files::ReaderGone&) {
        return cli::exit_code::reader_gone;
    } catch (const rubato::InputError& fault) {
        return cli::report_fault(cli::exit_code::bad_input, fault.what());
    } catch (const cli::NotDecided& fault) {
        return cli::report_fault(cli::exit_code::not_decided, fault.what());
    } catch (const rubato::Error& fault) {
        return cli::report_fault(cli::exit_code::run_failed, fault.what());
    } catch (const std::bad_alloc&) {
        return cli::report_fault(cli::exit_code::internal_error, "out of memory");
    } catch (const std::exception& fault) {
        return cli::report_fault(cli::exit_code::internal_error,
                                 std::string("internal error, please report: ") + fault.what());
    }
}

} // namespace

int main(int argc, char** argv) {
    const rubato::cli::CrashGuard guard;
    const int code = run_and_report(argc, argv);
    rubato::cli::end_with_foreign_threads(code);
    return code;
}
