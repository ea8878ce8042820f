// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/scenario.hpp>

#include <filesystem>

namespace rubato::pipeline {

/// The scenario for a file in `folder`: relative paths lead from there to the same files.
scenario::Scenario relocated(scenario::Scenario scenario, const std::filesystem::path& folder);

} // namespace rubato::pipeline
