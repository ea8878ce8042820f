// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "table.hpp"

#include <rubato/core/log.hpp>
#include <rubato/unit/unit.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace rubato::unit {

/// What becomes of a table's jumps.
enum class JumpMode : std::uint8_t {
    events, ///< they are announced, and happen in event mode
    silent, ///< a step that reaches one gives the values after it
};

/// A unit whose outputs follow a table. It has no inputs, accepts any step and can be rolled back.
/// `log` is written to when the simulation leaves the table, which must outlive the unit.
std::unique_ptr<Unit> make_table_unit(std::string name, const Table& table, JumpMode jumps,
                                      Log& log);

} // namespace rubato::unit
