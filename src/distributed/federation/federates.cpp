// SPDX-License-Identifier: Apache-2.0
#include "federates.hpp"

#include "messages.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace rubato::distributed {

using engine::OthersFailed;
using engine::RunCommand;

namespace {

constexpr double wait_seconds = 0.05; // of waiting [s]
/// How long a federate that waits continues after the user has asked for the end.
constexpr std::chrono::milliseconds patience_when_stopped{300};

double seconds(std::chrono::steady_clock::duration span) {
    return std::chrono::duration<double>(span).count();
}

std::uint32_t rank_in(const Roster& roster, std::uint64_t id) {
    const auto found = std::ranges::find(roster.members, id, &Member::id);
    return static_cast<std::uint32_t>(found - roster.members.begin());
}

} // namespace

Federates::Federates(std::unique_ptr<Link> link, Roster roster, std::uint64_t own_id,
                     const FederationSettings& settings)
    : link_(std::move(link)), roster_(std::move(roster)), time_limit_(settings.time_limit),
      rank_(rank_in(roster_, own_id)), queues_(count()), heard_(count(), Clock::now()),
      endings_(count()) {
    constexpr std::chrono::milliseconds longest{1000};
    constexpr int beats_per_limit = 5;
    heartbeat_.emplace(*link_,
                       encode(Frame{.kind = FrameKind::alive,
                                    .session = roster_.session,
                                    .from = rank_,
                                    .commands = {},
                                    .body = {}}),
                       std::min(longest, silence_limit() / beats_per_limit));
}

Federates::~Federates() { end(0); }

void Federates::end(int /*exit_code*/) {
    heartbeat_.reset();
    try {
        link_->leave();
    } catch (const LinkError&) { // NOLINT(bugprone-empty-catch): the RTI is gone, too
    }
}

std::string Federates::name_of(std::uint32_t rank) const {
    const Member& member = roster_.members.at(rank);
    return format("federate \"{}\" on {}", member.name, member.host);
}

std::unique_ptr<engine::Messages> Federates::open(std::span<const engine::MessageSize> outgoing,
                                                  std::span<const engine::MessageSize> incoming) {
    return std::make_unique<FederateMessages>(*this, opened_++, outgoing, incoming);
}

// -- frames ---------------------------------------------------------------------------------------

template <class Use>
void Federates::with_link(Use&& use) {
    if (!heartbeat_) throw Error(format("{} has left the federation", name_of(rank_)));
    try {
        const auto lock = heartbeat_->lock();
        use(*link_);
    } catch (const LinkError& fault) {
        is_link_lost_ = true;
        throw Error(format("{}: {}", name_of(rank_), fault.what()),
                    "check that the run-time infrastructure (RTI) still runs");
    }
}

void Federates::send(FrameKind kind, std::uint32_t number, std::string body) {
    if (count() == 1) return unsent_.clear();
    const auto begin = Clock::now();
    Frame frame{kind, roster_.session, rank_, number, {}, std::move(body)};
    frame.commands.swap(unsent_);
    const std::string bytes = encode(frame);
    with_link([&](Link& link) { link.send(bytes.data(), bytes.size()); });
    times_.exchanging += seconds(Clock::now() - begin);
}

void Federates::pump() {
    std::vector<std::string> come;
    with_link([&](Link& link) {
        heartbeat_->beat();
        link.wait(wait_seconds);
        std::string bytes;
        while (link.take(bytes)) come.push_back(std::move(bytes));
    });
    for (const std::string& bytes : come)
        if (auto frame = decode(bytes)) take_frame(std::move(*frame));
}

void Federates::take_frame(Frame frame) {
    if (frame.kind == FrameKind::hello) return refuse_late(frame);
    if (frame.session != roster_.session || frame.from >= count() || frame.from == rank_) return;
    heard_[frame.from] = Clock::now();
    if (frame.from == 0) obey(frame.commands);
    switch (frame.kind) {
    case FrameKind::ending: return take_ending(frame);
    case FrameKind::verdict: return take_verdict(frame);
    case FrameKind::exchange:
    case FrameKind::collective:
        if (is_for_me(frame)) queues_[frame.from].push_back(std::move(frame));
        return;
    default: return;
    }
}

void Federates::refuse_late(const Frame& hello) {
    if (rank_ != 0) return;
    BodyReader reader(hello.body);
    const auto member = decode_member(reader);
    if (!member || std::ranges::count(roster_.members, member->id, &Member::id) > 0) return;
    const std::string bytes = encode(
        Frame{.kind = FrameKind::refusal,
              .commands = {},
              .body = encode_refusal(member->id, "the run has begun without this federate")});
    with_link([&](Link& link) { link.send(bytes.data(), bytes.size()); });
}

bool Federates::is_for_me(const Frame& frame) const {
    BodyReader reader(frame.body);
    if (frame.kind == FrameKind::exchange)
        return FederateMessages::part_for(rank_, frame).has_value();
    const auto to = reader.number();
    return to && (*to == rank_ || *to == everybody);
}

template <class Condition>
void Federates::wait_until(Condition&& is_true) {
    if (is_true()) return;
    const auto begin = Clock::now();
    while (!is_true()) {
        pump();
        if (!is_true()) look_for_failures(begin);
    }
    times_.waiting += seconds(Clock::now() - begin);
}

void Federates::look_for_failures(Clock::time_point since) const {
    for (std::uint32_t rank = 0; rank < count(); ++rank) {
        if (rank == rank_) continue;
        if (endings_[rank]) throw OthersFailed("another federate has failed");
        if (is_silent(rank)) throw OthersFailed(name_of(rank) + " does not answer any more");
    }
    const bool stops = stop_ && stop_->load(std::memory_order_relaxed);
    if (stops && Clock::now() - since > patience_when_stopped)
        throw OthersFailed("interrupted while it waited for another federate");
}

Frame Federates::receive(std::uint32_t from, FrameKind kind, std::uint32_t number) {
    auto& queue = queues_[from];
    wait_until([&] { return !queue.empty(); });
    Frame frame = std::move(queue.front());
    queue.pop_front();
    if (frame.kind != kind || frame.number != number)
        throw Error(format("{} and {} have diverged: they exchange different values", name_of(from),
                           name_of(rank_)),
                    "all federates need the same program, libraries and kind of processor");
    return frame;
}

// -- collective calls -----------------------------------------------------------------------------

void Federates::send_collective(std::uint32_t to, std::string_view bytes) {
    BodyWriter writer;
    writer.put(std::uint64_t{to});
    writer.put(bytes);
    send(FrameKind::collective, collectives_, writer.take());
}

std::string Federates::receive_collective(std::uint32_t from) {
    const Frame frame = receive(from, FrameKind::collective, collectives_);
    BodyReader reader(frame.body);
    (void)reader.number();
    auto bytes = reader.text();
    if (!bytes) throw Error(format("{} has sent a damaged frame", name_of(from)));
    return std::move(*bytes);
}

std::vector<std::string> Federates::collect(std::string_view own) {
    std::vector<std::string> all(count());
    all[rank_] = own;
    for (std::uint32_t rank = 0; rank < count(); ++rank)
        if (rank != rank_) all[rank] = receive_collective(rank);
    return all;
}

void Federates::broadcast(std::uint32_t from, std::span<std::byte> bytes) {
    if (bytes.empty()) return;
    if (from == rank_) {
        send_collective(everybody, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    } else {
        const std::string given = receive_collective(from);
        if (given.size() != bytes.size())
            throw Error(format("{} has sent {} bytes instead of {}", name_of(from), given.size(),
                               bytes.size()));
        std::memcpy(bytes.data(), given.data(), bytes.size());
    }
    ++collectives_;
}

std::vector<std::string> Federates::gather(std::string_view own) {
    std::vector<std::string> all;
    if (rank_ == 0)
        all = collect(own);
    else
        send_collective(0, own);
    ++collectives_;
    return all;
}

std::vector<std::string> Federates::gather_everywhere(std::string_view own) {
    send_collective(everybody, own);
    std::vector<std::string> all = collect(own);
    ++collectives_;
    return all;
}

void Federates::take_largest(std::span<double> numbers) {
    const std::string own(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
    std::vector<double> others(numbers.size());
    for (const std::string& given : gather_everywhere(own)) {
        if (given.size() != numbers.size_bytes())
            throw Error("federates have diverged: they decide different things");
        std::memcpy(others.data(), given.data(), given.size());
        for (std::size_t i = 0; i < others.size(); ++i)
            if (std::isnan(others[i]) || others[i] > numbers[i]) numbers[i] = others[i];
    }
}

// -- commands and time ----------------------------------------------------------------------------

void Federates::announce(RunCommand command, Time time) {
    if (failure_) return;
    const Command next{command, time};
    if (rank_ == 0) {
        machine_.obey(next);
        if (count() > 1) unsent_.push_back(next);
    } else {
        own_.push_back(next);
        compare_commands();
    }
    if (command == RunCommand::share_data_only_discrete)
        advance_time(time.seconds, Advance::available);
    if (command != RunCommand::end_iteration) return;
    advance_time(time.seconds, Advance::complete);
    if (exchanges_attributes_) collect_updates();
}

void Federates::obey(std::span<const Command> commands) {
    for (const Command& command : commands) {
        machine_.obey(command);
        from_master_.push_back(command);
    }
    compare_commands();
}

void Federates::compare_commands() {
    while (!own_.empty() && !from_master_.empty()) {
        const Command own = own_.front(), masters = from_master_.front();
        own_.pop_front();
        from_master_.pop_front();
        if (own == masters) continue;
        throw Error(format("{} has diverged from the master, which commands {} for t = {} s "
                           "where it does {} for t = {} s",
                           name_of(rank_), distributed::name_of(masters.command),
                           shortest(masters.time.seconds), distributed::name_of(own.command),
                           shortest(own.time.seconds)),
                    "all federates need the same program, libraries and kind of processor");
    }
}

// -- attributes of other tools --------------------------------------------------------------------

void Federates::meet_all() {
    std::array<double, 1> nothing = {0};
    take_largest(nothing);
}

/// Others wait for instances of ours before they send: nothing of theirs is missed if all federates
/// have subscribed before one of them registers an instance.
void Federates::exchange_attributes(const std::vector<LinkAttribute>& published,
                                    const std::vector<LinkAttribute>& subscribed) {
    exchanges_attributes_ = true;
    with_link([&](Link& link) { link.subscribe(subscribed); });
    meet_all();
    with_link([&](Link& link) { link.publish(published); });
    const auto deadline = Clock::now() + time_limit_;
    std::string missing;
    wait_until([&] {
        with_link([&](Link& link) { missing = link.missing_instance(); });
        return missing.empty() || Clock::now() > deadline;
    });
    if (!missing.empty())
        throw Error(format("no federate has registered the object instance \"{}\" within {} s",
                           missing, shortest(seconds(time_limit_))),
                    "start the federate that publishes it; --time-limit changes how long to wait");
    meet_all();
}

void Federates::update(Time time, const std::vector<LinkValue>& values) {
    if (values.empty()) return;
    with_link([&](Link& link) { link.update(time.seconds, values); });
}

void Federates::collect_updates() {
    with_link([&](Link& link) {
        LinkUpdate update;
        while (link.take_update(update)) updates_.push_back(std::move(update));
    });
}

/// Logical time does not go back: where a run starts over, it stays until the run has caught up.
void Federates::advance_time(double time, Advance how) {
    const bool is_there = time == granted_ && granted_how_ &&
                          (*granted_how_ == Advance::complete || *granted_how_ == how);
    if (time < granted_ || is_there) return;
    with_link([&](Link& link) { link.request(time, how); });
    wait_until([&] { return !link_->is_advancing(); });
    granted_ = time;
    granted_how_ = how;
}

} // namespace rubato::distributed
