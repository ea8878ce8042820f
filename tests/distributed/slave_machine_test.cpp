// SPDX-License-Identifier: Apache-2.0

/// The state machine of slaves: every command in every state.

#include "federation/slave_machine.hpp"

#include <rubato/core/diagnostics.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace rubato::distributed {
namespace {

using engine::RunCommand;
using enum SlaveState;
using enum RunCommand;

/// By state, the commands that are in place there, with where they lead to. All others are not.
const std::map<SlaveState, std::map<RunCommand, SlaveState>> expected = {
    {ready,
     {{advance_time, advanced},
      {share_data, ready},
      {share_data_no_discrete, ready},
      {share_data_only_discrete, in_event},
      {end_iteration, ready}}},
    {advanced, {{synch, synchronized}}},
    {synchronized,
     {{advance_time, advanced},
      {rewind, rewound},
      {abort_iteration, aborted},
      {share_data, shared},
      {share_data_no_discrete, locating},
      {share_data_only_discrete, in_event},
      {end_iteration, ready}}},
    {shared,
     {{advance_time, advanced},
      {rewind, rewound},
      {abort_iteration, aborted},
      {share_data, shared},
      {share_data_no_discrete, locating},
      {share_data_only_discrete, in_event},
      {end_iteration, ready}}},
    {locating,
     {{advance_time, advanced},
      {rewind, rewound},
      {abort_iteration, aborted},
      {share_data, shared},
      {share_data_no_discrete, locating},
      {share_data_only_discrete, in_event},
      {end_iteration, ready}}},
    {rewound,
     {{advance_time, advanced},
      {rewind, rewound},
      {abort_iteration, aborted},
      {share_data, rewound},
      {share_data_no_discrete, rewound}}},
    {aborted,
     {{advance_time, advanced},
      {abort_iteration, aborted},
      {share_data, aborted},
      {share_data_no_discrete, aborted},
      {share_data_only_discrete, in_event},
      {end_iteration, ready}}},
    {in_event,
     {{advance_time, advanced},
      {share_data, in_event},
      {share_data_only_discrete, in_event},
      {end_iteration, ready}}},
};

/// Commands that lead from `ready` to a state.
const std::map<SlaveState, std::vector<RunCommand>> ways = {
    {ready, {}},
    {advanced, {advance_time}},
    {synchronized, {advance_time, synch}},
    {shared, {advance_time, synch, share_data}},
    {locating, {advance_time, synch, share_data_no_discrete}},
    {rewound, {advance_time, synch, rewind}},
    {aborted, {advance_time, synch, abort_iteration}},
    {in_event, {share_data_only_discrete}},
};

SlaveMachine machine_in(SlaveState state) {
    SlaveMachine machine;
    for (const RunCommand command : ways.at(state)) machine.obey({command, Time{0.5}});
    return machine;
}

class EveryState : public ::testing::TestWithParam<int> {};

TEST_P(EveryState, ObeysTheCommandsInPlaceAndRefusesAllOthers) {
    const auto state = static_cast<SlaveState>(GetParam());
    ASSERT_EQ(machine_in(state).state(), state);
    int refused = 0;
    for (int which = 0; which < engine::run_commands; ++which) {
        const auto command = static_cast<RunCommand>(which);
        SlaveMachine machine = machine_in(state);
        const auto& in_place = expected.at(state);
        if (const auto found = in_place.find(command); found != in_place.end()) {
            machine.obey({command, Time{0.5}});
            EXPECT_EQ(machine.state(), found->second) << name_of(command);
            continue;
        }
        ++refused;
        EXPECT_THROW(machine.obey({command, Time{0.5}}), Error) << name_of(command);
        EXPECT_EQ(machine.state(), state) << name_of(command);
    }
    EXPECT_EQ(refused, engine::run_commands - static_cast<int>(expected.at(state).size()));
}

INSTANTIATE_TEST_SUITE_P(SlaveMachine, EveryState, ::testing::Range(0, int{slave_states}),
                         [](const auto& each) {
                             std::string name(name_of(static_cast<SlaveState>(each.param)));
                             std::ranges::replace(name, ' ', '_');
                             return name;
                         });

TEST(SlaveMachine, NamesCommandTimeAndStateWhereACommandIsOutOfPlace) {
    SlaveMachine machine = machine_in(advanced);
    try {
        machine.obey({rewind, Time{0.25}});
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("the command REWIND for t = 0.25 s is out "
                                                       "of place: the federate is in the state "
                                                       "\"advanced\""));
    }
}

} // namespace
} // namespace rubato::distributed
