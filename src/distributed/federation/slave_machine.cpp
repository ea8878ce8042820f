// SPDX-License-Identifier: Apache-2.0
#include "slave_machine.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

namespace rubato::distributed {

using engine::run_commands;
using engine::RunCommand;

namespace {

constexpr std::array<std::string_view, run_commands> command_names = {"ADVANCE_TIME",
                                                                      "REWIND",
                                                                      "ABORT_ITERATION",
                                                                      "SHARE_DATA",
                                                                      "SHARE_DATA_NO_DISCRETE",
                                                                      "SHARE_DATA_ONLY_DISCRETE",
                                                                      "SYNCH",
                                                                      "END_ITERATION"};
constexpr std::array<std::string_view, slave_states> state_names = {
    "ready", "advanced", "synchronized", "shared", "locating", "rewound", "aborted", "in event"};

using Cell = std::optional<SlaveState>;
constexpr Cell none = std::nullopt;
constexpr Cell ready = SlaveState::ready, advanced = SlaveState::advanced,
               synchronized = SlaveState::synchronized, shared = SlaveState::shared,
               locating = SlaveState::locating, rewound = SlaveState::rewound,
               aborted = SlaveState::aborted, in_event = SlaveState::in_event;

/// Rows are states, columns are commands. Where nothing stands, the command is out of place:
///
/// - A step is followed by SYNCH: nobody continues before all know how it has ended.
/// - Only steps that have been made are taken back: units of several loops one after the other.
/// - A communication point does not end with units that have been taken back to the start of the
///   step, unless an event there has made the step end where it began.
/// - Values at the start of a step (initialization, guesses of loops) are shared in the states
///   ready, rewound and aborted, and change none of them.
// clang-format off
constexpr std::array<std::array<Cell, run_commands>, slave_states> table = {{
    //                  ADVANCE   REWIND   ABORT    SHARE     NO_DISCRETE ONLY_DISCRETE SYNCH         END
    /* ready        */ {advanced, none,    none,    ready,    ready,      in_event,     none,         ready},
    /* advanced     */ {none,     none,    none,    none,     none,       none,         synchronized, none},
    /* synchronized */ {advanced, rewound, aborted, shared,   locating,   in_event,     none,         ready},
    /* shared       */ {advanced, rewound, aborted, shared,   locating,   in_event,     none,         ready},
    /* locating     */ {advanced, rewound, aborted, shared,   locating,   in_event,     none,         ready},
    /* rewound      */ {advanced, rewound, aborted, rewound,  rewound,    none,         none,         none},
    /* aborted      */ {advanced, none,    aborted, aborted,  aborted,    in_event,     none,         ready},
    /* in event     */ {advanced, none,    none,    in_event, none,       in_event,     none,         ready},
}};
// clang-format on

} // namespace

std::string_view name_of(RunCommand command) {
    return command_names.at(static_cast<std::size_t>(command));
}

std::string_view name_of(SlaveState state) {
    return state_names.at(static_cast<std::size_t>(state));
}

std::optional<SlaveState> SlaveMachine::next(SlaveState state, RunCommand command) {
    return table.at(static_cast<std::size_t>(state)).at(static_cast<std::size_t>(command));
}

void SlaveMachine::obey(const Command& command) {
    const auto to = next(state_, command.command);
    if (!to)
        throw Error(format("the command {} for t = {} s is out of place: the federate is in the "
                           "state \"{}\"",
                           name_of(command.command), shortest(command.time.seconds),
                           name_of(state_)),
                    "all federates of a run need the same program; please report this");
    state_ = *to;
}

} // namespace rubato::distributed
