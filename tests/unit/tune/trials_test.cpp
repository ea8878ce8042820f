// SPDX-License-Identifier: Apache-2.0
#include "tune/trials.hpp"
#include "tuning.hpp"

#include <gmock/gmock.h>

#include <csignal>
#include <thread>

namespace rubato::pipeline {
namespace {

using Fate = TrialResult::Fate;
using ::testing::HasSubstr;

/// A unit that ends badly in its first step.
class BadUnit final : public unit::Unit {
public:
    BadUnit(std::string name, const scenario::UnitDescription& description)
        : Unit(std::move(name), description) {}

private:
    void do_enter_initialization(const unit::Horizon&) override {}
    void do_exit_initialization() override {}
    void do_set(const Bulk&) override {}
    void do_get(const Bulk& values) override {
        for (double& value : values.reals()) value = 0;
    }
    unit::StepResult do_step(Time from, Duration by) override {
        if (name() == "crashes") std::raise(SIGSEGV);
        if (name() == "exits") std::_Exit(0);
        while (name() == "hangs") std::this_thread::sleep_for(std::chrono::milliseconds(10));
        if (name() == "throws") fail("step", "it does not want to");
        return {from + by};
    }
    void do_terminate() override {}
};

class BadFactory final : public unit::UnitFactory {
public:
    BadFactory() {
        scenario::Variable output;
        output.name = "y";
        output.causality = scenario::Causality::output;
        description_.variables = {output};
        description_.model = "bad";
    }
    bool makes(const scenario::UnitOrigin& origin) const override {
        const auto* const native = std::get_if<scenario::NativeModel>(&origin);
        return native && native->name == "bad";
    }
    const scenario::UnitDescription& describe(const scenario::Unit&,
                                              const std::filesystem::path&) override {
        return description_;
    }
    std::unique_ptr<unit::Unit> instantiate(const scenario::Unit& unit,
                                            const std::filesystem::path&) override {
        return std::make_unique<BadUnit>(unit.name, description_);
    }

private:
    scenario::UnitDescription description_;
};

TEST(Trials, SurviveUnitsThatCrashExitHangOrFail) {
    test::Tuning tuning;
    tuning.library.add(std::make_unique<BadFactory>());
    std::vector<Trial> trials;
    for (const char* name : {"crashes", "exits", "hangs", "throws", "works"}) {
        Diagnostics diagnostics;
        trials.push_back({.scenario = parse(std::string("rubato: 1\nunits: {") + name +
                                                ": {model: bad}}\nexperiment: {stop: 1, step: "
                                                "0.1}\n",
                                            "bad.yaml", diagnostics),
                          .limit = 2});
        diagnostics.throw_if_errors();
    }
    const std::vector<TrialResult> results = run_trials(trials, tuning.library, 3, nullptr);
    ASSERT_EQ(results.size(), 5u);
    EXPECT_EQ(results[0].fate, Fate::crashed);
    EXPECT_THAT(results[0].message, HasSubstr("signal 11"));
    EXPECT_EQ(results[1].fate, Fate::crashed);
    EXPECT_EQ(results[2].fate, Fate::timed_out);
    EXPECT_EQ(results[3].fate, Fate::failed);
    EXPECT_THAT(results[3].message, HasSubstr("it does not want to"));
    EXPECT_EQ(results[4].fate, Fate::completed) << results[4].message;
    EXPECT_EQ(results[4].trace.times.size(), 11u);
    EXPECT_EQ(results[4].costs.unit_steps, 10);
}

TEST(Trials, GiveTheValuesOfARun) {
    const test::Tuning tuning("studies/step-control/coupled-oscillators.yaml");
    test::Tuning copy("studies/step-control/coupled-oscillators.yaml");
    const Trial trial{.scenario = tuning.scenario};
    const auto results = run_trials(std::vector{trial, trial}, copy.library, 2, nullptr);
    ASSERT_EQ(results[0].fate, Fate::completed) << results[0].message;
    EXPECT_EQ(results[0].trace.values, results[1].trace.values);
    EXPECT_EQ(results[0].trace.times.size(), 1001u);
    EXPECT_EQ(results[0].costs.unit_steps, 2000);
    EXPECT_EQ(results[0].costs.messages, 2000); // two directions
}

TEST(Trials, StopWhenAskedTo) {
    test::Tuning tuning("studies/step-control/coupled-oscillators.yaml");
    const std::atomic<bool> stop = true;
    const auto results =
        run_trials(std::vector{Trial{.scenario = tuning.scenario}}, tuning.library, 1, &stop);
    EXPECT_EQ(results[0].fate, Fate::timed_out);
}

} // namespace
} // namespace rubato::pipeline
