// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rubato::scenario {

/// What one statement of a hand-written algorithm does. `get_interval` and `get_shift` ask a timed
/// clock when it ticks and belong to initialization.
enum class Operation {
    get,
    get_tentative,
    set,
    set_tentative,
    step,
    save_state,
    restore_state,
    get_interval,
    get_shift,
    loop,
    parallel,
    get_clock, ///< of an output clock, in event procedures
    set_clock, ///< of an input clock
    update,    ///< ends the instant for a unit
};
std::string_view to_string(Operation operation);

/// A statement as its author wrote it: names not yet resolved, nothing checked.
struct WrittenOp {
    Operation operation = Operation::get;
    std::string object; ///< `unit.port`, `unit.clock` or `unit`; empty for loops and parallel

    // Steps: by the common step if neither is given.
    std::optional<int> by;                 ///< in ticks
    std::optional<std::string> by_same_as; ///< a unit: by what it has accepted

    // Loops: one of the first two.
    std::optional<std::vector<std::string>> until_converged;   ///< outputs
    std::optional<std::vector<std::string>> until_step_accept; ///< units
    std::vector<WrittenOp> iterate;
    std::vector<WrittenOp> if_retry_needed;

    std::vector<std::vector<WrittenOp>> branches; ///< of parallel

    Location where;
    friend bool operator==(const WrittenOp&, const WrittenOp&) = default;
};

/// What is done in one step, or in one instant of an event.
struct WrittenProcedure {
    std::string name;
    std::vector<WrittenOp> body;
    Location where;
    friend bool operator==(const WrittenProcedure&, const WrittenProcedure&) = default;
};

/// The name of a step procedure that was written without one.
inline constexpr std::string_view unnamed_procedure = "step";
/// And of an event procedure.
inline constexpr std::string_view unnamed_event = "event";

struct WrittenAlgorithm {
    std::vector<WrittenOp> initialization;
    std::vector<WrittenProcedure> steps;
    std::vector<WrittenProcedure> events; ///< by configuration; may be left out
    Location where;
    friend bool operator==(const WrittenAlgorithm&, const WrittenAlgorithm&) = default;
};

} // namespace rubato::scenario
