// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/core/value.hpp>
#include <rubato/scenario/scenario.hpp>

#include <span>
#include <string>

namespace rubato::scenario {

/// A setting given elsewhere than in the file: `experiment.step` = `0.1`, `units.msd1.parameters.m`
/// = `2`.
struct Override {
    std::string path;             ///< keys joined by dots, as in YAML scenarios
    std::string value;            ///< YAML
    std::string source = "--set"; ///< who gave it, for messages
};

/// What an override is called in messages: `--set experiment.step=0.1`.
std::string name_of(const Override& setting);

/// Changes settings of a scenario, whatever format it was read from. Only what a path leads to is
/// changed: a section, a unit or a list that is given as a whole is replaced. Problems go to
/// `diagnostics`, as for the same setting in a file.
void apply(std::span<const Override> overrides, Scenario& scenario, Diagnostics& diagnostics);

/// A value as it stands in an override; a text stays one.
std::string to_yaml(const Value& value);

} // namespace rubato::scenario
