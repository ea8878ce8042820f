// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "execution/executor.hpp"
#include "loop_solver.hpp"

namespace rubato::engine {

/// A fixed-point loop that an executor has under way. Every iteration starts from the units as they
/// were at the first one, and is judged by what all values of the loop change.
class LoopRun final : public LoopProblem {
public:
    LoopRun(Executor& executor, FixedPointLoop& loop, BlockOutcome& outcome);

    /// What the first iteration starts from.
    std::span<double> start() { return loop_.start; }
    bool starts_finite() const;
    /// How the loop has ended.
    Flow flow() const { return flow_; }

    bool iterate(std::span<const double> x, std::span<double> g) override;
    void allow_overflow(bool allowed) override { may_overflow_ = allowed; }
    bool has_overflowed() const override { return has_overflowed_; }
    bool sample(std::span<const double> x, std::span<double> g) override;
    bool differentiate(std::size_t j, std::span<double> column) override;
    void reset_discrete() override { executor_.restore_first_discrete(loop_); }
    double change() const override { return change_; }
    std::span<const double> weights() const override { return loop_.weights; }
    double nominal(std::size_t j) const override { return reals()[j].nominal; }
    void note_contraction(double contraction) override;
    void note_choice(scenario::LoopMethod method, double contraction) override;
    void note_jacobian() override { ++loop_.work.jacobians; }

private:
    const std::vector<LoopValue>& reals() const {
        return loop_.values[static_cast<std::size_t>(Storage::real)];
    }
    double* slots() const { return executor_.plan_.buffers.reals.data(); }
    bool execute(std::span<const double> x, std::span<double> g);
    bool execute_or_overflow(std::span<const double> x, std::span<double> g);
    void note_move(std::span<const double> x);
    bool has_leapt() const;
    void conclude(bool is_done);
    void weigh();

    Executor& executor_;
    FixedPointLoop& loop_;
    BlockOutcome& outcome_;
    int iterations_ = 0; ///< towards the limit
    bool is_first_ = true;
    const bool event_before_; ///< a unit outside the loop has one
    bool may_overflow_ = false, has_overflowed_ = false;
    double change_ = 0;
    double moved_ = 0; ///< since the iteration before, in tolerances
    Flow flow_ = Flow::proceed;
};

} // namespace rubato::engine
