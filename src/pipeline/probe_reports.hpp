// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/pipeline/probe.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace rubato::pipeline {

/// `a, b, c, d, e and 95 more`
std::string listed(std::vector<std::string> texts, std::string_view separator = ", ");

/// Says what could not be probed, and why.
void report_obstacles(const probe::Probing& probing, const Assembly& assembly,
                      Diagnostics& diagnostics);

} // namespace rubato::pipeline
