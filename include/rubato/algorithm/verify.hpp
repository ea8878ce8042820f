// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/algorithm/algorithm.hpp>
#include <rubato/scenario/system.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rubato::algorithm {

/// Why an algorithm does not keep the contracts, for people.
struct Violation {
    /// Which operation breaks which contract of which port, and where each side stands in time.
    std::string message;
    /// What would mend it.
    std::string hint;
    /// The shortest way there: the operations from the start, with times. Empty if the algorithm is
    /// wrong as it is written, whatever happens.
    std::vector<std::string> trace;
};

/// How much of what may happen a verdict covers.
enum class Coverage {
    every_run,       ///< all of it
    representatives, ///< one run for each class of runs that provably end alike, none left out
    incomplete,      ///< there was more than the effort allowed: nobody knows of the rest
};
std::string_view to_string(Coverage coverage);

enum class Outcome {
    correct,     ///< no run breaks a contract
    wrong,       ///< there is a violation
    not_decided, ///< none was found, but not all runs could be explored
};
/// "correct", "wrong", "not decided"
std::string_view to_string(Outcome outcome);

struct Verdict {
    std::vector<Violation> violations;  ///< shortest trace first
    std::optional<Violation> undecided; ///< why it is not known whether there are any
    std::uint64_t runs = 0;             ///< ways through the algorithm that were explored
    Coverage coverage = Coverage::every_run;

    Outcome outcome() const;
    bool correct() const { return violations.empty() && !undecided; }
};

struct Effort {
    /// Operations to explore before runs are gathered into classes, or given up.
    std::uint64_t operations = 20'000'000;
};

/// Explores every way through the algorithm that step sizes, accepted steps and configurations
/// allow, over a first step and as many more as there are configurations, or representatives of
/// them, and checks each operation
/// against the contracts. An algorithm that is not well-formed is not explored: then all that is
/// wrong with its form is reported.
Verdict verify(const scenario::System& system, const Algorithm& algorithm,
               const Effort& effort = {});

} // namespace rubato::algorithm
