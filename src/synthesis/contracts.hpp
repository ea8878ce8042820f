// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/scenario/system.hpp>

#include <span>
#include <string>
#include <vector>

namespace rubato::synthesis {

/// By unit: its place in the order.
std::vector<std::size_t> places_of(std::span<const UnitId> order);

/// All inputs wait: every unit steps with what it knew at the start (Jacobi).
void make_all_delayed(scenario::System& system, Diagnostics& diagnostics);

/// Inputs expect the values of the end of the step (iterated schemes), unless these are discrete: a
/// value that switches back what makes it switch would never converge. Where nothing is continuous
/// all are iterated, and those that the scenario declares reactive always. Returns remarks.
std::vector<std::string> make_iterated(scenario::System& system, Diagnostics& diagnostics);

/// Inputs of continuous values expect those of the end of the step, the others wait: what is
/// discrete is exchanged once, when the iteration has ended (waveform relaxation). Feed-through of
/// discrete inputs within the iteration is given up as below.
std::vector<std::string> make_waveform(scenario::System& system, Diagnostics& diagnostics);

/// Inputs whose source comes earlier in the order are reactive, the others delayed (Gauss-Seidel).
/// Where an output must be propagated before an input that feeds through to it can be known, the
/// feed-through is given up: the unit then answers with its own approximation of that input.
/// Returns a sentence for each such output.
std::vector<std::string> make_sequential(scenario::System& system, std::span<const UnitId> order,
                                         Diagnostics& diagnostics);

} // namespace rubato::synthesis
