// SPDX-License-Identifier: Apache-2.0

/// Two runs that decide together: each has a unit that the other one does not have.

#include "execution/decisions.hpp"
#include "pair.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace rubato::engine {
namespace {

/// Joins threads of one process as if they were processes.
class ThreadReductions {
public:
    explicit ThreadReductions(std::size_t count) : count_(count) {}

    /// What one of the threads sees.
    class Member final : public Reductions {
    public:
        explicit Member(ThreadReductions& all) : all_(all) {}
        void take_largest(std::span<double> numbers) override { all_.take_largest(numbers); }
        [[noreturn]] void fail(std::exception_ptr own) override { all_.fail(own); }

    private:
        ThreadReductions& all_;
    };

private:
    /// The first to come gives its numbers; the last one lets all go on.
    void take_largest(std::span<double> numbers) {
        std::unique_lock lock(mutex_);
        throw_error();
        const std::size_t round = round_;
        if (arrived_ == 0) numbers_.assign(numbers.size(), -HUGE_VAL);
        for (std::size_t i = 0; i < numbers.size(); ++i)
            if (std::isnan(numbers[i]) || numbers[i] > numbers_.at(i)) numbers_[i] = numbers[i];
        if (++arrived_ == count_) {
            results_ = numbers_;
            arrived_ = 0;
            ++round_;
            changed_.notify_all();
        }
        changed_.wait(lock, [&] { return round_ != round || error_; });
        if (round_ == round) throw_error();
        std::ranges::copy(results_, numbers.begin());
    }
    [[noreturn]] void fail(const std::exception_ptr& own) {
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = own;
        changed_.notify_all();
        std::rethrow_exception(error_);
    }
    void throw_error() const {
        if (error_) std::rethrow_exception(error_);
    }

    const std::size_t count_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t arrived_ = 0, round_ = 0;
    std::vector<double> numbers_, results_;
    std::exception_ptr error_;
};

struct JointRun {
    std::array<testing::Rows, 2> rows;
    std::array<Summary, 2> summaries;
    std::array<std::string, 2> errors;
};

/// Both at the same time, each in a thread of its own.
JointRun run_jointly(const testing::Pair& first, const testing::Pair& second) {
    ThreadReductions reductions(2);
    JointRun result;
    const auto run = [&](testing::Pair pair, std::size_t i) {
        ThreadReductions::Member member(reductions);
        pair.options.reductions = &member;
        Simulation simulation = pair.simulation();
        try {
            result.summaries[i] = simulation.run({.recorder = &result.rows[i]});
        } catch (const Error& error) {
            result.errors[i] = error.what();
        }
    };
    std::thread other(run, second, 1);
    run(first, 0);
    other.join();
    return result;
}

Summary run_alone(const testing::Pair& pair) { return pair.simulation().run({}); }

TEST(Decisions, TheShortestAcceptedStepHoldsForAll) {
    testing::Pair shy, bold;
    shy.b.largest_step = 0.07;
    bold.adjust = [](scenario::System& system) { system.units[1].can_reject_step = true; };
    const std::vector<double> expected = testing::recorded(shy).times;
    EXPECT_NE(testing::recorded(bold).times, expected);
    for (const auto& [one, two] : {std::pair(shy, bold), std::pair(bold, shy)}) {
        const JointRun joint = run_jointly(one, two);
        EXPECT_EQ(joint.rows[0].times, expected);
        EXPECT_EQ(joint.rows[1].times, expected);
    }
}

TEST(Decisions, LoopsIterateUntilAllHaveConverged) {
    testing::Pair quick, slow;
    for (testing::Pair* pair : {&quick, &slow}) {
        pair->algorithm = {.recipe = scenario::Recipe::iterated_jacobi};
        pair->options.loops.method = scenario::LoopMethod::plain;
        pair->a.initial = 1;
    }
    slow.factor = 40;
    const std::uint64_t few = run_alone(quick).iterations, many = run_alone(slow).iterations;
    EXPECT_LT(few, many);
    const JointRun joint = run_jointly(quick, slow);
    EXPECT_EQ(joint.summaries[0].iterations, many);
    EXPECT_EQ(joint.summaries[1].iterations, many);
}

TEST(Decisions, TheLargestErrorSetsTheStep) {
    testing::Pair calm, lively;
    for (testing::Pair* pair : {&calm, &lively}) {
        pair->a.initial = 1;
        pair->options.step_control.controller = scenario::StepController::predictor;
        pair->options.step_control.tolerance = 1e-3;
    }
    lively.factor = -30;
    EXPECT_NE(testing::recorded(calm).times, testing::recorded(lively).times);
    const JointRun joint = run_jointly(calm, lively);
    EXPECT_EQ(joint.rows[0].times, testing::recorded(lively).times);
    EXPECT_EQ(joint.rows[1].times, joint.rows[0].times);
}

TEST(Decisions, AnErrorEndsAll) {
    testing::Pair sound, broken;
    broken.b.not_a_number_at = 0.45;
    const JointRun joint = run_jointly(sound, broken);
    EXPECT_THAT(joint.errors[1], ::testing::HasSubstr("output \"y\" is nan"));
    EXPECT_EQ(joint.errors[0], joint.errors[1]);
    for (const testing::Rows& rows : joint.rows) {
        EXPECT_LT(rows.times.back(), 0.6);
        EXPECT_TRUE(rows.ended);
    }
}

TEST(Decisions, ANaNIsLargerThanAnyNumber) {
    ThreadReductions reductions(2);
    std::array<double, 2> answers{};
    const auto ask = [&](std::size_t i, double own) {
        ThreadReductions::Member member(reductions);
        answers[i] = Decisions(&member).largest(own);
    };
    std::thread other(ask, 1, std::nan(""));
    ask(0, HUGE_VAL);
    other.join();
    EXPECT_TRUE(std::isnan(answers[0]));
    EXPECT_TRUE(std::isnan(answers[1]));
}

/// Not the one that accepts least: so it is when one process runs all units in that order.
TEST(Decisions, TheFirstInTheProgramThatStopsDecides) {
    ThreadReductions reductions(2);
    std::array<std::optional<Interruption>, 2> answers;
    std::array<bool, 2> events{};
    const auto ask = [&](std::size_t i, const Interruption& own, bool event) {
        ThreadReductions::Member member(reductions);
        events[i] = event;
        answers[i] = Decisions(&member).first(own, events[i]);
    };
    std::thread other(ask, 1, Interruption{7, {0.1}, false, 1}, true);
    ask(0, Interruption{3, {0.2}, true, 2}, false);
    other.join();
    for (const auto& answer : answers) {
        ASSERT_TRUE(answer);
        EXPECT_EQ(answer->position, 3u);
        EXPECT_EQ(answer->accepted, Time{0.2});
        EXPECT_TRUE(answer->by_event);
        EXPECT_EQ(answer->kind, 2);
    }
    EXPECT_TRUE(events[0] && events[1]);
}

TEST(Decisions, OfOneProcessAreItsOwn) {
    const Decisions alone;
    EXPECT_EQ(alone.largest(-3), -3);
    EXPECT_EQ(alone.smallest(2), 2);
    EXPECT_FALSE(alone.any(false));
    EXPECT_TRUE(alone.any(true));
    EXPECT_EQ(alone.last(5), 5u);
    EXPECT_THROW(alone.fail(std::make_exception_ptr(Error("it"))), Error);
}

} // namespace
} // namespace rubato::engine
