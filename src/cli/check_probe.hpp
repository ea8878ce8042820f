// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/pipeline/assembly.hpp>
#include <rubato/unit/library.hpp>

namespace rubato::cli {

/// Probes the units of a scenario, prints what moves at once and what that says of the contracts.
/// Contracts that are wrong become one InputError.
void check_by_probing(const pipeline::Assembly& assembly, unit::Library& library);

} // namespace rubato::cli
