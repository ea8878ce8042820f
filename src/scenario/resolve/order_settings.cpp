// SPDX-License-Identifier: Apache-2.0
#include "resolver.hpp"

#include <rubato/private/format.hpp>

#include <set>
#include <utility>

namespace rubato::scenario {

OrderSettings AlgorithmSettings::order_settings() const {
    OrderSettings settings;
    settings.estimator = order_estimator.value_or(settings.estimator);
    settings.waiting = order_waiting.value_or(settings.waiting);
    settings.cool_down = order_cool_down.value_or(settings.cool_down);
    settings.window = order_window.value_or(settings.window);
    settings.inverted = order_inverted.value_or(settings.inverted);
    return settings;
}

namespace {

void check_least(int least, int value, std::string_view key, const Resolver& resolver) {
    if (value >= least) return;
    resolver.diagnostics.error(
        resolver.scenario.algorithm.where,
        format("algorithm.{} is {}: it must be at least {}", key, value, least));
}

/// Names of a unit's variables that are to be read as numbers.
void check_numbers(Resolver& resolver, UnitId unit, const Location& where,
                   const std::vector<std::string>& names) {
    const auto is_number = [](const Variable& variable) {
        return storage_of(variable.type) == Storage::real && !variable.is_array();
    };
    for (const std::string& name : names) {
        const auto variable = resolver.find_variable(unit, name);
        if (!variable) {
            resolver.report_unknown_variable(where, unit, name, "variable", is_number);
        } else if (!is_number(resolver.variable(unit, *variable))) {
            resolver.diagnostics.error(
                where,
                format("\"{}\" of unit \"{}\" is no real number: it can be no part of an energy",
                       name, resolver.unit(unit).name));
        }
    }
}

/// "a" and "b", for units that feed each other without a power bond.
std::vector<std::string> pairs_without_bond(const System& system) {
    std::set<std::pair<UnitId, UnitId>> fed, bonded;
    const auto units = [&](const Link& link) {
        return std::pair(system.port(link.from).unit, system.port(link.to).unit);
    };
    for (const Link& link : system.links) fed.insert(units(link));
    for (const Bond& bond : system.bonds) {
        bonded.insert(units(bond.parts.front().effort));
        bonded.insert(units(bond.parts.front().flow));
    }
    std::vector<std::string> lacking;
    for (const auto& [a, b] : fed)
        if (a < b && fed.contains({b, a}) && !bonded.contains({a, b}))
            lacking.push_back(
                format("\"{}\" and \"{}\"", system.unit(a).name, system.unit(b).name));
    return lacking;
}

/// The power estimator sees what units declare, or else the work over bonds.
void require_energies_or_bonds(Resolver& resolver) {
    std::vector<std::string> lacking;
    for (const Unit& unit : resolver.scenario.units)
        if (unit.energy.empty()) lacking.push_back(format("\"{}\"", unit.name));
    if (lacking.empty()) return;
    const bool has_bonds = !resolver.scenario.bonds.empty();
    if (has_bonds && resolver.system.bonds.empty()) return; // what is wrong with them is reported
    const std::vector<std::string> bare = pairs_without_bond(resolver.system);
    if (has_bonds && bare.empty()) return;
    resolver.diagnostics.error(
        resolver.scenario.algorithm.where,
        format("algorithm.order-estimator is power, but {} {} {} no energy{}",
               lacking.size() == 1 ? "unit" : "units", fmt::join(lacking, ", "),
               lacking.size() == 1 ? "declares" : "declare",
               has_bonds ? format(", and no power bond joins {}", fmt::join(bare, ", nor ")) : ""),
        "declare energy: [variables] and losses for each unit, or power bonds between all that "
        "feed each other, or use order-estimator: input");
}

/// Of an order that does not adapt.
void remark_without_effect(Resolver& resolver) {
    const AlgorithmSettings& settings = resolver.scenario.algorithm;
    const std::pair<std::string_view, bool> given[] = {
        {"order-estimator", settings.order_estimator.has_value()},
        {"order-waiting", settings.order_waiting.has_value()},
        {"order-cool-down", settings.order_cool_down.has_value()},
        {"order-window", settings.order_window.has_value()},
        {"order-inverted", settings.order_inverted.has_value()}};
    for (const auto& [key, is_given] : given) {
        if (!is_given) continue;
        resolver.diagnostics.warning(
            settings.where, format("algorithm.{} has no effect: the order does not adapt", key),
            "use recipe: adaptive-gauss-seidel, or leave it out");
    }
}

} // namespace

void check_order_control(Resolver& resolver) {
    const AlgorithmSettings& settings = resolver.scenario.algorithm;
    const OrderSettings order = settings.order_settings();
    check_least(0, order.waiting, "order-waiting", resolver);
    check_least(0, order.cool_down, "order-cool-down", resolver);
    check_least(1, order.window, "order-window", resolver);
    if (settings.recipe != Recipe::adaptive_gauss_seidel) return remark_without_effect(resolver);
    if (resolver.scenario.written) {
        resolver.diagnostics.error(
            settings.where, "the algorithm is both adaptive-gauss-seidel and written out",
            "remove initialization and step: the procedures of all orders are derived");
    }
    if (!resolver.scenario.configurations.empty()) {
        resolver.diagnostics.error(
            resolver.scenario.configurations.front().where,
            "adaptive-gauss-seidel makes a configuration of every order: it cannot have others",
            "use gauss-seidel or synthesized, or remove the configurations");
    }
    if (order.estimator == OrderEstimator::power) require_energies_or_bonds(resolver);
}

void check_declared_energies(Resolver& resolver) {
    for (std::size_t u = 0; u < resolver.scenario.units.size(); ++u) {
        const Unit& unit = resolver.scenario.units[u];
        const auto id = nth<UnitId>(u);
        check_numbers(resolver, id, unit.where, unit.energy);
        for (const LossSettings& loss : unit.losses)
            check_numbers(resolver, id, loss.where, {loss.effort, loss.displacement});
    }
}

} // namespace rubato::scenario
