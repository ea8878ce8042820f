// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "frame.hpp"

#include <rubato/distributed/federation.hpp>

namespace rubato::distributed {

/// Who takes part in a run, as all federates know.
struct Roster {
    std::uint64_t session = 0;
    std::vector<Member> members; ///< by rank
    std::string offer;
};

std::string encode(const Member& member);
std::string encode(const Roster& roster);
std::optional<Member> decode_member(BodyReader& reader);
std::optional<Roster> decode_roster(const Frame& frame);

/// A refusal: whom it concerns (0: all), and why.
std::string encode_refusal(std::uint64_t id, std::string_view reason);
struct Refusal {
    std::uint64_t id = 0;
    std::string reason;
};
std::optional<Refusal> decode_refusal(const Frame& frame);

/// This process as a federate.
Member own_member(const FederationSettings& settings, bool is_master);

/// The master's side of forming a federation.
Roster gather_members(Link& link, const FederationSettings& settings,
                      const std::vector<std::string>& all_units, const std::string& offer,
                      RefusalReport& report);
/// The slave's. `own` is this process.
Roster await_roster(Link& link, const FederationSettings& settings, const Member& own);

} // namespace rubato::distributed
