// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "channel.hpp"
#include "helper_process.hpp"

#include <rubato/core/log.hpp>
#include <rubato/files/temporary_folder.hpp>

#include <chrono>
#include <optional>
#include <string>

namespace rubato::unit {

/// The program's side of a channel, and the process at the other side.
class Session {
public:
    /// Starts the process. `time_limit` is for each batch; none: it may take as long as it likes.
    /// Throws Error.
    Session(const std::string& name, std::optional<std::chrono::nanoseconds> time_limit, Log& log);
    /// Frees the unit and lets the process end; what goes wrong then goes to the log.
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Adds a call to the batch; its arguments are to be written.
    Writer& add(RemoteCall call);
    std::uint32_t calls() const { return calls_; } ///< in the batch
    std::size_t size() const { return request_.size(); }

    /// Has the batch made. Allocates nothing. Throws ProcessFault when the process does not answer;
    /// it is then gone, and so is whatever is sent later.
    void exchange();
    /// Forgets the batch.
    void drop();
    /// After a response that makes no sense: the process is not to be trusted any more.
    void abandon();

    // Of the last exchange
    std::uint32_t completed() const { return completed_; }
    Reader results() const { return Reader(response()); }
    RemoteFault fault() const { return fault_; }
    std::string fault_text() const;
    /// What the process is doing, or was doing last.
    RemoteCall under_way() const;
    const SolverStatistics& statistics() const { return control().statistics; }

private:
    Control& control() const { return channel_.control(); }
    std::span<std::byte> response() const { return {channel_.responses.data(), response_size_}; }
    void await_response(std::uint32_t seen);
    void read_response();
    [[noreturn]] void fail_ended();
    [[noreturn]] void fail_late();

    std::string name_;
    std::optional<std::chrono::nanoseconds> time_limit_;
    Log& log_;
    files::TemporaryFolder folder_; ///< of the process; goes after it
    Channel channel_ = Channel::create();
    Writer request_{channel_.requests};
    Waiter waiter_;
    std::uint32_t calls_ = 0;
    RemoteCall last_call_ = RemoteCall::instantiate; ///< of those added
    std::uint32_t completed_ = 0;
    RemoteFault fault_ = RemoteFault::none;
    std::size_t response_size_ = 0;
    HelperProcess process_;
};

} // namespace rubato::unit
