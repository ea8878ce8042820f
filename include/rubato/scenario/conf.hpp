// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/scenario/scenario.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace rubato::scenario {

/// Reads a scenario of the Scenario-Verifier (`.conf`, in HOCON): its FMI 2.0 form and its FMI 3.0
/// form with clocks. Problems go to `diagnostics`, all of them; with errors among them the result
/// is not to be used. Experiment, algorithm settings and recording are the defaults: the format has
/// none. Ports that occur only in connections are added: inputs delayed, outputs without
/// feed-through. `file` names the text in messages.
Scenario parse_conf(std::string_view text, const std::filesystem::path& file,
                    Diagnostics& diagnostics);

/// The scenario as `.conf`, which reads back as the same scenario but for what the format cannot
/// hold (see `losses_in_conf`). An input without a contract is written as delayed, an output whose
/// feed-through is not declared as depending on all inputs written; `with_contracts` settles both
/// before. Parallel sections are written one branch after the other.
std::string write_conf(const Scenario& scenario);

/// One line of it: `y = {dependencies-init=[u], dependencies=[u]}`. The feed-through must be
/// declared.
std::string write_conf(const OutputSettings& output);

/// What of the scenario `write_conf` leaves out, for people: "the parameters of unit msd1".
std::vector<std::string> losses_in_conf(const Scenario& scenario);

} // namespace rubato::scenario
