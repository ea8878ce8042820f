// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ideal_solution.hpp"
#include "runs.hpp"
#include "support/random_source.hpp"

#include <rubato/algorithm/algorithm.hpp>

#include <optional>
#include <string>
#include <vector>

namespace rubato::test {

/// Judges algorithms by executing them on symbolic units, in many runs, and comparing where the
/// units end up with where the contracts take them in steps of the length that the algorithm chose.
/// It checks no contract of any operation, and so
/// errs in other ways than the verification does. What may run at the same time is interleaved
/// anew in every run.
class SymbolicInterpreter {
public:
    /// `system` must outlive it.
    explicit SymbolicInterpreter(const scenario::System& system, std::size_t most_runs = 60);

    /// The first run that does not end as it should, and what was wrong; nullopt: none of them. The
    /// loops of the algorithm must be ones that end when they have converged.
    std::optional<std::string> find_departure(const algorithm::Algorithm& algorithm);

private:
    std::optional<std::string> find_fault(const algorithm::Algorithm& algorithm, const Run& run,
                                          RandomSource interleaving);

    const scenario::System& system_;
    std::vector<Run> runs_;
    IdealSolution ideal_;
};

} // namespace rubato::test
