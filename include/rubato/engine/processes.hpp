// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/diagnostics.hpp>
#include <rubato/core/time.hpp>
#include <rubato/engine/reductions.hpp>
#include <rubato/engine/run_command.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rubato::engine {

/// Messages of fixed sizes between this process and others, sent again and again.
class Messages {
public:
    virtual ~Messages() = default;
    virtual std::span<std::byte> outgoing(std::size_t index) = 0;
    virtual std::span<const std::byte> incoming(std::size_t index) const = 0;
    /// Sends what is in the outgoing messages and waits for the incoming ones. Throws OthersFailed.
    /// Allocates nothing.
    virtual void exchange() = 0;
};

struct MessageSize {
    std::uint32_t process = 0; ///< that it goes to or comes from
    std::size_t bytes = 0;
};

/// What a process spent its time on, outside of its own work [s].
struct ProcessTimes {
    double exchanging = 0; ///< sending and receiving
    double waiting = 0;    ///< for other processes that have not got so far
};

/// Rows that have not reached the first process yet.
class UnsentRows {
public:
    virtual ~UnsentRows() = default;
    virtual std::string_view own() const = 0;
    /// In the first process, after a failure: what each process has, by rank. Records those rows
    /// that all have.
    virtual void record(std::span<const std::string> all) = 0;
};

/// Processes have ended, or cannot be reached any more.
class ProcessesLost : public Error {
public:
    ProcessesLost(const std::string& message, std::vector<std::uint32_t> ranks)
        : Error(message), ranks_(std::move(ranks)) {}
    const std::vector<std::uint32_t>& ranks() const { return ranks_; }

private:
    std::vector<std::uint32_t> ranks_;
};

/// Another process has failed, or cannot be reached. What is to be reported is known to `fail`.
class OthersFailed : public Error {
public:
    using Error::Error;
};

/// The processes of a distributed run. All of them call the same functions in the same order.
/// Whoever waits for a process that has failed gets an OthersFailed.
class Processes : public Reductions {
public:
    virtual std::uint32_t rank() const = 0;
    virtual std::uint32_t count() const = 0;
    /// "rank 1 on node07"
    virtual std::string name_of(std::uint32_t rank) const = 0;

    /// Prepares messages: at most one to and one from each process.
    virtual std::unique_ptr<Messages> open(std::span<const MessageSize> outgoing,
                                           std::span<const MessageSize> incoming) = 0;
    /// Bytes of one process reach all.
    virtual void broadcast(std::uint32_t from, std::span<std::byte> bytes) = 0;
    /// By rank, what each process has given: in the first process only, or in all.
    virtual std::vector<std::string> gather(std::string_view own) = 0;
    virtual std::vector<std::string> gather_everywhere(std::string_view own) = 0;

    /// What the run does next, at which time. A transport with a protocol of its own shows it.
    virtual void announce(RunCommand /*command*/, Time /*time*/) {}

    /// From now on, `fail` has these rows recorded; null: there are none.
    virtual void save_at_failure(UnsentRows* rows) = 0;
    /// After `fail`: whether all processes have come there, so that they can still be reached.
    virtual bool is_complete() const = 0;
    /// Whoever waits gives up soon after this becomes true; null: nobody asks for the end.
    virtual void heed(const std::atomic<bool>* stop) = 0;
    virtual ProcessTimes times() const = 0;
    /// Whether this process tells the user how the run has ended.
    virtual bool reports() const = 0;
    /// This process will not call any more, and will end with this code.
    virtual void end(int exit_code) = 0;
};

} // namespace rubato::engine
