// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/pipeline/assembly.hpp>
#include <rubato/probe/probe.hpp>

namespace rubato::pipeline {

/// Probes the units of a scenario (see `probe::probe`). A simulation of its own is run for the
/// probing in initialization, so that a fault of a unit there has no effect later.
probe::Probing probe(const Assembly& assembly, unit::Library& library, Log& log);

/// What probing says of the contracts. Errors: an output that moves at once with an input that
/// its contract does not name, if both are connected; a unit that must be rolled back and is not
/// restored. Warnings: the same where it does no harm in this scenario. Notes: contracts that name
/// more than was seen to move, and all that could not be probed.
void judge(const probe::Probing& probing, const Assembly& assembly, Diagnostics& diagnostics);

} // namespace rubato::pipeline
