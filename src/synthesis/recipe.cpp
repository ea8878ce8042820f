// SPDX-License-Identifier: Apache-2.0
#include "candidate_orders.hpp"
#include "contracts.hpp"
#include "derivation.hpp"
#include "unit_order.hpp"

#include <rubato/private/format.hpp>
#include <rubato/synthesis/recipe.hpp>
#include <rubato/synthesis/synthesize.hpp>

#include <algorithm>
#include <set>

namespace rubato::synthesis {

using scenario::AlgorithmSettings;
using scenario::AtLimit;
using scenario::Recipe;
using scenario::System;

std::string names_of(const System& system, std::span<const UnitId> units) {
    std::string names;
    for (const UnitId id : units) names += (names.empty() ? "" : ", ") + system.unit(id).name;
    return names;
}

std::string names_of(const System& system, std::span<const PortId> ports) {
    std::string names;
    for (const PortId id : ports) names += (names.empty() ? "" : ", ") + system.name_of(id);
    return names;
}

namespace {

std::vector<UnitId> chosen_order(const System& system, const AlgorithmSettings& settings,
                                 std::vector<std::string>& remarks) {
    std::vector<UnitId> order;
    if (settings.order.empty()) {
        order = derive_order(system);
        remarks.push_back("order derived from the couplings: " + names_of(system, order));
        return order;
    }
    for (const std::string& name : settings.order) {
        const auto unit = std::ranges::find(system.units, name, &scenario::SystemUnit::name);
        order.push_back(nth<UnitId>(static_cast<std::size_t>(unit - system.units.begin())));
    }
    return order;
}

std::vector<UnitId> in_scenario_order(const System& system) {
    std::vector<UnitId> order;
    for (std::size_t u = 0; u < system.units.size(); ++u) order.push_back(nth<UnitId>(u));
    return order;
}

std::vector<PortId> hints(const System& system, const AlgorithmSettings& settings,
                          Diagnostics& diagnostics) {
    std::vector<PortId> result;
    for (const std::string& name : settings.guess) {
        bool found = false;
        for (const scenario::Link& link : system.links) {
            if (system.name_of(link.to) != name) continue;
            result.push_back(link.to);
            found = true;
        }
        if (!found) {
            diagnostics.error(
                settings.where,
                format("algorithm.guess names \"{}\", which is no connected input", name));
        }
    }
    return result;
}

SynthesisOptions synthesis_options(const Orchestration& result, const AlgorithmSettings& settings,
                                   Diagnostics& diagnostics) {
    SynthesisOptions options;
    switch (settings.recipe) {
    case Recipe::synthesized:
        options.reduction = settings.reduction;
        options.hints = hints(result.system, settings, diagnostics);
        break;
    case Recipe::waveform_jacobi:
    case Recipe::iterated_jacobi: options.reduction = scenario::Reduction::maximum; break;
    case Recipe::jacobi: options.order = in_scenario_order(result.system); break;
    case Recipe::gauss_seidel:
    case Recipe::adaptive_gauss_seidel:
    case Recipe::waveform_gauss_seidel:
    case Recipe::iterated_gauss_seidel: options.order = result.order; break;
    }
    options.until = convergence_of(settings);
    options.iterations = settings.iterations;
    options.sections = settings.threads > 1;
    return options;
}

/// A recipe named by the user negotiates only where the scenario says that a unit rejects steps.
void assume_steps_are_accepted(System& system) {
    for (scenario::SystemUnit& unit : system.units) {
        if (unit.can_reject_origin != scenario::Origin::scenario) unit.can_reject_step = false;
    }
}

/// "msd1>msd2"
std::string name_of_order(const System& system, std::span<const UnitId> order) {
    std::string name;
    for (const UnitId id : order) name += (name.empty() ? "" : ">") + system.unit(id).name;
    return name;
}

/// What an order makes of the contracts of a system, as one of its configurations.
scenario::Configuration configuration_of(const System& system, const System& ordered,
                                         std::span<const UnitId> order) {
    scenario::Configuration configuration;
    configuration.name = configuration.procedure = name_of_order(system, order);
    for (const scenario::Link& link : system.links)
        configuration.contracts.push_back({link.to, ordered.port(link.to).reactivity});
    for (std::size_t p = 0; p < system.ports.size(); ++p) {
        if (ordered.ports[p].feedthrough != system.ports[p].feedthrough)
            configuration.feedthrough.push_back({nth<PortId>(p), ordered.ports[p].feedthrough});
    }
    configuration.links = system.links;
    configuration.event_links = system.event_links;
    configuration.clock_links = system.clock_links;
    return configuration;
}

void take_contracts(const System& from, System& to) {
    for (std::size_t p = 0; p < from.ports.size(); ++p) {
        to.ports[p].reactivity = from.ports[p].reactivity;
        to.ports[p].reactivity_origin = from.ports[p].reactivity_origin;
    }
}

/// Every order that keeps the contracts that the scenario declares becomes a configuration.
void make_adaptive(Orchestration& result, Diagnostics& diagnostics) {
    const System system = result.system;
    for (auto& order : candidate_orders(system, result.order)) {
        const bool is_start = result.orders.empty();
        System ordered = system;
        Diagnostics broken;
        auto remarks = make_sequential(ordered, order, is_start ? diagnostics : broken);
        if (broken.has_errors()) continue;
        if (is_start) {
            std::ranges::move(remarks, std::back_inserter(result.remarks));
            take_contracts(ordered, result.system);
        }
        result.system.configurations.push_back(configuration_of(system, ordered, order));
        result.orders.push_back(std::move(order));
    }
    if (result.orders.size() == 1)
        result.remarks.push_back("there is no other order to choose: no two units feed each other");
    else
        result.remarks.push_back(format("{} orders to choose from", result.orders.size()));
}

/// Configurations may share a procedure that is written by hand. One that is derived is for one.
void name_procedures(System& system) {
    std::set<std::string> taken;
    for (scenario::Configuration& configuration : system.configurations) {
        while (!taken.insert(configuration.procedure).second)
            configuration.procedure += "_" + configuration.name;
    }
}

void assign_contracts(Orchestration& result, Recipe recipe, Diagnostics& diagnostics) {
    if (recipe == Recipe::synthesized) return;
    assume_steps_are_accepted(result.system);
    std::vector<std::string> remarks;
    switch (recipe) {
    case Recipe::jacobi: return make_all_delayed(result.system, diagnostics);
    case Recipe::iterated_jacobi:
    case Recipe::iterated_gauss_seidel: remarks = make_iterated(result.system, diagnostics); break;
    case Recipe::adaptive_gauss_seidel: return make_adaptive(result, diagnostics);
    case Recipe::waveform_jacobi:
    case Recipe::waveform_gauss_seidel: remarks = make_waveform(result.system, diagnostics); break;
    default: remarks = make_sequential(result.system, result.order, diagnostics);
    }
    std::ranges::move(remarks, std::back_inserter(result.remarks));
}

} // namespace

algorithm::Convergence convergence_of(const AlgorithmSettings& settings) {
    return {.absolute_tolerance = settings.absolute_tolerance,
            .relative_tolerance = settings.relative_tolerance,
            .limit = settings.iteration_limit,
            .accept_at_limit = settings.at_limit == AtLimit::accept};
}

Derivation derive(const System& system, const AlgorithmSettings& settings,
                  Diagnostics& diagnostics) {
    Derivation result;
    Orchestration& orchestration = result.orchestration;
    orchestration.system = system;
    if (is_gauss_seidel(settings.recipe)) {
        orchestration.order = chosen_order(system, settings, orchestration.remarks);
    }
    assign_contracts(orchestration, settings.recipe, diagnostics);

    name_procedures(orchestration.system);
    orchestration.options = synthesis_options(orchestration, settings, diagnostics);
    Synthesis synthesis = synthesize(orchestration.system, orchestration.options);
    orchestration.algorithm = std::move(synthesis.algorithm);
    orchestration.initial_loops = std::move(synthesis.initial_loops);
    orchestration.step_loops = synthesis.step_loops.front();
    result.step_loops = std::move(synthesis.step_loops);
    for (const Loop& loop : orchestration.step_loops)
        orchestration.remarks.push_back(describe(loop, orchestration.system));
    return result;
}

Orchestration orchestrate(const System& system, const AlgorithmSettings& settings,
                          Diagnostics& diagnostics) {
    Derivation derivation = derive(system, settings, diagnostics);
    require_roll_back(system, settings, derivation, diagnostics);
    return std::move(derivation.orchestration);
}

} // namespace rubato::synthesis
