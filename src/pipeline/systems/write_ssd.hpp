// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/pipeline/assembly.hpp>

#include <string>

namespace rubato::pipeline {

/// The system structure description of a scenario whose FMUs lie under resources/, without Rubato's
/// own settings. What SSP cannot say goes to `diagnostics`.
std::string write_ssd(const Assembly& assembly, const scenario::Scenario& packed,
                      Diagnostics& diagnostics);

} // namespace rubato::pipeline
