// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "crash_guard.hpp"
#include "exit_code.hpp"
#include "problems.hpp"
#include "terminal.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/core/text.hpp>
#include <rubato/files/reader_gone.hpp>
#include <rubato/private/format.hpp>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <algorithm>
#include <iostream>
#include <new>
#include <sstream>

namespace rubato::cli {
namespace {

constexpr auto footer = R"(Examples:
  rubato run crane.yaml                  run a scenario; results go to results/crane.csv
  rubato simulate winch.fmu --stop 10    run one FMU on its own
  rubato check crane.yaml                what is understood of it, and all that is wrong with it
  rubato graph crane.yaml -o crane.svg   which operation waits for which
  rubato inspect winch.fmu               what an FMU is
  rubato validate winch.fmu              where an FMU breaks the standard
  rubato plot results/crane.csv speed    a picture of results
  rubato study adaptive-order            a published study, run again

Exit codes:
  0    success
  1    the run failed: a unit's fault, or no convergence; results up to there are kept;
       validate: violations found; or what is to be printed cannot be
  2    bad input or usage; nothing was run
  3    not decided: the algorithm has too many runs to tell whether it is correct; nothing was run
  70   internal error, please report
  130  interrupted by Ctrl-C; results up to there are kept
  141  whoever read the results from a pipe has ended
  128 + the number of a signal: an FMU has crashed; results up to there are kept)";

/// "rubato run" once that command is known.
std::string command_name(const CLI::App& app) {
    const auto chosen = app.get_subcommands();
    return chosen.empty() ? "rubato" : "rubato " + chosen.front()->get_name();
}

int report_fault(int code, const std::string& message) {
    print(stderr, format("{} {}\n", Style(stderr).red("rubato:"), message));
    return code;
}

/// CLI11 would only say that a command is missing.
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
    CLI::App app("Rubato couples simulators and makes them one simulation that can be trusted.",
                 "rubato");
    app.set_version_flag("--version", "rubato " RUBATO_VERSION, "print the version and end");
    app.set_help_flag("-h,--help", "print this help and end");
    app.get_formatter()->column_width(34);
    app.require_subcommand(1);
    app.footer(footer);
    int exit_code = exit_code::success;
    add_run(app, exit_code);
    add_simulate(app, exit_code);
    add_check(app, exit_code);
    add_synthesize(app, exit_code);
    add_verify(app, exit_code);
    add_graph(app, exit_code);
    add_inspect(app, exit_code);
    add_validate(app, exit_code);
    add_plot(app, exit_code);
    add_study(app, exit_code);
    require_known_command(app, argc, argv);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& request) { // help or version
        std::ostringstream text;
        const int code = app.exit(request, text, std::cerr);
        print(stdout, text.str());
        return code;
    } catch (const CLI::ParseError& fault) {
        return report_fault(exit_code::bad_input, format("{}\n  {} --help shows what there is",
                                                         fault.what(), command_name(app)));
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
