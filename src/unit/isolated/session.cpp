// SPDX-License-Identifier: Apache-2.0
#include "session.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <array>

namespace rubato::unit {

namespace {

using Clock = std::chrono::steady_clock;

/// How often the process is looked after while its answer is awaited.
constexpr std::chrono::milliseconds slice{10};
/// For what an FMU's library does when its process ends.
constexpr std::chrono::milliseconds patience_at_end{2000};

HelperProcess start(const std::string& name, const Channel& channel,
                    const files::TemporaryFolder& folder) {
    const std::array memories = {channel.control_memory.descriptor(), channel.requests.descriptor(),
                                 channel.responses.descriptor()};
    return HelperProcess(name, memories, folder.path());
}

} // namespace

Session::Session(const std::string& name, std::optional<std::chrono::nanoseconds> time_limit,
                 Log& log)
    : name_(name), time_limit_(time_limit), log_(log), process_(start(name, channel_, folder_)) {}

Session::~Session() {
    if (process_.find_end()) return;
    try {
        drop();
        add(RemoteCall::free);
        exchange();
        process_.end(patience_at_end);
        drain(control().log, log_);
        if (!process_.has_ended_well())
            log_.write(LogLevel::warning, name_,
                       format("its process {} after it was freed", *process_.find_end()));
    } catch (const std::exception& fault) {
        log_.write(LogLevel::warning, name_, format("when it was freed: {}", fault.what()));
    }
}

Writer& Session::add(RemoteCall call) {
    ++calls_;
    last_call_ = call;
    request_.put(call);
    return request_;
}

void Session::drop() {
    calls_ = 0;
    request_.clear();
}

void Session::abandon() {
    drop();
    process_.kill();
}

RemoteCall Session::under_way() const {
    const RemoteCall call = control().under_way.load(std::memory_order_relaxed);
    return static_cast<std::size_t>(call) < remote_call_count ? call
                                                              : last_call_; // it was corrupted
}

void Session::exchange() {
    Control& shared = control();
    if (process_.known_end()) fail_ended();
    shared.request_size = request_.size();
    shared.calls = calls_;
    const std::uint32_t seen = shared.responses.count.load(std::memory_order_relaxed);
    raise(shared.requests);
    await_response(seen);
    drop();
    drain(shared.log, log_);
    read_response();
}

/// The time limit is looked at when a slice is over, not before: most answers come at once.
void Session::await_response(std::uint32_t seen) {
    Control& shared = control();
    std::optional<Clock::time_point> deadline;
    while (!waiter_.wait(shared.responses, seen, slice)) {
        drain(shared.log, log_);
        if (!deadline && time_limit_) deadline = Clock::now() + *time_limit_ - slice;
        if (process_.find_end()) fail_ended();
        if (deadline && Clock::now() >= *deadline) fail_late();
    }
}

void Session::read_response() {
    const Control& shared = control();
    completed_ = shared.completed;
    fault_ = shared.fault;
    response_size_ = 0;
    const std::uint64_t size = shared.response_size;
    if (!channel_.responses.follow(size))
        throw ProcessFault("it has corrupted the memory that it shares with Rubato");
    response_size_ = size;
}

std::string Session::fault_text() const {
    const std::uint64_t at = control().fault_at;
    return std::string(Reader(response().subspan(std::min(at, response_size_))).take_text());
}

void Session::fail_ended() {
    drain(control().log, log_);
    throw ProcessFault(format("its process {}", *process_.find_end()));
}

void Session::fail_late() {
    process_.kill();
    drain(control().log, log_);
    const double seconds = std::chrono::duration<double>(*time_limit_).count();
    throw ProcessFault(
        format("it did not return within the time limit of {} s, and its process was "
               "ended",
               shortest(seconds)),
        "if it does take so long, raise the limit (isolate.time-limit, --time-limit)");
}

} // namespace rubato::unit
