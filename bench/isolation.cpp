// SPDX-License-Identifier: Apache-2.0
#include "isolation.hpp"

#include "measure.hpp"
#include "ring.hpp"

#include <rubato/private/format.hpp>

#include <functional>

namespace rubato::bench {

namespace {

constexpr int repetitions = 15;
constexpr int calls = 2000;

std::unique_ptr<unit::Unit> make_node(unit::Library& library, bool isolated) {
    scenario::Unit description = Ring::scenario(2, 0).units.front();
    if (isolated) description.isolate.emplace();
    auto node = library.instantiate(description, "");
    node->enter_initialization({});
    node->exit_initialization();
    return node;
}

/// One of the node's variables, and room for it.
struct Real {
    Real(const unit::Unit& node, const char* name) {
        const auto& description = node.description();
        reference = description.variables.at(description.find_variable(name).value()).reference;
    }
    Bulk bulk() { return {ValueType::float64, {&reference, 1}, &value, 1}; }

    ValueRef reference = 0;
    double value = 0;
};

/// Per call, with the node in this process and isolated.
IsolationCost measure_calls(const std::string& what,
                            const std::function<void(unit::Unit&, int)>& make_calls) {
    unit::Library library(silent_log());
    const auto inside = make_node(library, false), isolated = make_node(library, true);
    const std::function<void()> programs[] = {[&] { make_calls(*inside, calls); },
                                              [&] { make_calls(*isolated, calls); }};
    const auto seconds = best_of(repetitions, programs);
    return {what, seconds[0] / calls, seconds[1] / calls};
}

IsolationCost measure_get() {
    return measure_calls("a call: get of one real", [](unit::Unit& node, int count) {
        Real y(node, "y");
        for (int i = 0; i < count; ++i) node.get(y.bulk());
    });
}

IsolationCost measure_step() {
    return measure_calls("set, step and get", [](unit::Unit& node, int count) {
        Real a(node, "a"), y(node, "y");
        for (int i = 0; i < count; ++i) {
            node.set(a.bulk());
            (void)node.step({i * 1e-3}, {1e-3});
            node.get(y.bulk());
        }
    });
}

/// Per unit-step.
IsolationCost measure_ring(int nodes) {
    const int steps = calls / nodes;
    Ring inside(nodes, 0), isolated(nodes, 0, 1, Processes::one_per_node);
    const std::function<void()> programs[] = {[&] { inside.step(steps); },
                                              [&] { isolated.step(steps); }};
    const auto seconds = best_of(repetitions, programs);
    const double unit_steps = static_cast<double>(steps) * nodes;
    return {format("unit-step in a ring of {}", nodes), seconds[0] / unit_steps,
            seconds[1] / unit_steps};
}

} // namespace

std::vector<IsolationCost> measure_isolation() {
    return {measure_get(), measure_step(), measure_ring(2), measure_ring(10)};
}

} // namespace rubato::bench
