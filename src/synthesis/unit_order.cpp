// SPDX-License-Identifier: Apache-2.0
#include "unit_order.hpp"

#include <rubato/core/graph.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace rubato::synthesis {

using scenario::Origin;
using scenario::Reactivity;
using scenario::System;
using Node = Graph::Node;
using Units = std::vector<Node>;

namespace {

/// What it costs, per pair of units, when the first of them comes first.
class OrderCosts {
public:
    explicit OrderCosts(const System& system) {
        constexpr double broken_contract = 1e6;
        constexpr double late_feedthrough = 10;
        constexpr double waiting_input = 1;
        for (const scenario::Link& link : system.links) {
            const Node source = system.port(link.from).unit.value;
            const Node target = system.port(link.to).unit.value;
            double source_last = waiting_input;
            double source_first = system.port(link.from).feedthrough.empty() ? 0 : late_feedthrough;
            if (system.port(link.to).reactivity_origin == Origin::scenario) {
                const bool reactive = system.port(link.to).reactivity == Reactivity::reactive;
                (reactive ? source_last : source_first) += broken_contract;
            }
            costs_[{source, target}] += source_first;
            costs_[{target, source}] += source_last;
        }
    }

    double of(Node first, Node second) const {
        const auto found = costs_.find({first, second});
        return found == costs_.end() ? 0 : found->second;
    }

    double of(const Units& order) const {
        double sum = 0;
        for (std::size_t i = 0; i < order.size(); ++i) {
            for (std::size_t j = i + 1; j < order.size(); ++j) sum += of(order[i], order[j]);
        }
        return sum;
    }

private:
    std::map<std::pair<Node, Node>, double> costs_;
};

Units cheapest_permutation(Units units, const OrderCosts& costs) {
    std::ranges::sort(units);
    Units best = units;
    double best_cost = std::numeric_limits<double>::infinity();
    do {
        if (const double cost = costs.of(units); cost < best_cost) {
            best_cost = cost;
            best = units;
        }
    } while (std::ranges::next_permutation(units).found);
    return best;
}

/// Takes again and again the unit that gains most by coming before all that are left.
Units greedy_order(const Units& units, const Graph& couplings, const OrderCosts& costs) {
    std::vector<Units> neighbours(couplings.size());
    for (const Node unit : units) {
        for (const Node next : couplings.successors(unit)) {
            neighbours[unit].push_back(next);
            neighbours[next].push_back(unit);
        }
    }
    std::vector<double> gain(couplings.size()); // of coming first among those left
    std::vector<std::uint8_t> is_left(couplings.size());
    std::set<std::pair<double, Node>> by_loss;
    for (const Node unit : units) {
        std::ranges::sort(neighbours[unit]);
        neighbours[unit].erase(std::unique(neighbours[unit].begin(), neighbours[unit].end()),
                               neighbours[unit].end());
        for (const Node other : neighbours[unit]) {
            gain[unit] += costs.of(other, unit) - costs.of(unit, other);
        }
    }
    for (const Node unit : units) {
        is_left[unit] = 1;
        by_loss.insert({-gain[unit], unit});
    }
    Units order;
    while (!by_loss.empty()) {
        const Node unit = by_loss.begin()->second;
        by_loss.erase(by_loss.begin());
        is_left[unit] = 0;
        order.push_back(unit);
        for (const Node other : neighbours[unit]) {
            if (!is_left[other]) continue;
            by_loss.erase({-gain[other], other});
            gain[other] -= costs.of(unit, other) - costs.of(other, unit);
            by_loss.insert({-gain[other], other});
        }
    }
    return order;
}

} // namespace

std::vector<UnitId> derive_order(const System& system) {
    constexpr std::size_t largest_exact = 8;
    Graph couplings(system.units.size());
    for (const scenario::Link& link : system.links) {
        couplings.add_edge(system.port(link.from).unit.value, system.port(link.to).unit.value);
    }
    const OrderCosts costs(system);
    std::vector<UnitId> order;
    for (const Units& cycle : strongly_connected_components(couplings)) {
        const Units sorted = cycle.size() <= largest_exact ? cheapest_permutation(cycle, costs)
                                                           : greedy_order(cycle, couplings, costs);
        for (const Node unit : sorted) order.push_back({unit});
    }
    return order;
}

} // namespace rubato::synthesis
