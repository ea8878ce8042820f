// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan.hpp"

#include <rubato/engine/recorder.hpp>
#include <rubato/scenario/system.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace rubato::engine {

/// A recorded variable that is clocked: only at events, while its clock ticks, can it be read.
struct ClockedColumn {
    scenario::Observed observed;
    Storage storage = Storage::real;
    std::uint32_t slot = 0;
};

/// Where a recorded variable is.
struct ObservedValue {
    Storage storage = Storage::real;
    void* value = nullptr;
};

struct Compiled {
    std::unique_ptr<Plan> plan;
    std::vector<Column> columns;         ///< the observed variables, in the system's order
    std::vector<ObservedValue> observed; ///< the same
    // By port; none: the algorithm does not use the port.
    std::vector<std::optional<std::uint32_t>> output_slots; ///< of final values
    std::vector<std::optional<std::uint32_t>> histories;
    std::vector<std::uint32_t> watched_slots; ///< by `watched_outputs`
};

struct CompileOptions {
    unsigned threads = 1;
    bool may_be_taken_back = false; ///< whole steps, beyond what the algorithm does itself
    scenario::LoopSettings loops = {};
    std::span<const FirstGuess> first_guesses = {};
};

/// Turns names into slots and neighbouring operations into bulk calls.
Compiled compile(const scenario::System& system, const algorithm::Algorithm& algorithm,
                 std::span<const std::unique_ptr<unit::Unit>> units, const CompileOptions& options);

} // namespace rubato::engine
