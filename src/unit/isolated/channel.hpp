// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "log_ring.hpp"
#include "packing.hpp"
#include "shared_memory.hpp"
#include "signal.hpp"

#include <rubato/unit/unit.hpp>

#include <string_view>

/// How a program and the process of an isolated unit talk. The program writes a batch of calls and
/// raises `requests`; the process makes them one after the other, writes what they give and raises
/// `responses`. A batch ends early at a call that fails, and after a step that falls short.
namespace rubato::unit {

/// To be changed with anything that both sides must agree on.
constexpr std::uint32_t protocol_version = 4;

enum class RemoteCall : std::uint32_t {
    instantiate,
    enter_initialization,
    exit_initialization,
    set,
    get,
    set_input_derivatives,
    directional_derivative,
    step,
    save,
    restore,
    release,
    enter_event_mode,
    update,
    get_intervals,
    get_shifts,
    leave_event_mode,
    sample,
    sample_events,
    terminate,
    free,
};
constexpr std::size_t remote_call_count = 20;
/// As messages have it: "step"
std::string_view to_string(RemoteCall call);

/// What the call that ended a batch has thrown; `exception`: one that an FMU let out.
enum class RemoteFault : std::uint32_t { none, input_error, error, bug, exception };

/// What a unit can do, sent once it is made.
struct RemoteAbilities {
    bool snapshots = false;
    bool input_derivatives = false;
    bool solver_statistics = false;
    bool event_mode = false;
    bool intermediate_outputs = false;
    bool provides_events = false; ///< in them
    bool directional_derivatives = false;
    unsigned max_order = 0; ///< of input derivatives
};

/// The memory that both sides look at all the time.
struct Control {
    std::uint32_t protocol = protocol_version;
    Signal requests, responses;

    // Of a request
    std::uint64_t request_size = 0;
    std::uint32_t calls = 0;

    // Of a response
    std::uint64_t response_size = 0;
    std::uint32_t completed = 0; ///< calls that have given what they give
    RemoteFault fault = RemoteFault::none;
    std::uint64_t fault_at = 0; ///< where in the response its text is
    SolverStatistics statistics;

    std::atomic<RemoteCall> under_way{RemoteCall::instantiate}; ///< what is being done or was last
    LogRing log;
};

/// The descriptors of the process: those of the memories, and the end of a pipe that is closed when
/// the program has ended.
enum class RemoteDescriptor : int { control = 3, requests, responses, lifeline };
constexpr int remote_descriptor_count = 4;

/// The three memories of a channel.
struct Channel {
    static Channel create();
    /// In the process.
    static Channel attach();

    Control& control() const { return *reinterpret_cast<Control*>(control_memory.data()); }

    SharedMemory control_memory, requests, responses;
};

} // namespace rubato::unit
