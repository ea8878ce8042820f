// SPDX-License-Identifier: Apache-2.0
#include "candidate_orders.hpp"

#include "contracts.hpp"

#include <rubato/core/graph.hpp>

#include <algorithm>
#include <set>
#include <span>

namespace rubato::synthesis {

using scenario::System;
using Order = std::vector<UnitId>;

namespace {

constexpr std::size_t largest_exact = 8; // a connected graph of nine units has more orders

/// Each order becomes a configuration with all links: of many units there are fewer.
std::size_t most_orders(const System& system) {
    constexpr std::size_t most = 128, least = 4, most_places = 300'000;
    return std::clamp(most_places / std::max<std::size_t>(system.units.size(), 1), least, most);
}

/// Orders of some units, each in one of the ways in which the same inputs wait.
class DistinctOrders {
public:
    DistinctOrders(const System& system, std::span<const UnitId> units)
        : system_(system), places_(system.units.size(), absent) {
        for (const UnitId unit : units) places_[unit.value] = 0;
        for (const scenario::Link& link : system.links)
            if (place_of(link.from) != absent && place_of(link.to) != absent)
                links_.push_back(&link);
    }

    void add(const Order& order) {
        for (std::size_t place = 0; place < order.size(); ++place)
            places_[order[place].value] = place;
        std::vector<bool> source_first;
        for (const scenario::Link* link : links_)
            source_first.push_back(place_of(link->from) < place_of(link->to));
        if (seen_.insert(std::move(source_first)).second) orders_.push_back(order);
    }

    const std::vector<Order>& orders() const { return orders_; }

private:
    static constexpr std::size_t absent = static_cast<std::size_t>(-1);
    std::size_t place_of(PortId port) const { return places_[system_.port(port).unit.value]; }

    const System& system_;
    std::vector<std::size_t> places_; ///< by unit
    std::vector<const scenario::Link*> links_;
    std::set<std::vector<bool>> seen_;
    std::vector<Order> orders_;
};

/// No more than there may be; then those of units that stand equally far apart.
std::vector<Order> moves_of_one(const System& system, const Order& start) {
    DistinctOrders distinct(system, start);
    distinct.add(start);
    distinct.add(Order(start.rbegin(), start.rend()));
    const std::size_t most = most_orders(system);
    const std::size_t apart = (2 * start.size() + 2 + most - 1) / most;
    for (std::size_t i = 0; i < start.size(); i += apart) {
        if (distinct.orders().size() + 2 > most) break;
        const auto at = static_cast<std::ptrdiff_t>(i);
        Order moved = start;
        std::rotate(moved.begin(), moved.begin() + at, moved.begin() + at + 1);
        distinct.add(moved);
        moved = start;
        std::rotate(moved.begin() + at, moved.begin() + at + 1, moved.end());
        distinct.add(moved);
    }
    return distinct.orders();
}

/// Of the units of one cycle, which stand in their start order.
std::vector<Order> orders_of_cycle(const System& system, const Order& start) {
    if (start.size() > largest_exact) return moves_of_one(system, start);
    DistinctOrders distinct(system, start);
    std::vector<std::size_t> permutation(start.size());
    for (std::size_t i = 0; i < start.size(); ++i) permutation[i] = i;
    do {
        Order order;
        for (const std::size_t i : permutation) order.push_back(start[i]);
        distinct.add(order);
    } while (std::ranges::next_permutation(permutation).found);
    return distinct.orders().size() <= most_orders(system) ? distinct.orders()
                                                           : moves_of_one(system, start);
}

std::vector<Order> combined(const std::vector<Order>& fronts, const std::vector<Order>& backs) {
    std::vector<Order> all;
    for (const Order& front : fronts) {
        for (const Order& back : backs) {
            all.push_back(front);
            all.back().insert(all.back().end(), back.begin(), back.end());
        }
    }
    return all;
}

} // namespace

std::vector<Order> candidate_orders(const System& system, const Order& start) {
    Graph couplings(system.units.size());
    for (const scenario::Link& link : system.links)
        couplings.add_edge(system.port(link.from).unit.value, system.port(link.to).unit.value);
    const auto places = places_of(start);
    const std::size_t most = most_orders(system);
    std::vector<Order> orders = {{}};
    for (const auto& cycle : strongly_connected_components(couplings)) {
        Order units;
        for (const Graph::Node unit : cycle) units.push_back({unit});
        std::ranges::sort(units, {}, [&](UnitId unit) { return places[unit.value]; });
        std::vector<Order> own = orders_of_cycle(system, units);
        if (orders.size() * own.size() > most) own = moves_of_one(system, units);
        if (orders.size() * own.size() > most && orders.size() > 1) own = {units};
        orders = combined(orders, own);
    }
    DistinctOrders distinct(system, start);
    distinct.add(start);
    for (const Order& order : orders) distinct.add(order);
    return distinct.orders();
}

} // namespace rubato::synthesis
