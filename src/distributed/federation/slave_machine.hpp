// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/time.hpp>
#include <rubato/engine/run_command.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace rubato::distributed {

/// Where a slave is in a communication step.
enum class SlaveState : std::uint8_t {
    ready,        ///< at a communication point
    advanced,     ///< units have made a step
    synchronized, ///< all federates know how the step has ended
    shared,       ///< outputs at the end of the step have been shared
    locating,     ///< the same, while an event is being located
    rewound,      ///< units are back at the start of the step, inputs are not
    aborted,      ///< units and inputs are
    in_event,     ///< an event is being handled at a communication point
};
constexpr std::uint8_t slave_states = 8;

/// A command of the master, with the time that it is about.
struct Command {
    engine::RunCommand command = engine::RunCommand::synch;
    Time time;
    friend bool operator==(const Command&, const Command&) = default;
};

/// "ADVANCE_TIME"
std::string_view name_of(engine::RunCommand command);
std::string_view name_of(SlaveState state);

/// The state machine of slaves (Awais, Gawlik, De-Cillia and Palensky 2015, section 3.2) as a table.
class SlaveMachine {
public:
    /// Where a command leads to from a state; nullopt: it is out of place there.
    static std::optional<SlaveState> next(SlaveState state, engine::RunCommand command);

    SlaveState state() const { return state_; }
    /// Obeys a command of the master. Error: it is out of place.
    void obey(const Command& command);

private:
    SlaveState state_ = SlaveState::ready;
};

} // namespace rubato::distributed
