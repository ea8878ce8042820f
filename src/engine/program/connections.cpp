// SPDX-License-Identifier: Apache-2.0
#include "connections.hpp"

#include "runs.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

namespace rubato::engine {

namespace {

using scenario::Configuration;
using scenario::Link;

bool are_same(std::vector<Link> a, std::vector<Link> b) {
    const auto by_input = [](const Link& one, const Link& other) { return one.to < other.to; };
    std::ranges::sort(a, by_input);
    std::ranges::sort(b, by_input);
    return std::ranges::equal(a, b, [](const Link& one, const Link& other) {
        return std::tie(one.from, one.to, one.factor, one.offset, one.to_type, one.threshold) ==
               std::tie(other.from, other.to, other.factor, other.offset, other.to_type,
                        other.threshold);
    });
}

bool are_same(const std::vector<scenario::ClockLink>& a,
              const std::vector<scenario::ClockLink>& b) {
    const auto ends = [](const scenario::ClockLink& link) {
        return std::tie(link.from.unit, link.from.variable, link.to.unit, link.to.variable);
    };
    return std::ranges::equal(
        a, b, [&](const auto& one, const auto& other) { return ends(one) == ends(other); });
}

std::optional<algorithm::Convergence> find_loop_end(const Body& body) {
    for (const Op& op : body) {
        if (const auto* loop = std::get_if<algorithm::FixedPoint>(&op)) return loop->until;
        std::optional<algorithm::Convergence> found;
        for_each_inner_body(op, [&](const Body& inner) {
            if (!found) found = find_loop_end(inner);
        });
        if (found) return found;
    }
    return std::nullopt;
}

} // namespace

std::size_t first_with_connections_of(const scenario::System& system, std::size_t n) {
    const Configuration& wanted = system.configurations[n];
    const auto is_alike = [&](const Configuration& other) {
        return are_same(other.links, wanted.links) &&
               are_same(other.event_links, wanted.event_links) &&
               are_same(other.clock_links, wanted.clock_links);
    };
    return static_cast<std::size_t>(std::ranges::find_if(system.configurations, is_alike) -
                                    system.configurations.begin());
}

algorithm::Convergence loop_end_of(const algorithm::Algorithm& algorithm) {
    auto until = find_loop_end(algorithm.initialization);
    for (const algorithm::Procedure& procedure : algorithm.steps)
        if (!until) until = find_loop_end(procedure.body);
    algorithm::Convergence result = until.value_or(algorithm::Convergence{});
    result.iterations.reset(); // these are of steps
    return result;
}

} // namespace rubato::engine
