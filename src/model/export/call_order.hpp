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
    unsupported,
};

/// Which call is allowed in which phase: FMI 2.0.4 section 4.2.4 and FMI 3.0.2 section 4.2.1, less
/// the phases that a synchronous model without events never is in.
///                                                  failed
///                                                  | terminated
///                                                  | | stepping
///                                                  | | | initializing
///                                                  | | | | instantiated
inline constexpr std::array<std::uint8_t, 14> allowed_phases = {
    /* set_debug_logging      */ 0b1'1'1'1'1,
    /* setup_experiment       */ 0b0'0'0'0'1,
    /* enter_initialization   */ 0b0'0'0'0'1,
    /* exit_initialization    */ 0b0'0'0'1'0,
    /* terminate              */ 0b0'0'1'0'0,
    /* reset                  */ 0b1'1'1'1'1,
    /* get                    */ 0b1'1'1'1'0,
    /* set                    */ 0b0'0'1'1'1,
    /* set_input_derivatives  */ 0b0'0'1'1'1,
    /* get_output_derivatives */ 0b1'1'1'0'0,
    /* fmu_state              */ 0b1'1'1'1'1,
    /* step                   */ 0b0'0'1'0'0,
    /* status                 */ 0b0'1'1'0'0,
    /* unsupported            */ 0b1'1'1'1'1,
};

constexpr bool is_allowed(Call call, Phase phase) {
    return ((allowed_phases[static_cast<std::size_t>(call)] >> static_cast<unsigned>(phase)) &
            1u) != 0;
}

} // namespace rubato::model
