// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/App.hpp>

/// One file per command: its options, and a function that calls the library and prints. A command
/// puts its exit code into `exit_code`.
namespace rubato::cli {

void add_run(CLI::App& app, int& exit_code);
void add_simulate(CLI::App& app, int& exit_code);
void add_synthesize(CLI::App& app, int& exit_code);
void add_verify(CLI::App& app, int& exit_code);
void add_graph(CLI::App& app, int& exit_code);
void add_check(CLI::App& app, int& exit_code);
void add_inspect(CLI::App& app, int& exit_code);
void add_validate(CLI::App& app, int& exit_code);
void add_plot(CLI::App& app, int& exit_code);
void add_study(CLI::App& app, int& exit_code);

} // namespace rubato::cli
