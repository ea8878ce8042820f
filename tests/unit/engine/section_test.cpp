// SPDX-License-Identifier: Apache-2.0
#include "support/integrator_unit.hpp"
#include "support/system_builder.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/engine/simulation.hpp>
#include <rubato/synthesis/recipe.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

namespace rubato::engine {
namespace {

using scenario::Recipe;
using test::IntegratorTraits;
using ::testing::HasSubstr;

/// A ring of integrators, each fed by the one before.
struct Ring {
    std::vector<IntegratorTraits> units = std::vector<IntegratorTraits>(7);
    scenario::AlgorithmSettings algorithm{.recipe = Recipe::jacobi};
    bool may_reject = false;

    Ring() {
        for (std::size_t u = 0; u < units.size(); ++u) {
            units[u].initial = 1.0 / static_cast<double>(u + 3);
        }
    }

    Simulation simulation(int threads) const {
        test::SystemBuilder builder;
        for (std::size_t u = 0; u < units.size(); ++u) {
            builder.unit(name(u)).input("u").output("y").reference_last(1);
            if (may_reject) builder.can_reject_step();
        }
        for (std::size_t u = 0; u < units.size(); ++u) {
            builder.link(name(u) + ".y", name((u + 1) % units.size()) + ".u");
        }
        scenario::System system = builder.build();
        for (std::size_t u = 0; u < units.size(); ++u) {
            system.observed.push_back({nth<UnitId>(u), 1});
            system.units[u].can_reject_origin = scenario::Origin::scenario;
        }

        scenario::AlgorithmSettings settings = algorithm;
        settings.threads = threads;
        Diagnostics diagnostics;
        const auto result = synthesis::orchestrate(system, settings, diagnostics);
        diagnostics.throw_if_errors();
        std::vector<std::unique_ptr<unit::Unit>> instances;
        for (std::size_t u = 0; u < units.size(); ++u) {
            instances.push_back(std::make_unique<test::IntegratorUnit>(name(u), units[u]));
        }
        return Simulation(result.system, result.algorithm, std::move(instances),
                          {.start = 0, .stop = 2, .step = 0.1, .tolerance = {}, .where = {}},
                          silent_log(), {.threads = static_cast<unsigned>(threads)});
    }

    static std::string name(std::size_t u) { return std::string(1, static_cast<char>('a' + u)); }
};

/// Times and values of a run, bit by bit.
class Bits final : public Recorder {
public:
    void begin(std::span<const Column> columns) override {
        columns_ = {columns.begin(), columns.end()};
    }
    void record(Time time) override {
        all.push_back(std::bit_cast<std::uint64_t>(time.seconds));
        for (const Column& column : columns_) {
            all.push_back(std::bit_cast<std::uint64_t>(*static_cast<const double*>(column.value)));
        }
    }
    void end() override {}

    std::vector<std::uint64_t> all;

private:
    std::vector<Column> columns_;
};

std::vector<std::uint64_t> run(const Ring& ring, int threads) {
    Bits bits;
    (void)ring.simulation(threads).run({.recorder = &bits, .every = 1, .stop = nullptr});
    return bits.all;
}

std::string failure(const Ring& ring, int threads) {
    try {
        (void)run(ring, threads);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(Section, GivesTheBitsOfTheSerialRun) {
    for (const Recipe recipe :
         {Recipe::jacobi, Recipe::gauss_seidel, Recipe::iterated_jacobi, Recipe::synthesized}) {
        Ring ring;
        ring.algorithm.recipe = recipe;
        const auto serial = run(ring, 1);
        ASSERT_EQ(serial.size(), 21u * 8u);
        EXPECT_EQ(run(ring, 2), serial) << to_string(recipe);
        EXPECT_EQ(run(ring, 5), serial) << to_string(recipe);
    }
}

TEST(Section, NegotiatesAsTheSerialRunDoes) {
    Ring ring;
    ring.may_reject = true;
    ring.units[2].largest_step = 0.07;
    ring.units[5].largest_step = 0.03;
    const auto serial = run(ring, 1);
    ASSERT_GT(serial.size(), 60u * 8u);
    EXPECT_EQ(run(ring, 3), serial);
}

TEST(Section, NamesTheUnitThatFails) {
    Ring ring;
    ring.units[4].largest_step = 0.05; // and nobody negotiates
    EXPECT_THAT(failure(ring, 3), HasSubstr("unit \"e\" accepted the step"));
    EXPECT_EQ(failure(ring, 3), failure(ring, 1));
}

TEST(Section, EndsWhenAUnitAsksForIt) {
    Ring ring;
    ring.units[3].terminates_at = 0.75;
    Simulation simulation = ring.simulation(2);
    const Summary summary = simulation.run({});
    EXPECT_EQ(summary.end, RunEnd::terminated);
    EXPECT_EQ(summary.ended_by, "d");
}

TEST(Section, CountsTheStepsOfAllThreads) {
    Simulation simulation = Ring{}.simulation(3);
    EXPECT_EQ(simulation.run({}).unit_steps, 20u * 7u);
}

} // namespace
} // namespace rubato::engine
