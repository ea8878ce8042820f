// SPDX-License-Identifier: Apache-2.0
#include "loops.hpp"

#include "groups.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>
#include <numeric>
#include <set>

namespace rubato::transform {

namespace {

using scenario::Recipe;
using scenario::System;
using synthesis::Loop;
using synthesis::LoopKind;

/// The units whose values depend on each other; none where units only agree on a step.
std::set<UnitId> units_of(const Loop& loop, const System& system) {
    std::set<UnitId> units;
    if (loop.kind == LoopKind::step_finding) return units;
    for (const PortId port : loop.ports) units.insert(system.port(port).unit);
    for (const PortId port : loop.guessed) units.insert(system.port(port).unit);
    if (loop.kind == LoopKind::reactivity) units.insert(loop.units.begin(), loop.units.end());
    return units;
}

std::vector<std::set<UnitId>> loops_of(const synthesis::Orchestration& orchestration) {
    std::vector<std::set<UnitId>> loops;
    for (const auto* list : {&orchestration.initial_loops, &orchestration.step_loops})
        for (const Loop& loop : *list) {
            auto units = units_of(loop, orchestration.system);
            if (!units.empty()) loops.push_back(std::move(units));
        }
    return loops;
}

/// Which units belong together.
class Partition {
public:
    explicit Partition(std::size_t count) : parents_(count) {
        std::iota(parents_.begin(), parents_.end(), std::size_t{0});
    }
    std::size_t root(std::size_t unit) const {
        while (parents_[unit] != unit) unit = parents_[unit];
        return unit;
    }
    /// The smallest is the root, so that groups come in the order of the units.
    void unite(std::size_t a, std::size_t b) {
        const std::size_t first = std::min(root(a), root(b)), second = std::max(root(a), root(b));
        parents_[second] = first;
    }

private:
    std::vector<std::size_t> parents_;
};

/// "algebraic loop" or "loop over a step"
std::string_view kind_of(const synthesis::Orchestration& orchestration,
                         const std::set<UnitId>& group) {
    for (const Loop& loop : orchestration.step_loops) {
        const auto units = units_of(loop, orchestration.system);
        if (units.empty() || !group.contains(*units.begin())) continue;
        if (loop.kind != LoopKind::feedthrough) return "loop over each step";
    }
    return "algebraic loop";
}

struct FoundGroup {
    std::set<UnitId> units;
    bool has_loop = false;
};

/// The units of each loop. Where an input expects its source to have advanced, both are in the same
/// group: between groups Jacobi suffices.
std::vector<FoundGroup> find_groups(const synthesis::Orchestration& orchestration) {
    const System& system = orchestration.system;
    Partition partition(system.units.size());
    std::set<UnitId> looping;
    for (const std::set<UnitId>& loop : loops_of(orchestration)) {
        looping.insert(loop.begin(), loop.end());
        for (const UnitId unit : loop) partition.unite(loop.begin()->value, unit.value);
    }
    if (looping.empty()) return {};
    for (const scenario::Link& link : system.links)
        if (system.port(link.to).reactivity == scenario::Reactivity::reactive)
            partition.unite(system.port(link.from).unit.value, system.port(link.to).unit.value);
    std::map<std::size_t, FoundGroup> groups;
    for (std::size_t u = 0; u < system.units.size(); ++u) {
        FoundGroup& group = groups[partition.root(u)];
        group.units.insert(nth<UnitId>(u));
        group.has_loop = group.has_loop || looping.contains(nth<UnitId>(u));
    }
    std::vector<FoundGroup> result;
    for (auto& [root, group] : groups)
        if (group.has_loop || group.units.size() > 1) result.push_back(std::move(group));
    return result;
}

/// Without those that keep constraints: they have long names themselves.
std::vector<std::string> simulating(std::vector<std::string> units,
                                    const scenario::Scenario& scenario) {
    std::erase_if(units, [&](const std::string& name) {
        const auto unit = std::ranges::find(scenario.units, name, &scenario::Unit::name);
        return std::holds_alternative<scenario::Links>(unit->origin);
    });
    return units;
}

std::vector<Group> named_groups(const Subject& subject) {
    const synthesis::Orchestration& orchestration = subject.orchestration;
    std::vector<Group> groups;
    for (const FoundGroup& found : find_groups(orchestration)) {
        Group group;
        for (const UnitId unit : found.units)
            group.units.push_back(orchestration.system.unit(unit).name);
        group.name = group_name(found.has_loop ? "loop" : "sequence",
                                simulating(group.units, subject.scenario), subject.scenario);
        group.remark =
            found.has_loop
                ? format("{} of {}: solved within this composite, so that no loop is left outside.",
                         kind_of(orchestration, found.units), fmt::join(group.units, ", "))
                : format("{}: the later ones expect the earlier ones to have advanced, which "
                         "happens within this composite.",
                         fmt::join(group.units, ", "));
        groups.push_back(std::move(group));
    }
    return groups;
}

/// A loop is solved on one machine.
void check_machines_of_loops(const Subject& subject, Diagnostics& diagnostics) {
    const auto machine_of = [&](const std::string& unit) -> const scenario::Machine* {
        for (const scenario::Machine& machine : subject.scenario.machines)
            if (std::ranges::find(machine.units, unit) != machine.units.end()) return &machine;
        return nullptr;
    };
    for (const Group& group : named_groups(subject)) {
        const scenario::Machine* const first = machine_of(group.units.front());
        for (const std::string& unit : group.units) {
            const scenario::Machine* const other = machine_of(unit);
            if (!first || !other || first == other) continue;
            diagnostics.error(other->where,
                              format("units \"{}\" and \"{}\" are in one loop, but on machines "
                                     "\"{}\" and \"{}\"",
                                     group.units.front(), unit, first->name, other->name),
                              "let them be on one machine, or use algorithm: jacobi, which does "
                              "not iterate over the step");
            break;
        }
    }
}

bool loops_apply(const Subject& subject) { return !loops_of(subject.orchestration).empty(); }

void check_before_loops(const Subject& subject, Diagnostics& diagnostics) {
    if (!subject.scenario.constraints.empty())
        diagnostics.error(subject.scenario.constraints.front().where,
                          "loops are lifted after causality: an input still has no source",
                          "transform causality, too: --only causality,loops");
    if (subject.scenario.algorithm.recipe == Recipe::adaptive_gauss_seidel)
        diagnostics.error(subject.scenario.algorithm.where,
                          "to lift loops, the order must not adapt",
                          "use gauss-seidel, with the order that suits best");
    check_groups_can_be_formed(subject, named_groups(subject), "to lift loops", diagnostics);
    check_machines_of_loops(subject, diagnostics);
}

Rewritten rewrite_loops(const Subject& subject, Diagnostics&) {
    const std::vector<Group> groups = named_groups(subject);
    Rewritten result{.scenario = with_groups(subject, groups, {}), .explanation = {}};
    scenario::AlgorithmSettings trivial;
    trivial.recipe = Recipe::jacobi;
    trivial.threads = subject.scenario.algorithm.threads;
    trivial.where = subject.scenario.algorithm.where;
    result.scenario.algorithm = std::move(trivial);
    result.scenario.loops = {.where = subject.scenario.loops.where};
    for (const Group& group : groups)
        result.explanation.push_back(format("{}: {} solved by {}, loop solver {}", group.name,
                                            fmt::join(group.units, ", "),
                                            to_string(subject.scenario.algorithm.recipe),
                                            to_string(subject.scenario.loops.method)));
    return result;
}

void check_after_loops(const Subject& subject, Diagnostics& diagnostics) {
    const System& system = subject.orchestration.system;
    for (const std::set<UnitId>& loop : loops_of(subject.orchestration)) {
        std::vector<std::string> names;
        for (const UnitId unit : loop) names.push_back(system.unit(unit).name);
        diagnostics.error(subject.scenario.algorithm.where,
                          format("a loop of {} is left outside composites", fmt::join(names, ", ")),
                          "this is a defect of Rubato: please report it");
    }
    for (const scenario::Link& link : system.links)
        if (system.port(link.to).reactivity == scenario::Reactivity::reactive)
            diagnostics.error(subject.scenario.algorithm.where,
                              format("{} is still reactive", system.name_of(link.to)),
                              "this is a defect of Rubato: please report it");
}

} // namespace

const Transformation loop_transformation = {
    .concern = Concern::loops,
    .precondition = "every input has a source",
    .postcondition =
        "no loop is left outside composites, and no input is reactive: Jacobi suffices",
    .applies = loops_apply,
    .check_before = check_before_loops,
    .rewrite = rewrite_loops,
    .check_after = check_after_loops,
};

} // namespace rubato::transform
