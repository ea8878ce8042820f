// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/algorithm/algorithm.hpp>
#include <rubato/algorithm/traversal.hpp>
#include <rubato/scenario/system.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

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

/// Operations of one kind by unit, type and whether they are tentative, in the order of the run.
template <class Kind>
std::vector<std::vector<Kind>> grouped(std::span<const Op> run, const scenario::System& system) {
    std::vector<std::vector<Kind>> groups;
    std::map<std::tuple<UnitId, ValueType, bool>, std::size_t> index;
    for (const Op& op : run) {
        const Kind& operation = std::get<Kind>(op);
        const scenario::Port& port = system.port(operation.port);
        const auto [found, is_new] =
            index.try_emplace({port.unit, port.type, operation.tentative}, groups.size());
        if (is_new) groups.emplace_back();
        groups[found->second].push_back(operation);
    }
    return groups;
}

/// Outputs that are got tentatively, in the body or in bodies within it.
inline void collect_tentative_gets(const Body& body, std::set<PortId>& ports) {
    for (const Op& op : body) {
        const auto* get = std::get_if<algorithm::Get>(&op);
        if (get && get->tentative) ports.insert(get->port);
        algorithm::for_each_body(op,
                                 [&](const Body& inner) { collect_tentative_gets(inner, ports); });
    }
}

/// An output and whether its tentative value is meant.
using OutputValue = std::pair<PortId, bool>;

/// Links whose values sets use before the body has got them anew: what it starts from. `source`
/// is the link to each input; null: none.
inline void collect_guessed(const Body& body, std::span<const scenario::Link* const> source,
                            std::vector<const scenario::Link*>& guessed,
                            std::set<OutputValue>& got) {
    for (const Op& op : body) {
        if (const auto* set = std::get_if<algorithm::Set>(&op)) {
            const scenario::Link* const link = source[set->port.value];
            if (link && !got.contains({link->from, set->tentative})) guessed.push_back(link);
        } else if (const auto* get = std::get_if<algorithm::Get>(&op)) {
            got.insert({get->port, get->tentative});
        }
        algorithm::for_each_body(
            op, [&](const Body& inner) { collect_guessed(inner, source, guessed, got); });
    }
}

/// Gets of all outputs that loops of a body compare: what they start from, where nothing has been
/// read yet.
inline Body loop_gets_of(const Body& body) {
    Body gets;
    for (const Op& op : body)
        if (const auto* loop = std::get_if<algorithm::FixedPoint>(&op))
            for (const PortId port : loop->ports) gets.push_back(algorithm::Get{port});
    return gets;
}

/// Of an event procedure, what concerns connections that steps use, too: at an instant at which no
/// unit is in event mode. Loops start from what their outputs are before it.
inline Body exchange_in_steps(const Body& event, const scenario::System& system) {
    std::vector<bool> takes_part(system.ports.size());
    for (const scenario::Link& link : system.links)
        takes_part[link.from.value] = takes_part[link.to.value] = true;
    const auto is_kept = [&](PortId port) { return takes_part[port.value]; };
    const auto filter = [&](const Body& body, const auto& self) -> Body {
        Body result;
        for (const Op& op : body) {
            const auto* const get = std::get_if<algorithm::Get>(&op);
            const auto* const set = std::get_if<algorithm::Set>(&op);
            if ((get && is_kept(get->port)) || (set && is_kept(set->port))) result.push_back(op);
            if (const auto* loop = std::get_if<algorithm::FixedPoint>(&op)) {
                algorithm::FixedPoint kept = *loop;
                std::erase_if(kept.ports, [&](PortId port) { return !is_kept(port); });
                kept.iterate = self(loop->iterate, self);
                if (kept.ports.empty())
                    std::ranges::move(kept.iterate, std::back_inserter(result));
                else
                    result.push_back(std::move(kept));
            }
        }
        return result;
    };
    Body exchange = filter(event, filter);
    Body result = loop_gets_of(exchange);
    std::ranges::move(exchange, std::back_inserter(result));
    return result;
}

} // namespace rubato::engine
