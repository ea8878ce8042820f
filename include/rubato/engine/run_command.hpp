// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace rubato::engine {

/// What a distributed run does next with the units of all processes (Awais, Gawlik, De-Cillia and
/// Palensky 2015, section 3.4).
enum class RunCommand : std::uint8_t {
    advance_time,             ///< units make a step to a time
    rewind,                   ///< units go back; inputs keep the values of the iteration
    abort_iteration,          ///< units and inputs go back to the last communication point
    share_data,               ///< outputs reach the inputs that they are connected to
    share_data_no_discrete,   ///< the same, while an event is being located
    share_data_only_discrete, ///< the same, at an event
    synch,                    ///< all learn how the steps have ended
    end_iteration,            ///< the communication point is final
};
constexpr std::uint8_t run_commands = 8;

} // namespace rubato::engine
