// SPDX-License-Identifier: Apache-2.0
// Random systems, cut into random groups that are scenarios of their own.
#include "nested/levels.hpp"
#include "support/random_source.hpp"
#include "wrapped.hpp"

#include <gmock/gmock.h>

#include <array>
#include <map>

namespace rubato::test {
namespace {

/// Lags and what is mixed of them: outputs with and without feed-through.
scenario::Scenario random_network(RandomSource& random) {
    const std::size_t lags = 3 + random.below(6), mixes = 1 + random.below(4);
    scenario::Scenario scenario;
    const auto name = [&](std::size_t i) { return (i < lags ? "lag" : "mix") + std::to_string(i); };
    for (std::size_t i = 0; i < lags + mixes; ++i) {
        scenario::Unit unit;
        unit.name = name(i);
        unit.origin = scenario::NativeModel{i < lags ? "node" : "mix"};
        if (i < lags) unit.start = {{"y", 1.0 + static_cast<double>(i * i), {}, {}}};
        scenario.units.push_back(std::move(unit));
        for (const char* input : i < lags ? std::array{"a", "b"} : std::array{"u", "v"}) {
            if (random.below(5) == 0) continue;
            // A mix takes lags and the mixes before it, so that there are no algebraic loops.
            const std::size_t source = random.below(i < lags ? lags + mixes : i);
            scenario.connections.push_back({name(source), "y", name(i), input});
        }
    }
    scenario.experiment = {.start = 0, .stop = 1, .step = 0.125};
    scenario.algorithm.recipe = scenario::Recipe::jacobi;
    return scenario;
}

/// Each unit goes to one of `count` groups, which are scenarios with all they have to show.
scenario::Scenario grouped(const scenario::Scenario& flat, std::size_t count,
                           RandomSource& random) {
    scenario::Scenario whole = flat;
    whole.units.clear();
    whole.connections.clear();
    std::map<std::string, std::size_t> group_of;
    for (const scenario::Unit& unit : flat.units) group_of[unit.name] = random.below(count);
    for (std::size_t g = 0; g < count; ++g) {
        scenario::Scenario inner;
        inner.experiment.open = {true, true, true, true};
        inner.algorithm.recipe = scenario::Recipe::jacobi;
        for (const scenario::Unit& unit : flat.units)
            if (group_of[unit.name] == g) inner.units.push_back(unit);
        for (const scenario::Connection& each : flat.connections)
            if (group_of[each.from_unit] == g && group_of[each.to_unit] == g)
                inner.connections.push_back(each);
        if (!inner.units.empty())
            whole.units.push_back(unit_of("g" + std::to_string(g), std::move(inner)));
    }
    for (const scenario::Connection& each : flat.connections) {
        const std::size_t from = group_of[each.from_unit], to = group_of[each.to_unit];
        if (from == to) continue;
        whole.connections.push_back({"g" + std::to_string(from),
                                     each.from_unit + "." + each.from_port,
                                     "g" + std::to_string(to), each.to_unit + "." + each.to_port});
    }
    return whole;
}

Trajectories run_network(const scenario::Scenario& scenario) {
    return run_text("rubato: 1\nunits: {none: {model: node}}\n", {},
                    [&](scenario::Scenario& changed) { changed = scenario; })
        .trajectories;
}

TEST(RandomNesting, GivesTheBitsOfTheFlatSystem) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        SCOPED_TRACE(seed);
        RandomSource random(seed);
        const scenario::Scenario flat = random_network(random);
        const scenario::Scenario nested = grouped(flat, 1 + random.below(4), random);
        const Trajectories expected = run_network(flat), found = run_network(nested);
        std::size_t compared = 0;
        for (const auto& [path, values] : found) {
            if (path == "time") continue;
            // As an output of its group, g1.lag3.y, and as a variable of an inner unit, g1/lag3.y.
            const std::string name = path.substr(path.find_first_of("./") + 1);
            ASSERT_TRUE(expected.contains(name)) << path;
            ASSERT_EQ(values, expected.at(name)) << path;
            ++compared;
        }
        EXPECT_EQ(compared, 2 * flat.units.size());
    }
}

} // namespace
} // namespace rubato::test
