// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/model/instance.hpp>

#include <array>
#include <cstdint>

namespace rubato::model {

/// Functions of the standards that are allowed in the same phases.
enum class Call : std::uint8_t {
    set_debug_logging,
    setup_experiment,
    enter_initialization,
    exit_initialization,
    terminate,
    reset,
    get,
    set,
    set_input_derivatives,
    get_output_derivatives,
    fmu_state,
    step,
    status,
    count,
    get_continuous,
    set_time,
    set_states,
    completed_step,
    enter_event_mode,
    update_discrete_states,
    enter_continuous_time,
    enter_step_mode,
    clocks,
    intervals,
    unsupported,
};

/// Which call is allowed in which phase: FMI 2.0.4 sections 3.2.3 and 4.2.4, FMI 3.0.2 sections 3.2
/// and 4.2, less the phases that a synchronous model never is in.
///                                                  continuous time
///                                                  | event mode
///                                                  | | failed
///                                                  | | | terminated
///                                                  | | | | stepping
///                                                  | | | | | initializing
///                                                  | | | | | | instantiated
inline constexpr std::array<std::uint8_t, 25> allowed_phases = {
    /* set_debug_logging      */ 0b1'1'1'1'1'1'1,
    /* setup_experiment       */ 0b0'0'0'0'0'0'1,
    /* enter_initialization   */ 0b0'0'0'0'0'0'1,
    /* exit_initialization    */ 0b0'0'0'0'0'1'0,
    /* terminate              */ 0b1'1'0'0'1'0'0,
    /* reset                  */ 0b1'1'1'1'1'1'1,
    /* get                    */ 0b1'1'1'1'1'1'0,
    /* set                    */ 0b1'1'0'0'1'1'1,
    /* set_input_derivatives  */ 0b0'0'0'0'1'1'1,
    /* get_output_derivatives */ 0b0'0'1'1'1'0'0,
    /* fmu_state              */ 0b1'1'1'1'1'1'1,
    /* step                   */ 0b0'0'0'0'1'0'0,
    /* status                 */ 0b0'0'0'1'1'0'0,
    /* count                  */ 0b1'1'1'1'1'1'1,
    /* get_continuous         */ 0b1'1'1'1'0'1'0,
    /* set_time               */ 0b1'1'0'0'0'0'0,
    /* set_states             */ 0b1'0'0'0'0'0'0,
    /* completed_step         */ 0b1'0'0'0'0'0'0,
    /* enter_event_mode       */ 0b1'0'0'0'1'0'0,
    /* update_discrete_states */ 0b0'1'0'0'0'0'0,
    /* enter_continuous_time  */ 0b0'1'0'0'0'0'0,
    /* enter_step_mode        */ 0b0'1'0'0'0'0'0,
    /* clocks                 */ 0b0'1'0'0'0'0'0,
    /* intervals              */ 0b0'1'0'0'0'1'0,
    /* unsupported            */ 0b1'1'1'1'1'1'1,
};

constexpr bool is_allowed(Call call, Phase phase) {
    return ((allowed_phases[static_cast<std::size_t>(call)] >> static_cast<unsigned>(phase)) &
            1u) != 0;
}

} // namespace rubato::model
