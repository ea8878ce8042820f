// SPDX-License-Identifier: Apache-2.0
#include "algorithm/verification/explorer.hpp"
#include "algorithm/verification/form.hpp"
#include "algorithm/verification/representatives.hpp"
#include "cases.hpp"
#include "expect.hpp"

#include <rubato/algorithm/text.hpp>

#include <random>

namespace rubato::algorithm::test {
namespace {

/// A chain of units that may all reject, each waiting for the one before.
Case chain(int units, int largest_step) {
    SystemBuilder builder;
    const auto name = [](int n) { return "u" + std::to_string(n); };
    for (int n = 0; n < units; ++n) {
        builder.unit(name(n)).can_reject_step();
        builder.input("u", Reactivity::reactive).output("y");
        if (n > 0) builder.link(name(n - 1) + ".y", name(n) + ".u");
    }
    builder.largest_step(largest_step);
    Case c(builder);
    const Operations& o = c.op;
    Negotiate search;
    for (int n = 0; n < units; ++n) {
        search.units.push_back(nth<UnitId>(static_cast<std::size_t>(n)));
        if (n > 0) {
            for (const Op& op : {o.get(name(n - 1) + ".y"), o.set(name(n) + ".u")}) {
                c.algorithm.initialization.push_back(op);
                search.iterate.push_back(op);
            }
        }
        search.iterate.push_back(o.step(name(n)));
        search.retry.push_back(o.restore(name(n)));
        c.step().push_back(o.save(name(n)));
    }
    c.step().push_back(search);
    return c;
}

TEST(VerifyCoverage, FewUnitsAreExploredInFull) {
    const Verdict verdict = chain(5, 3).verify();
    EXPECT_TRUE(verdict.correct());
    EXPECT_EQ(verdict.coverage, Coverage::every_run);
    EXPECT_EQ(verdict.runs, 243U + (243U + 32U + 1U));
}

TEST(VerifyCoverage, ManyUnitsAreExploredByRepresentatives) {
    const Verdict verdict = chain(60, 3).verify({.operations = 100'000});
    EXPECT_TRUE(verdict.correct());
    EXPECT_EQ(verdict.coverage, Coverage::representatives);
    // With the least step m of h: alike, and for m < h unlike.
    EXPECT_EQ(verdict.runs, 5U + (5U + 3U + 1U));
}

/// Every body in a procedure that holds more than one operation.
void collect_bodies(Body& body, std::vector<Body*>& bodies) {
    if (body.size() > 1) bodies.push_back(&body);
    for (Op& op : body) {
        if (auto* loop = std::get_if<FixedPoint>(&op)) collect_bodies(loop->iterate, bodies);
        if (auto* search = std::get_if<Negotiate>(&op)) collect_bodies(search->iterate, bodies);
    }
}

void mutate(Case& c, std::mt19937& random) {
    std::vector<Body*> bodies;
    collect_bodies(c.step(), bodies);
    Body& body = *bodies[random() % bodies.size()];
    const std::size_t n = random() % body.size(), m = random() % body.size();
    switch (random() % 3) {
    case 0: std::swap(body[n], body[m]); break;
    case 1: body.insert(body.begin() + static_cast<std::ptrdiff_t>(n), Op(body[m])); break;
    default:
        if (auto* get = std::get_if<Get>(&body[n])) get->tentative = !get->tentative;
        if (auto* set = std::get_if<Set>(&body[n])) set->tentative = !set->tentative;
    }
}

TEST(VerifyCoverage, RepresentativesFindWhatAllRunsFind) {
    std::mt19937 random(20221);
    int correct = 0, wrong = 0;
    for (int n = 0; n < 1500; ++n) {
        Case c = n % 5 == 0   ? chain(4, 3)
                 : n % 5 == 1 ? nested()
                 : n % 5 == 2 ? negotiation()
                              : speculation(2, 3, n % 5 == 3);
        for (auto mutations = random() % 3; mutations > 0; --mutations) mutate(c, random);
        if (!verification::check_form(*c.system, c.algorithm).empty()) continue;
        const auto modes = verification::modes_of(*c.system, c.algorithm);
        if (!verification::Representatives(*c.system, modes).are_sound()) continue;
        const auto all = verification::explore(*c.system, c.algorithm, modes, {});
        const auto some = verification::explore_representatives(*c.system, c.algorithm, modes, {});
        EXPECT_EQ(some.findings.empty(), all.findings.empty()) << to_text(c.algorithm, *c.system);
        ++(all.findings.empty() ? correct : wrong);
    }
    EXPECT_GT(correct, 100);
    EXPECT_GT(wrong, 100);
}

TEST(VerifyCoverage, WhatIsNotExploredIsNotCalledCorrect) {
    const Case c = followers();
    const Verdict verdict = c.verify({.operations = 10});
    EXPECT_EQ(verdict.coverage, Coverage::incomplete);
    EXPECT_EQ(verdict.outcome(), Outcome::not_decided);
    EXPECT_FALSE(verdict.correct());
    ASSERT_TRUE(verdict.undecided);
    EXPECT_EQ(verdict.undecided->message,
              "no fault in the first 2 runs, but there are more than can be explored");
    EXPECT_TRUE(c.verify().correct());
}

TEST(VerifyCoverage, ManyUnitsWithoutRejectionAreOneRun) {
    SystemBuilder builder;
    constexpr int units = 300;
    const auto name = [](int n) { return "u" + std::to_string(n % units); };
    for (int n = 0; n < units; ++n) builder.unit(name(n)).input("u").output("y");
    for (int n = 0; n < units; ++n) builder.link(name(n) + ".y", name(n + 1) + ".u");
    Case c(builder);
    Body steps, gets, sets;
    for (int n = 0; n < units; ++n) {
        steps.push_back(c.op.step(name(n)));
        gets.push_back(c.op.get(name(n) + ".y"));
        sets.push_back(c.op.set(name(n) + ".u"));
    }
    for (const Body* part : {&gets, &sets}) {
        auto& initialization = c.algorithm.initialization;
        initialization.insert(initialization.end(), part->begin(), part->end());
    }
    for (const Body* part : {&steps, &gets, &sets})
        c.step().insert(c.step().end(), part->begin(), part->end());
    const Verdict verdict = c.verify();
    EXPECT_TRUE(verdict.correct());
    EXPECT_EQ(verdict.runs, 2U);
}

} // namespace
} // namespace rubato::algorithm::test
