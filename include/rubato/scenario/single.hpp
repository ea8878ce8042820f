// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/scenario/assumptions.hpp>
#include <rubato/scenario/description.hpp>
#include <rubato/scenario/scenario.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rubato::scenario {

/// What one may choose of the run of a single simulator.
struct SingleRun {
    Unit model;                                 ///< the simulator
    std::optional<std::filesystem::path> input; ///< a table for its inputs
    std::optional<double> start, stop, step, tolerance;
    std::vector<std::string> settings; ///< `k=3`, parameters and start values as typed
    std::vector<std::string> record;   ///< names or patterns of its variables; empty: its outputs
};

/// The unit that gives the inputs.
inline constexpr std::string_view input_unit = "input";

struct SingleScenario {
    Scenario scenario;
    std::vector<DefaultedSetting> defaults; ///< in the order start, stop, step, tolerance
};

/// The unit that reads a table, without what its columns hold.
Unit table_unit(std::string_view name, const std::filesystem::path& file);

/// The run as a scenario: the model, the table if there is one, and a connection for every column
/// that is named like an input, or like a parameter that may change during a run; continuous inputs
/// are linear within steps if the model can do that, all others are held. A solver for a model that
/// brings its own is left out, with a warning.
/// Where start, stop, step and tolerance are not given they are the model's suggestion, else 0,
/// start + 1 and 1/500 of the span. `columns` are those of the table. What is wrong with the
/// settings goes to `diagnostics`, and a warning for columns that are no inputs.
SingleScenario single_scenario(const SingleRun& run, const UnitDescription& model,
                               std::span<const std::string> columns, Diagnostics& diagnostics);

} // namespace rubato::scenario
