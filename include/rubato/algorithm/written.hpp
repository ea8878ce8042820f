// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/algorithm/algorithm.hpp>
#include <rubato/core/diagnostics.hpp>
#include <rubato/scenario/scenario.hpp>
#include <rubato/scenario/system.hpp>

namespace rubato::algorithm {

/// The hand-written algorithm of a scenario, which must have one, with every name resolved.
/// Problems go to `diagnostics`, all of them: units and ports that do not exist or are the wrong
/// way round, steps by nothing or by more than the largest step, loops that do nothing or have no
/// end, step procedures that configurations name but nobody wrote. With errors among them the
/// result is not to be used. Whether the algorithm keeps the contracts is for `verify` to say.
///
/// Loops end as `scenario.algorithm` has it. A `set` of an input that no configuration connects
/// does nothing: it is left out, with a warning. So are, silently, the questions to clocks
/// (`get-interval`, `get-shift`), which are not part of the exchange of values.
///
/// `system` may come from a scenario with errors: then what is found here adds to them.
Algorithm resolve_algorithm(const scenario::Scenario& scenario, const scenario::System& system,
                            Diagnostics& diagnostics);

/// The way back: the algorithm in the words of a scenario file.
scenario::WrittenAlgorithm write_algorithm(const Algorithm& algorithm,
                                           const scenario::System& system);

} // namespace rubato::algorithm
