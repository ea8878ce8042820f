// SPDX-License-Identifier: Apache-2.0
#include "channel.hpp"

#include <array>
#include <new>

namespace rubato::unit {

std::string_view to_string(RemoteCall call) {
    static constexpr std::array<std::string_view, remote_call_count> names = {
        "instantiate",
        "enter_initialization",
        "exit_initialization",
        "set",
        "get",
        "set_input_derivatives",
        "directional_derivative",
        "step",
        "save",
        "restore",
        "release",
        "enter_event_mode",
        "update",
        "get_intervals",
        "get_shifts",
        "leave_event_mode",
        "sample",
        "sample_events",
        "terminate",
        "free"};
    return names.at(static_cast<std::size_t>(call));
}

Channel Channel::create() {
    constexpr std::size_t page = 4096;
    Channel channel{SharedMemory::create(sizeof(Control)), SharedMemory::create(page),
                    SharedMemory::create(page)};
    new (channel.control_memory.data()) Control;
    return channel;
}

Channel Channel::attach() {
    const auto memory = [](RemoteDescriptor descriptor) {
        return SharedMemory::attach(static_cast<int>(descriptor));
    };
    return {memory(RemoteDescriptor::control), memory(RemoteDescriptor::requests),
            memory(RemoteDescriptor::responses)};
}

} // namespace rubato::unit
