// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include "commands.hpp"
#include "version.hpp"

namespace rubato::cli {
namespace {

Manual program_manual() {
    Manual manual;
    manual.examples = {
        {"rubato run crane.yaml", "Run a scenario; the results go to results/crane.csv."},
        {"rubato check crane.yaml", "Show how Rubato reads a scenario, and every error in it."},
        {"rubato simulate winch.fmu --stop 10", "Run one FMU alone."},
        {"rubato inspect winch.fmu", "Show the variables and capabilities of an FMU."},
        {"rubato plot results/crane.csv speed", "Plot a variable over time."},
    };
    manual.exit_codes = {
        {"0", "success"},
        {"1",
         "the run failed: an FMU reported an error, or an iteration did not converge; the "
         "results up to that time are kept. validate: violations found. compare: a value is "
         "outside the tube. verify: the algorithm is wrong. Or standard output cannot be written"},
        {"2", "invalid input or usage; nothing was run"},
        {"3", "not decided: the algorithm has too many possible runs to decide whether it is "
              "correct; nothing was run"},
        {"70", "internal error, please report it"},
        {"130", "interrupted by Ctrl-C; the results up to that time are kept"},
        {"141", "the program that reads the results from a pipe has ended"},
        {"128+N", "an FMU crashed with signal N; the results up to that time are kept"},
    };
    return manual;
}

} // namespace

std::unique_ptr<Command> make_command_line(int& exit_code) {
    auto app = std::make_unique<Command>(
        "rubato", "Couple simulators (FMI 1.0, 2.0, 3.0) and check the accuracy of the result");
    app->set_version_flag("--version", version_text(), "print version and build information");
    app->require_subcommand(1);
    app->manual = program_manual();
    add_run(*app, exit_code);
    add_federate(*app, exit_code);
    add_fom(*app, exit_code);
    add_simulate(*app, exit_code);
    add_check(*app, exit_code);
    add_synthesize(*app, exit_code);
    add_verify(*app, exit_code);
    add_graph(*app, exit_code);
    add_stability(*app, exit_code);
    add_tune(*app, exit_code);
    add_sweep(*app, exit_code);
    add_transform(*app, exit_code);
    add_place(*app, exit_code);
    add_import(*app, exit_code);
    add_export(*app, exit_code);
    add_inspect(*app, exit_code);
    add_validate(*app, exit_code);
    add_plot(*app, exit_code);
    add_compare(*app, exit_code);
    add_study(*app, exit_code);
    return app;
}

} // namespace rubato::cli
