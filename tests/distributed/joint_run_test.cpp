// SPDX-License-Identifier: Apache-2.0

/// Every scenario of tests/cases in several processes, for which threads stand: the rows are those of
/// one process, to the last bit, wherever the units are.

#include "support/memory_link.hpp"
#include "support/thread_processes.hpp"

#include <rubato/distributed/federation.hpp>
#include <rubato/pipeline/formats.hpp>
#include <rubato/pipeline/native_models.hpp>
#include <rubato/pipeline/run.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <filesystem>
#include <random>
#include <thread>

namespace rubato::test {
namespace {

namespace fs = std::filesystem;

/// All values of all rows, as text that tells bits apart.
class Rows final : public engine::Recorder {
public:
    void begin(std::span<const engine::Column> columns) override {
        columns_ = {columns.begin(), columns.end()};
    }
    void record(Time time) override {
        std::string row = bits(time.seconds);
        for (const engine::Column& column : columns_)
            with_type_of(storage_of(column.type), [&]<class T>() {
                const T& value = *static_cast<const T*>(column.value);
                if constexpr (std::is_same_v<T, std::string>)
                    row += " " + value;
                else
                    row += " " + bits(static_cast<double>(value));
            });
        all.push_back(row);
    }
    void end() override { ++ends; }

    std::vector<std::string> all;
    int ends = 0;

private:
    static std::string bits(double value) {
        return std::to_string(std::bit_cast<std::uint64_t>(value));
    }
    std::vector<engine::Column> columns_;
};

struct Outcome {
    Rows rows;
    engine::Summary summary;
    std::string error;
};

using Change = void (*)(scenario::Scenario&);

struct Wish {
    fs::path file;
    Change change = nullptr;
};

void run(const Wish& wish, engine::Processes* processes, std::vector<std::uint32_t> placement,
         Outcome& outcome) {
    try {
        unit::Library library(silent_log());
        pipeline::add_native_models(library);
        Diagnostics diagnostics;
        scenario::Scenario scenario = pipeline::read(wish.file, diagnostics);
        if (wish.change) wish.change(scenario);
        pipeline::Assembly assembly = pipeline::assemble(std::move(scenario), library, diagnostics);
        diagnostics.throw_if_errors();
        pipeline::RunHooks hooks;
        outcome.summary = pipeline::run(std::move(assembly), library,
                                        {.recorder = &outcome.rows,
                                         .processes = processes,
                                         .placement = std::move(placement)},
                                        hooks, silent_log())
                              .summary;
    } catch (const Error& error) {
        outcome.error = error.what();
    }
}

std::size_t units_of(const Wish& wish) {
    Diagnostics diagnostics;
    return pipeline::read(wish.file, diagnostics).units.size();
}

/// What the first process has recorded.
Outcome run_jointly(const Wish& wish, std::uint32_t count, std::mt19937& random) {
    std::vector<std::uint32_t> placement;
    for (std::uint32_t u = 0; u < units_of(wish); ++u)
        placement.push_back(u < count ? u : static_cast<std::uint32_t>(random() % count));
    std::ranges::shuffle(placement, random);
    ThreadProcesses processes(count);
    std::vector<Outcome> outcomes(count);
    std::vector<std::thread> threads;
    for (std::uint32_t rank = 0; rank < count; ++rank)
        threads.emplace_back([&, rank] {
            ThreadProcesses::Member member(processes, rank);
            run(wish, &member, placement, outcomes[rank]);
        });
    for (std::thread& thread : threads) thread.join();
    return std::move(outcomes[0]);
}

class NoRefusals final : public distributed::RefusalReport {
public:
    void refused(const std::string& message) override { FAIL() << message; }
};

/// The same as federates: each of the first ones has a unit, the last one all others, and the master
/// none.
Outcome run_federated(const Wish& wish, std::uint32_t slaves) {
    Diagnostics diagnostics;
    std::vector<std::string> units;
    for (const auto& unit : pipeline::read(wish.file, diagnostics).units)
        units.push_back(unit.name);
    std::vector<distributed::FederationSettings> settings(slaves + 1);
    std::vector<std::uint32_t> owners;
    for (std::uint32_t u = 0; u < units.size(); ++u) {
        owners.push_back(std::min(u, slaves - 1) + 1);
        settings[owners.back()].units.push_back(units[u]);
    }
    MemoryHub hub;
    std::vector<Outcome> outcomes(slaves + 1);
    std::vector<std::thread> threads;
    for (std::uint32_t i = 0; i <= slaves; ++i)
        threads.emplace_back([&, i] {
            NoRefusals report;
            const auto federation =
                i == 0 ? lead_federation(hub.open(), settings[0], units, "", report)
                       : follow_federation(hub.open(), settings[i]);
            std::vector<std::uint32_t> placement;
            for (const std::uint32_t owner : owners) {
                const auto& claimed = settings[owner].units.front();
                for (std::uint32_t rank = 1; rank < federation->count(); ++rank)
                    if (federation->members()[rank].units.front() == claimed)
                        placement.push_back(rank);
            }
            run(wish, federation.get(), placement, outcomes[i]);
        });
    for (std::thread& thread : threads) thread.join();
    return std::move(outcomes[0]);
}

void expect_equal(const Wish& wish) {
    std::mt19937 random(7);
    Outcome alone;
    run(wish, nullptr, {}, alone);
    EXPECT_FALSE(alone.rows.all.empty()) << alone.error;
    for (const std::uint32_t count : {2u, 3u, 5u}) {
        if (count > units_of(wish)) break;
        const Outcome joint = run_jointly(wish, count, random);
        EXPECT_EQ(joint.error, alone.error) << count;
        if (alone.error.empty()) {
            EXPECT_EQ(joint.rows.all, alone.rows.all) << count;
        }
        EXPECT_EQ(joint.summary.unit_steps, alone.summary.unit_steps) << count;
        EXPECT_EQ(joint.summary.iterations, alone.summary.iterations) << count;
        EXPECT_EQ(joint.summary.events, alone.summary.events) << count;
        EXPECT_EQ(joint.summary.rejections, alone.summary.rejections) << count;
        EXPECT_EQ(joint.summary.solvers.size(), alone.summary.solvers.size()) << count;
    }
}

class JointRun : public ::testing::TestWithParam<fs::path> {};
class FederatedRun : public ::testing::TestWithParam<fs::path> {};

std::vector<fs::path> cases() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(CASES))
        if (entry.path().extension() == ".yaml") files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

TEST_P(JointRun, GivesTheBitsOfOneProcess) { expect_equal({GetParam()}); }

/// Commands of all kinds are in place, and all federates do the same.
TEST_P(FederatedRun, GivesTheBitsOfOneProcess) {
    const Wish wish{GetParam()};
    Outcome alone;
    run(wish, nullptr, {}, alone);
    const Outcome joint =
        run_federated(wish, static_cast<std::uint32_t>(std::min<std::size_t>(units_of(wish), 3)));
    EXPECT_EQ(joint.error, alone.error);
    if (alone.error.empty()) {
        EXPECT_EQ(joint.rows.all, alone.rows.all);
    }
    EXPECT_EQ(joint.summary.unit_steps, alone.summary.unit_steps);
}

std::string case_name(const ::testing::TestParamInfo<fs::path>& each) {
    std::string name =
        each.param.parent_path().filename().string() + "_" + each.param.stem().string();
    std::ranges::replace_if(
        name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
    return name;
}
INSTANTIATE_TEST_SUITE_P(Cases, JointRun, ::testing::ValuesIn(cases()), case_name);
INSTANTIATE_TEST_SUITE_P(Cases, FederatedRun, ::testing::ValuesIn(cases()), case_name);

const fs::path coupled = fs::path(CASES) / "coupled-msd/scenario.yaml";

TEST(JointAlgorithms, GiveTheBitsOfOneProcess) {
    using scenario::Recipe;
    expect_equal({coupled, [](auto& s) { s.algorithm.recipe = Recipe::jacobi; }});
    expect_equal({coupled, [](auto& s) { s.algorithm.recipe = Recipe::gauss_seidel; }});
    expect_equal({coupled, [](auto& s) { s.algorithm.recipe = Recipe::iterated_jacobi; }});
    expect_equal({coupled, [](auto& s) {
                      s.algorithm.recipe = Recipe::iterated_jacobi;
                      s.loops.method = scenario::LoopMethod::newton;
                  }});
    expect_equal({coupled, [](auto& s) {
                      s.algorithm.recipe = Recipe::iterated_jacobi;
                      s.loops.method = scenario::LoopMethod::iqn_ils;
                  }});
    expect_equal({coupled, [](auto& s) {
                      s.step_control.controller = scenario::StepController::predictor;
                      s.step_control.tolerance = 1e-3;
                  }});
}

} // namespace
} // namespace rubato::test
