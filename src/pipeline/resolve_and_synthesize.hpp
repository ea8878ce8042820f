// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/pipeline/assembly.hpp>

namespace rubato::pipeline {

/// From descriptions of units to a verified algorithm: resolves the names, derives the algorithm,
/// checks both. Problems go to `diagnostics`.
void resolve_and_synthesize(Assembly& assembly, Verification verification,
                            Diagnostics& diagnostics);

/// Describes the units, settles the experiment, then the same.
void assemble(Assembly& assembly, unit::Library& library, Verification verification,
              Diagnostics& diagnostics);

/// Whether the assembly has been verified.
Verification verification_of(const Assembly& assembly);

} // namespace rubato::pipeline
