// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "state.hpp"

#include <rubato/algorithm/algorithm.hpp>

namespace rubato::algorithm::verification {

/// What an operation, or the end of a procedure, demands.
enum class Rule {
    set_needs_value,           ///< a value of the source has been got
    delayed_set_needs_present, ///< it is from the time at which the target stands
    reactive_set_needs_future, ///< it is from after the time at which the target stands
    get_needs_inputs,          ///< what feeds through is set, at the time at which the unit stands
    step_needs_present,        ///< delayed inputs are from the time at which the unit stands
    step_needs_future,         ///< reactive inputs are from the end of the step
    same_as_needs_step,        ///< the other unit has stepped
    restore_needs_save,
    input_needs_start, ///< at the end of the initialization
    output_needs_start,
    fixed_point_needs_end, ///< a loop comes to an end within its limit
    negotiation_needs_end,
    units_advance,  ///< every unit advances in a co-simulation step
    units_together, ///< and by the same amount
    units_in_step,  ///< which is no more than the step
};

/// A demand that is not met. Which of the members mean something depends on the rule.
struct Breach {
    Rule rule = Rule::set_needs_value;
    UnitId unit;            ///< the unit operated on
    PortId port;            ///< the port whose contract it is
    Ticks unit_time = 0;    ///< where the unit stands
    Stamp value;            ///< what is there
    Ticks wanted = 0;       ///< the time it should be from; for units: how far it should have
                            ///< advanced; for loops: after how many iterations
    UnitId other;           ///< the unit that the input comes from, or to compare with
    Ticks other_time = 0;   ///< where it stands
    const Op* op = nullptr; ///< null: the end of the procedure
};

} // namespace rubato::algorithm::verification
