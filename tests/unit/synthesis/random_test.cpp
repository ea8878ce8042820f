// SPDX-License-Identifier: Apache-2.0
#include "mutation.hpp"
#include "support/random_system.hpp"
#include "symbolic_interpreter.hpp"

#include <rubato/algorithm/text.hpp>
#include <rubato/algorithm/verify.hpp>
#include <rubato/synthesis/recipe.hpp>
#include <rubato/synthesis/synthesize.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <numeric>

namespace rubato::test {
namespace {

using algorithm::Algorithm;
using algorithm::to_text;
using algorithm::verify;
using scenario::Reduction;
using scenario::System;
using synthesis::Loop;
using synthesis::orchestrate;
using synthesis::Synthesis;
using synthesis::SynthesisOptions;
using synthesis::synthesize;

/// RUBATO_RANDOM_CASES raises it; a full run has 10,000.
std::size_t number_of_cases() {
    const char* wanted = std::getenv("RUBATO_RANDOM_CASES");
    return wanted ? std::stoul(wanted) : 400;
}

/// A random system for each case; what goes wrong is reported with its seed and the system.
template <class Check>
void for_random_systems(Contracts contracts, Check&& check) {
    for (std::size_t seed = 1; seed <= number_of_cases(); ++seed) {
        RandomSource random(seed);
        const System system = random_system(random, contracts);
        SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + describe(system));
        check(system, random);
        if (testing::Test::HasFailure()) return;
    }
}

std::vector<UnitId> random_order(const System& system, RandomSource& random) {
    std::vector<UnitId> order;
    for (std::size_t u = 0; u < system.units.size(); ++u) order.push_back(nth<UnitId>(u));
    random.shuffle(order);
    return order;
}

std::vector<SynthesisOptions> all_reductions(const System& system, RandomSource& random) {
    return {{.reduction = Reduction::minimum},
            {.reduction = Reduction::maximum},
            {.reduction = Reduction::minimum, .sections = true},
            {.reduction = Reduction::maximum, .sections = true},
            {.order = random_order(system, random)}};
}

std::size_t guesses(const std::vector<Loop>& loops) {
    return std::accumulate(loops.begin(), loops.end(), std::size_t{0},
                           [](std::size_t sum, const Loop& l) { return sum + l.guessed.size(); });
}

std::string first_violation(const algorithm::Verdict& verdict) {
    return verdict.correct() ? "" : verdict.violations.front().message;
}

void expect_correct(const System& system, const Algorithm& algorithm) {
    EXPECT_EQ(first_violation(verify(system, algorithm)), "") << to_text(algorithm, system);
}

TEST(RandomSystems, WhatIsSynthesizedVerifies) {
    for_random_systems(Contracts::declared, [](const System& system, RandomSource& random) {
        for (const SynthesisOptions& options : all_reductions(system, random)) {
            expect_correct(system, synthesize(system, options).algorithm);
        }
    });
}

TEST(RandomSystems, WhatIsSynthesizedGoesWhereTheContractsLead) {
    for_random_systems(Contracts::declared, [](const System& system, RandomSource& random) {
        SymbolicInterpreter interpreter(system);
        for (const SynthesisOptions& options : all_reductions(system, random)) {
            const Algorithm algorithm = synthesize(system, options).algorithm;
            EXPECT_EQ(interpreter.find_departure(algorithm).value_or(""), "")
                << to_text(algorithm, system);
        }
    });
}

TEST(RandomSystems, MinimumNeverGuessesMoreThanMaximum) {
    for_random_systems(Contracts::declared, [](const System& system, RandomSource&) {
        const Synthesis minimum = synthesize(system, {.reduction = Reduction::minimum});
        const Synthesis maximum = synthesize(system, {.reduction = Reduction::maximum});
        for (std::size_t p = 0; p < minimum.step_loops.size(); ++p) {
            EXPECT_LE(guesses(minimum.step_loops[p]), guesses(maximum.step_loops[p]));
        }
    });
}

/// The guessed inputs, and those that could be: that a loop's outputs feed.
struct LoopInputs {
    std::vector<PortId> guessed, candidates;
};

LoopInputs inputs_of(const System& system, const Synthesis& synthesis) {
    LoopInputs result;
    for (const Loop& loop : synthesis.step_loops.front()) {
        std::ranges::copy(loop.guessed, std::back_inserter(result.guessed));
    }
    const Synthesis jacobi = synthesize(system, {.reduction = Reduction::maximum});
    for (const Loop& loop : jacobi.step_loops.front()) {
        std::ranges::copy(loop.guessed, std::back_inserter(result.candidates));
    }
    return result;
}

TEST(RandomSystems, HintsAreRespected) {
    for_random_systems(Contracts::declared, [](const System& system, RandomSource& random) {
        const auto candidates = inputs_of(system, synthesize(system, {})).candidates;
        if (candidates.empty()) return;
        const PortId hint = random.one_of(candidates);
        const Synthesis hinted = synthesize(system, {.hints = {hint}});
        const auto guessed = inputs_of(system, hinted).guessed;
        EXPECT_TRUE(std::ranges::find(guessed, hint) != guessed.end())
            << system.name_of(hint) << " is not guessed in\n"
            << to_text(hinted.algorithm, system);
        expect_correct(system, hinted.algorithm);
    });
}

TEST(RandomSystems, RecipesKeepTheContractsThatTheyAssign) {
    using scenario::Recipe;
    for_random_systems(Contracts::undeclared, [](const System& system, RandomSource&) {
        for (const Recipe recipe : {Recipe::jacobi, Recipe::gauss_seidel, Recipe::iterated_jacobi,
                                    Recipe::iterated_gauss_seidel}) {
            Diagnostics diagnostics;
            const auto result = orchestrate(system, {.recipe = recipe}, diagnostics);
            EXPECT_FALSE(diagnostics.has_errors()) << to_string(recipe);
            expect_correct(result.system, result.algorithm);
            EXPECT_EQ(
                SymbolicInterpreter(result.system).find_departure(result.algorithm).value_or(""),
                "")
                << to_string(recipe) << "\n"
                << to_text(result.algorithm, result.system);
        }
    });
}

/// What differs between two texts, from the first to the last line that does.
std::string difference(std::string before, std::string after) {
    const auto [b, a] = std::ranges::mismatch(before, after);
    const auto begin = static_cast<std::size_t>(b - before.begin());
    const std::size_t line = begin == 0 ? 0 : before.rfind('\n', begin - 1) + 1;
    before.erase(0, line);
    after.erase(0, line);
    while (!before.empty() && !after.empty() && before.back() == after.back()) {
        before.pop_back();
        after.pop_back();
    }
    return before + "\nbecame\n" + after + "\n";
}

struct Tally {
    std::size_t mutants = 0, rejected = 0, rejected_though_equivalent = 0, equivalent = 0;
};

std::ostream& operator<<(std::ostream& out, const Tally& tally) {
    return out << tally.mutants << " mutants: " << tally.rejected << " rejected ("
               << tally.rejected_though_equivalent << " of them end right all the same), "
               << tally.equivalent << " equivalent";
}

/// Counts mutants of the algorithms of a system; one that is accepted but goes wrong is a failure.
class Judge {
public:
    explicit Judge(const System& system) : system_(system), interpreter_(system) {}

    void judge(const Algorithm& algorithm, const Algorithm& mutant, Tally& tally) {
        const bool accepted = verify(system_, mutant).correct();
        const auto departure = interpreter_.find_departure(mutant);
        ++tally.mutants;
        if (!accepted) {
            ++tally.rejected;
            if (!departure) ++tally.rejected_though_equivalent;
        } else if (!departure) {
            ++tally.equivalent;
        } else {
            ADD_FAILURE() << "a mutant is accepted, but " << *departure << "in\n"
                          << to_text(algorithm, system_) << "where\n"
                          << difference(to_text(algorithm, system_), to_text(mutant, system_));
        }
    }

private:
    const System& system_;
    SymbolicInterpreter interpreter_;
};

TEST(RandomSystems, MutantsAreRejectedOrEquivalent) {
    std::map<Mutation, Tally> tallies;
    for_random_systems(Contracts::declared, [&](const System& system, RandomSource& random) {
        Judge judge(system);
        for (const SynthesisOptions& options : all_reductions(system, random)) {
            const Algorithm algorithm = synthesize(system, options).algorithm;
            for (const Mutation mutation : all_mutations) {
                const auto mutant = mutate(system, algorithm, mutation, random);
                if (mutant) judge.judge(algorithm, *mutant, tallies[mutation]);
            }
        }
    });
    for (const auto& [mutation, tally] : tallies) {
        std::cout << to_string(mutation) << ": " << tally << "\n";
    }
}

} // namespace
} // namespace rubato::test
