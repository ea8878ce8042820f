// SPDX-License-Identifier: Apache-2.0
#include "contracts.hpp"
#include "procedure.hpp"
#include "unit_order.hpp"

#include <rubato/private/format.hpp>
#include <rubato/synthesis/recipe.hpp>

#include <algorithm>

namespace rubato::synthesis {

using algorithm::Body;
using scenario::AlgorithmSettings;
using scenario::AtLimit;
using scenario::Recipe;
using scenario::System;

namespace {

bool is_sequential(Recipe recipe) {
    return recipe == Recipe::gauss_seidel || recipe == Recipe::iterated_gauss_seidel;
}

std::vector<UnitId> chosen_order(const System& system, const AlgorithmSettings& settings,
                                 std::vector<std::string>& remarks) {
    std::vector<UnitId> order;
    if (settings.order.empty()) {
        order = derive_order(system);
        std::string names;
        for (const UnitId id : order) names += (names.empty() ? "" : ", ") + system.unit(id).name;
        remarks.push_back("order derived from the couplings: " + names);
        return order;
    }
    for (const std::string& name : settings.order) {
        const auto unit = std::ranges::find(system.units, name, &scenario::SystemUnit::name);
        order.push_back(nth<UnitId>(static_cast<std::size_t>(unit - system.units.begin())));
    }
    return order;
}

algorithm::Convergence convergence(const AlgorithmSettings& settings) {
    return {.absolute_tolerance = settings.absolute_tolerance,
            .relative_tolerance = settings.relative_tolerance,
            .limit = settings.iteration_limit,
            .accept_at_limit = settings.at_limit == AtLimit::accept,
            .iterations = {}};
}

/// Inputs are guessed when their source comes no earlier; without an order, all of them.
LoopPolicy loop_policy(std::vector<UnitId> order, const algorithm::Convergence& until) {
    if (order.empty()) return {[](const Operation&, const Operation&) { return true; }, until};
    return {[place = places_of(order)](const Operation& set, const Operation& source) {
                return place[source.unit.value] >= place[set.unit.value];
            },
            until};
}

std::vector<UnitId> in_scenario_order(const System& system) {
    std::vector<UnitId> order;
    for (std::size_t u = 0; u < system.units.size(); ++u) order.push_back(nth<UnitId>(u));
    return order;
}

void assign_contracts(Orchestration& result, Recipe recipe, Diagnostics& diagnostics) {
    switch (recipe) {
    case Recipe::jacobi: return make_all_delayed(result.system, diagnostics);
    case Recipe::iterated_jacobi:
    case Recipe::iterated_gauss_seidel: return make_all_reactive(result.system, diagnostics);
    case Recipe::gauss_seidel: break;
    }
    auto remarks = make_sequential(result.system, result.order, diagnostics);
    std::ranges::move(remarks, std::back_inserter(result.remarks));
}

/// Where some unit may refuse a step, all go back and try a smaller one together.
Body negotiated(Body body, const System& system) {
    algorithm::Negotiate loop;
    Body result;
    for (const UnitId unit : in_scenario_order(system)) {
        loop.units.push_back(unit);
        loop.retry.push_back(algorithm::Restore{unit});
        result.push_back(algorithm::Save{unit});
    }
    std::erase_if(
        body, [](const algorithm::Op& op) { return std::holds_alternative<algorithm::Save>(op); });
    loop.iterate = std::move(body);
    result.push_back(std::move(loop));
    return result;
}

void require_roll_back(const System& system, const Body& body, const AlgorithmSettings& settings,
                       Diagnostics& diagnostics) {
    for (const algorithm::Op& op : body) {
        const auto* save = std::get_if<algorithm::Save>(&op);
        if (!save || system.unit(save->unit).can_roll_back) continue;
        diagnostics.error(settings.where,
                          format("unit \"{}\" cannot save and restore its state, which {} needs",
                                 system.unit(save->unit).name, to_string(settings.recipe)),
                          "use jacobi or gauss-seidel and steps that no unit rejects");
    }
}

} // namespace

Orchestration orchestrate(const System& system, const AlgorithmSettings& settings,
                          Diagnostics& diagnostics) {
    Orchestration result{.system = system, .algorithm = {}, .order = {}, .remarks = {}};
    if (is_sequential(settings.recipe)) {
        result.order = chosen_order(system, settings, result.remarks);
    }
    assign_contracts(result, settings.recipe, diagnostics);

    const algorithm::Convergence until_converged = convergence(settings);
    result.algorithm.initialization =
        derive_procedure(initialization_graph(result.system),
                         loop_policy(in_scenario_order(system), until_converged));

    algorithm::Convergence step_until = until_converged;
    step_until.iterations = settings.iterations;
    Body step = derive_procedure(step_graph(result.system), loop_policy(result.order, step_until));
    if (std::ranges::any_of(system.units, &scenario::SystemUnit::can_reject_step)) {
        step = negotiated(std::move(step), system);
    }
    require_roll_back(result.system, step, settings, diagnostics);
    result.algorithm.steps = {{"step", std::move(step)}};
    return result;
}

} // namespace rubato::synthesis
