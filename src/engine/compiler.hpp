// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan.hpp"

#include <rubato/engine/recorder.hpp>
#include <rubato/scenario/system.hpp>

#include <memory>
#include <span>

namespace rubato::engine {

struct Compiled {
    std::unique_ptr<Plan> plan;
    std::vector<Column> columns; ///< the observed variables, in the system's order
};

/// Turns names into slots and neighbouring operations into bulk calls, to be run on so many
/// `threads`.
Compiled compile(const scenario::System& system, const algorithm::Algorithm& algorithm,
                 std::span<const std::unique_ptr<unit::Unit>> units, unsigned threads);

} // namespace rubato::engine
