// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "command.hpp"

/// One file per command: its options, and a function that calls the library and prints. A command
/// stores its exit code in `exit_code`.
namespace rubato::cli {

void add_run(Command& program, int& exit_code);
void add_federate(Command& program, int& exit_code);
void add_fom(Command& program, int& exit_code);
void add_simulate(Command& program, int& exit_code);
void add_synthesize(Command& program, int& exit_code);
void add_verify(Command& program, int& exit_code);
void add_transform(Command& program, int& exit_code);
void add_place(Command& program, int& exit_code);
void add_export(Command& program, int& exit_code);
void add_import(Command& program, int& exit_code);
void add_graph(Command& program, int& exit_code);
void add_stability(Command& program, int& exit_code);
void add_sweep(Command& program, int& exit_code);
void add_tune(Command& program, int& exit_code);
void add_check(Command& program, int& exit_code);
void add_inspect(Command& program, int& exit_code);
void add_validate(Command& program, int& exit_code);
void add_plot(Command& program, int& exit_code);
void add_compare(Command& program, int& exit_code);
void add_study(Command& program, int& exit_code);

} // namespace rubato::cli
