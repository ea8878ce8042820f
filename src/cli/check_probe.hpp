// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/pipeline/assembly.hpp>
#include <rubato/unit/library.hpp>

namespace rubato::cli {

/// Probes the units of a scenario and prints which outputs change at once with which inputs,
/// compared with the contracts. Throws all wrong contracts as one InputError.
void check_by_probing(const pipeline::Assembly& assembly, unit::Library& library);

} // namespace rubato::cli
