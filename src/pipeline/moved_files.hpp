// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/scenario.hpp>

#include <filesystem>

namespace rubato::pipeline {

/// Files that a scenario in the folder `from` names, as a scenario in the folder `to` names them;
/// those of scenarios within it, too. An empty path is the working folder.
void move_files(scenario::Scenario& scenario, const std::filesystem::path& from,
                const std::filesystem::path& to);

} // namespace rubato::pipeline
