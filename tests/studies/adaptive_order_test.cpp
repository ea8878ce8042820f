// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/diagnostics.hpp>
#include <rubato/report/table.hpp>
#include <rubato/scenario/yaml.hpp>

#include <adaptive-order/network.hpp>
#include <adaptive-order/sampling.hpp>
#include <adaptive-order/study.hpp>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

namespace rubato::studies::adaptive_order {
namespace {

using scenario::OrderEstimator;

struct Published {
    Parameters parameters;
    Score input, power;
};

/// Some of the scores that the paper's reproducibility package has recorded.
const Published some[] = {
    {{14, 65, 274, 46, 16, 9162, 980, 751},
     {0.711899247782, 0.01, 0.702, 0.288},
     {0.670649972249, 0, 1, 0}},
    {{14, 65, 641, 189, 423, 9162, 892, 751},
     {0.462254441915, 0.361445783133, 0.489959839357, 0.14859437751},
     {0.726341084182, 0, 1, 0}},
    {{14, 83, 6, 46, 16, 1741, 980, 4101},
     {0.623386272315, 0.088, 0.728, 0.184},
     {0.307418020485, 0.25, 0.682, 0.068}},
    {{64, 83, 274, 46, 423, 1698, 980, 4101},
     {0.804158786774, 0.170305676856, 0.38864628821, 0.441048034934},
     {0.665110353238, 0.165938864629, 0.506550218341, 0.327510917031}},
    {{64, 88, 274, 889, 5080, 9162, 892, 5621},
     {0.692380067304, 0, 0.493827160494, 0.506172839506},
     {0.477535228378, 0.0731707317073, 0.512195121951, 0.414634146341}},
    {{79, 65, 6, 46, 5080, 1698, 980, 4101},
     {0.81270146159, 0.0632911392405, 0.405063291139, 0.53164556962},
     {0.866906681545, 0.0632911392405, 0.240506329114, 0.696202531646}},
    {{79, 65, 641, 46, 16, 9162, 276, 751},
     {0.675569938433, 0.0497237569061, 0.613259668508, 0.337016574586},
     {0.755233702859, 0, 0.729281767956, 0.270718232044}},
    {{79, 83, 274, 189, 16, 9162, 892, 5621},
     {0.518475410074, 0.168, 0.664, 0.168},
     {0.450358014376, 0.268, 0.59, 0.142}},
};

void expect_as_published(const Score& found, const Score& published) {
    EXPECT_NEAR(found.score, published.score, 1e-6);
    EXPECT_NEAR(found.worse, published.worse, 1e-9); // which has twelve digits
    EXPECT_NEAR(found.between, published.between, 1e-9);
    EXPECT_NEAR(found.better, published.better, 1e-9);
}

StudyResult study(std::vector<Parameters> sets, std::vector<OrderEstimator> estimators,
                  unsigned threads = 1) {
    std::atomic<std::size_t> done = 0;
    return run_study(
        {.sets = std::move(sets), .estimators = std::move(estimators), .threads = threads}, done);
}

TEST(AdaptiveOrderStudy, ReproducesPublishedScores) {
    std::vector<Parameters> sets;
    for (const Published& each : some) sets.push_back(each.parameters);
    const StudyResult result = study(sets, {OrderEstimator::input, OrderEstimator::power});
    for (std::size_t i = 0; i < sets.size(); ++i) {
        SCOPED_TRACE(i);
        expect_as_published(result.scores[0][i], some[i].input);
        expect_as_published(result.scores[1][i], some[i].power);
    }
}

std::filesystem::path scores_folder() {
    const char* folder = std::getenv("RUBATO_ORDER_SCORES");
    return folder ? folder : RUBATO_ORDER_SCORES;
}

/// 200 of the 6,561 published rows, the same every time.
void reproduce_sample(const std::string& file, OrderEstimator estimator) {
    const std::filesystem::path path = scores_folder() / file;
    if (!std::filesystem::exists(path))
        GTEST_SKIP() << path << " is missing: set RUBATO_ORDER_SCORES to the folder of the "
                     << "published scores";
    const report::Table table = report::read_csv(path);
    const std::vector<Parameters> all = read_parameters(path);
    std::mt19937_64 random(2023);
    std::vector<std::size_t> rows;
    std::vector<Parameters> sets;
    for (int i = 0; i < 200; ++i) {
        rows.push_back(random() % all.size());
        sets.push_back(all[rows.back()]);
    }
    const StudyResult result = study(std::move(sets), {estimator}, 2);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        SCOPED_TRACE(rows[i]);
        const auto published = [&](const char* column) { return table.values(column)[rows[i]]; };
        expect_as_published(result.scores[0][i],
                            {published("score"), published("worst_freq"), published("between_freq"),
                             published("best_freq")});
    }
}

TEST(AdaptiveOrderStudy, ReproducesASampleOfAllScoresByInputError) {
    reproduce_sample("published_input_s1s2.csv", OrderEstimator::input);
}

TEST(AdaptiveOrderStudy, ReproducesASampleOfAllScoresByPowerTransfer) {
    reproduce_sample("published_power_s1s2.csv", OrderEstimator::power);
}

TEST(AdaptiveOrderStudy, IsTheSameOverFmus) {
    Experiment native;
    std::uint64_t switches = 0;
    for (const char* form : {"fmi1", "fmi2", "fmi3"}) {
        Experiment fmus(std::filesystem::path(FMUS) / form / "oscillator.fmu");
        for (const Published& each : {some[0], some[3]}) {
            for (const auto estimator : {OrderEstimator::input, OrderEstimator::power}) {
                const Method method{First::msd1, estimator};
                const Trajectory expected = native.run(each.parameters, method);
                EXPECT_EQ(fmus.run(each.parameters, method), expected) << form;
                EXPECT_EQ(fmus.switches(), native.switches()) << form;
                switches += native.switches();
            }
        }
    }
    EXPECT_GT(switches, 0u);
}

TEST(AdaptiveOrderStudy, DoesNotDependOnTheNumberOfThreads) {
    const std::vector<Parameters> sets = draw(sample_parameters(1), 12, 1);
    const auto once = study(sets, {OrderEstimator::input}, 1);
    const auto again = study(sets, {OrderEstimator::input}, 3);
    for (std::size_t i = 0; i < sets.size(); ++i)
        EXPECT_EQ(once.scores[0][i].score, again.scores[0][i].score);
}

TEST(AdaptiveOrderStudy, InvertedDecisionsDoHarm) {
    const std::vector<Parameters> sets = draw(sample_parameters(1), 60, 1);
    for (const auto estimator : {OrderEstimator::input, OrderEstimator::power}) {
        StudyOptions options{.sets = sets, .estimators = {estimator}};
        std::atomic<std::size_t> done = 0;
        const double meant = summarize(run_study(options, done).scores[0]).mean;
        options.inverted = true;
        EXPECT_LT(summarize(run_study(options, done).scores[0]).mean, meant);
    }
}

TEST(AdaptiveOrderStudy, SamplesAsThePaperSays) {
    const std::vector<Parameters> sets = sample_parameters(7);
    EXPECT_EQ(sets.size(), 6561u);
    EXPECT_EQ(sets.front().values(), sample_parameters(7).front().values());
    EXPECT_NE(sets.front().values(), sample_parameters(8).front().values());
    for (const Parameters& set : sets) {
        ASSERT_TRUE(set.m1 >= 1 && set.m1 <= 100);
        ASSERT_TRUE(set.dc >= 1 && set.dc <= 1000);
        ASSERT_TRUE(set.cc >= 1 && set.cc <= 1e4);
    }
    EXPECT_EQ(draw(sets, 200, 1).size(), 200u);
}

/// What runs can be written down, read back and run from a file.
TEST(AdaptiveOrderStudy, IsAScenarioLikeAnyOther) {
    const Experiment experiment;
    const auto scenario =
        experiment.scenario(some[0].parameters, {First::msd2, OrderEstimator::power});
    const std::string text = write_yaml(scenario);
    Diagnostics diagnostics;
    EXPECT_EQ(write_yaml(scenario::parse_yaml(text, "study.yaml", diagnostics)), text);
    EXPECT_FALSE(diagnostics.has_errors());
}

TEST(AdaptiveOrderNetworks, AreComparedWithAllStaticOrders) {
    std::atomic<std::size_t> done = 0;
    EXPECT_EQ(run_network(Network::chain, 2, 1, done).static_orders.size(), 16u);
    const NetworkResult ring = run_network(Network::ring, 2, 1, done);
    EXPECT_EQ(ring.static_orders.size(), 30u);
    EXPECT_EQ(ring.adaptive.size(), 3u);
    EXPECT_EQ(done, 4u);
}

} // namespace
} // namespace rubato::studies::adaptive_order
