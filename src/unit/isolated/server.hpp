// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "channel.hpp"
#include "values.hpp"

#include <rubato/unit/library.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace rubato::unit {

/// The other side of an IsolatedUnit: holds the unit and makes the calls that come in batches.
class Server {
public:
    explicit Server(Channel channel);

    /// Until the unit is freed.
    void run();

private:
    using Handler = void (Server::*)(Reader& arguments);

    void answer();
    bool make_call(Reader& arguments);
    void put_samples();
    void note_fault(RemoteFault kind, std::string_view text);
    void respond(std::uint32_t completed);

    void instantiate(Reader& arguments);
    void enter_initialization(Reader& arguments);
    void exit_initialization(Reader& arguments);
    void set(Reader& arguments);
    void get(Reader& arguments);
    void set_input_derivatives(Reader& arguments);
    void directional_derivative(Reader& arguments);
    void step(Reader& arguments);
    void save(Reader& arguments);
    void restore(Reader& arguments);
    void release(Reader& arguments);
    void enter_event_mode(Reader& arguments);
    void update(Reader& arguments);
    void get_intervals(Reader& arguments);
    void get_shifts(Reader& arguments);
    void leave_event_mode(Reader& arguments);
    void sample(Reader& arguments);
    void sample_events(Reader& arguments);
    void terminate(Reader& arguments);
    void free(Reader& arguments);
    static const Handler handlers[remote_call_count]; ///< by RemoteCall

    Channel channel_;
    Control& control_;
    Writer response_;
    Waiter waiter_;
    RingLog log_;
    Texts texts_;
    std::vector<double> sensitivity_; ///< directional derivatives, on their way
    std::size_t result_at_ = 0;       ///< in the response, of the call under way
    bool falls_short_ = false;        ///< the last call was a step that did
    bool samples_steps_ = false;      ///< steps give samples, too
    bool is_freed_ = false;
    std::optional<Library> library_;
    std::unique_ptr<Unit> unit_;
};

} // namespace rubato::unit
