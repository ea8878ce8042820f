// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/algorithm/algorithm.hpp>
#include <rubato/scenario/system.hpp>

#include <algorithm>
#include <set>
#include <span>
#include <utility>

/// Ways through the operations of an algorithm.
namespace rubato::engine {

using algorithm::Body;
using algorithm::Op;

inline bool is_compound(const Op& op) {
    return std::holds_alternative<algorithm::FixedPoint>(op) ||
           std::holds_alternative<algorithm::Negotiate>(op) ||
           std::holds_alternative<algorithm::Parallel>(op);
}

/// Calls `use` with each maximal run of operations of one kind; loops come alone.
template <class Use>
void for_each_run(const Body& body, Use&& use) {
    for (auto first = body.begin(); first != body.end();) {
        const auto differs = [&](const Op& op) { return op.index() != first->index(); };
        auto last = std::find_if(first, body.end(), differs);
        if (is_compound(*first)) last = first + 1;
        use(std::span<const Op>(first, last));
        first = last;
    }
}

/// Calls `use` with each body inside a loop or a parallel section.
template <class Use>
void for_each_inner_body(const Op& op, Use&& use) {
    if (const auto* loop = std::get_if<algorithm::FixedPoint>(&op)) {
        use(loop->iterate);
        use(loop->retry);
    } else if (const auto* negotiation = std::get_if<algorithm::Negotiate>(&op)) {
        use(negotiation->iterate);
        use(negotiation->retry);
    } else if (const auto* section = std::get_if<algorithm::Parallel>(&op)) {
        for (const Body& branch : section->bodies) use(branch);
    }
}

/// Outputs that are got tentatively, in the body or in bodies within it.
inline void collect_tentative_gets(const Body& body, std::set<PortId>& ports) {
    for (const Op& op : body) {
        const auto* get = std::get_if<algorithm::Get>(&op);
        if (get && get->tentative) ports.insert(get->port);
        for_each_inner_body(op, [&](const Body& inner) { collect_tentative_gets(inner, ports); });
    }
}

/// An output and whether its tentative value is meant.
using OutputValue = std::pair<PortId, bool>;

/// Outputs whose values sets use before the body has got them anew: what it starts from. `source`
/// is the link to each input; null: none.
inline void collect_guessed(const Body& body, std::span<const scenario::Link* const> source,
                            std::set<PortId>& guessed, std::set<OutputValue>& got) {
    for (const Op& op : body) {
        if (const auto* set = std::get_if<algorithm::Set>(&op)) {
            const scenario::Link* const link = source[set->port.value];
            if (link && !got.contains({link->from, set->tentative})) guessed.insert(link->from);
        } else if (const auto* get = std::get_if<algorithm::Get>(&op)) {
            got.insert({get->port, get->tentative});
        }
        for_each_inner_body(
            op, [&](const Body& inner) { collect_guessed(inner, source, guessed, got); });
    }
}

} // namespace rubato::engine
