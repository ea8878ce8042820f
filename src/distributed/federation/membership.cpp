// SPDX-License-Identifier: Apache-2.0
#include "membership.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>

namespace rubato::distributed {

namespace {

using Clock = std::chrono::steady_clock;
constexpr double slice = 0.05; // of waiting [s]
constexpr std::chrono::milliseconds hello_interval{500};

std::string own_host() {
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0) return "this host";
    return name.data();
}

/// Of this process, or of a run: never 0.
std::uint64_t random_number() {
    std::random_device source;
    return (std::uint64_t{source()} << 32 | source()) | 1;
}

void send(Link& link, FrameKind kind, std::string body) {
    const std::string bytes = encode(Frame{.kind = kind, .commands = {}, .body = std::move(body)});
    link.send(bytes.data(), bytes.size());
}

void throw_if_stopped(const FederationSettings& settings) {
    if (settings.stop && settings.stop->load(std::memory_order_relaxed))
        throw Error("interrupted while it waited for other federates");
}

std::string seconds_text(std::chrono::milliseconds limit) {
    return shortest(std::chrono::duration<double>(limit).count()) + " s";
}

/// Claims of units, as they come. Those of the master are the first.
class Claims {
public:
    Claims(const std::vector<std::string>& all, const Member& master) : all_(all) {
        if (const auto problem = problem_with(master)) throw InputError(*problem);
        members_.push_back(master);
    }

    /// Why not; nullopt: it is a member now.
    std::optional<std::string> add(const Member& member) {
        for (const Member& other : members_)
            if (other.id == member.id) return std::nullopt; // it repeats its claim
        if (member.units.empty()) return "it claims no unit";
        if (auto problem = problem_with(member)) return problem;
        members_.push_back(member);
        return std::nullopt;
    }

    std::vector<std::string> missing() const {
        std::vector<std::string> units;
        for (const std::string& unit : all_)
            if (!owner_of(unit)) units.push_back(unit);
        return units;
    }

    /// The master first, the others by name: the ranks of a run do not depend on who came first.
    std::vector<Member> take() {
        std::sort(members_.begin() + 1, members_.end(),
                  [](const Member& a, const Member& b) { return a.name < b.name; });
        return std::move(members_);
    }

private:
    const Member* owner_of(const std::string& unit) const {
        for (const Member& member : members_)
            if (std::ranges::count(member.units, unit) > 0) return &member;
        return nullptr;
    }
    std::optional<std::string> problem_with(const Member& member) const {
        std::set<std::string> seen;
        for (const std::string& unit : member.units) {
            if (std::ranges::count(all_, unit) == 0)
                return format("the scenario has no unit \"{}\"\n  {}", unit,
                              suggest(unit, all_, "its units"));
            if (!seen.insert(unit).second) return format("unit \"{}\" is claimed twice", unit);
            if (const Member* const owner = owner_of(unit))
                return format("unit \"{}\" is claimed by federate \"{}\" on {} already", unit,
                              owner->name, owner->host);
        }
        return std::nullopt;
    }

    const std::vector<std::string>& all_;
    std::vector<Member> members_;
};

} // namespace

std::string encode(const Member& member) {
    BodyWriter writer;
    writer.put(member.id);
    writer.put(std::string_view(member.name));
    writer.put(std::string_view(member.host));
    writer.put(member.units);
    return writer.take();
}

std::optional<Member> decode_member(BodyReader& reader) {
    const auto id = reader.number();
    auto name = reader.text();
    auto host = reader.text();
    auto units = reader.texts();
    if (!id || !name || !host || !units) return std::nullopt;
    return Member{*id, std::move(*name), std::move(*host), std::move(*units)};
}

std::string encode(const Roster& roster) {
    BodyWriter writer;
    writer.put(roster.session);
    writer.put(std::string_view(roster.offer));
    writer.put(std::uint64_t{roster.members.size()});
    std::string body = writer.take();
    for (const Member& member : roster.members) body += encode(member);
    return body;
}

std::optional<Roster> decode_roster(const Frame& frame) {
    BodyReader reader(frame.body);
    const auto session = reader.number();
    auto offer = reader.text();
    const auto count = reader.number();
    if (!session || !offer || !count) return std::nullopt;
    Roster roster{*session, {}, std::move(*offer)};
    for (std::uint64_t i = 0; i < *count; ++i) {
        auto member = decode_member(reader);
        if (!member) return std::nullopt;
        roster.members.push_back(std::move(*member));
    }
    return roster;
}

std::string encode_refusal(std::uint64_t id, std::string_view reason) {
    BodyWriter writer;
    writer.put(id);
    writer.put(reason);
    return writer.take();
}

std::optional<Refusal> decode_refusal(const Frame& frame) {
    BodyReader reader(frame.body);
    const auto id = reader.number();
    auto reason = reader.text();
    if (!id || !reason) return std::nullopt;
    return Refusal{*id, std::move(*reason)};
}

std::string federate_name(const FederationSettings& settings, bool is_master) {
    return is_master ? "master" : format("{}", fmt::join(settings.units, "+"));
}

Member own_member(const FederationSettings& settings, bool is_master) {
    return {random_number(), federate_name(settings, is_master), own_host(), settings.units};
}

// -- the master -----------------------------------------------------------------------------------

namespace {

void answer(Link& link, Claims& claims, const Frame& frame, RefusalReport& report) {
    if (frame.kind != FrameKind::hello) return;
    BodyReader reader(frame.body);
    const auto member = decode_member(reader);
    if (!member) return;
    const auto problem = claims.add(*member);
    if (!problem) return;
    send(link, FrameKind::refusal, encode_refusal(member->id, *problem));
    report.refused(
        format("federate \"{}\" on {} is refused: {}", member->name, member->host, *problem));
}

[[noreturn]] void give_up(Link& link, const FederationSettings& settings,
                          const std::vector<std::string>& missing) {
    const std::string reason =
        format("no federate has claimed {} {} within {}", missing.size() > 1 ? "units" : "unit",
               fmt::join(missing, ", "), seconds_text(settings.time_limit));
    send(link, FrameKind::refusal, encode_refusal(0, "the master has given up: " + reason));
    throw Error(format("federation \"{}\": {}", settings.federation, reason),
                format("start the others with: rubato federate SCENARIO --federation {} --units {}",
                       settings.federation, fmt::join(missing, ",")));
}

} // namespace

Roster gather_members(Link& link, const FederationSettings& settings,
                      const std::vector<std::string>& all_units, const std::string& offer,
                      RefusalReport& report) {
    constexpr bool is_master = true;
    Claims claims(all_units, own_member(settings, is_master));
    const auto deadline = Clock::now() + settings.time_limit;
    while (!claims.missing().empty()) {
        throw_if_stopped(settings);
        if (Clock::now() > deadline) give_up(link, settings, claims.missing());
        link.wait(slice);
        std::string bytes;
        while (link.take(bytes))
            if (const auto frame = decode(bytes)) answer(link, claims, *frame, report);
    }
    Roster roster{random_number(), claims.take(), offer};
    send(link, FrameKind::roster, encode(roster));
    return roster;
}

// -- slaves ---------------------------------------------------------------------------------------

namespace {

/// The roster, if the frame is one.
std::optional<Roster> heard(const Frame& frame, const FederationSettings& settings,
                            const Member& own) {
    if (frame.kind == FrameKind::refusal) {
        const auto refusal = decode_refusal(frame);
        if (refusal && (refusal->id == own.id || refusal->id == 0))
            throw Error(format("federation \"{}\": {}", settings.federation, refusal->reason));
    }
    if (frame.kind != FrameKind::roster) return std::nullopt;
    auto roster = decode_roster(frame);
    const auto is_own = [&](const Member& member) { return member.id == own.id; };
    if (roster && std::ranges::none_of(roster->members, is_own)) return std::nullopt;
    return roster;
}

} // namespace

Roster await_roster(Link& link, const FederationSettings& settings, const Member& own) {
    const auto deadline = Clock::now() + settings.time_limit;
    auto next_hello = Clock::now();
    while (Clock::now() < deadline) {
        throw_if_stopped(settings);
        if (Clock::now() >= next_hello) {
            send(link, FrameKind::hello, encode(own));
            next_hello = Clock::now() + hello_interval;
        }
        link.wait(slice);
        std::string bytes;
        while (link.take(bytes)) {
            const auto frame = decode(bytes);
            if (!frame) continue;
            if (auto roster = heard(*frame, settings, own)) return std::move(*roster);
        }
    }
    throw Error(
        format("federation \"{}\": the run has not begun within {}", settings.federation,
               seconds_text(settings.time_limit)),
        format("start the master: rubato run SCENARIO --hla --federation {}", settings.federation));
}

} // namespace rubato::distributed
