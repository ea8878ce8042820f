// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "loop_solver.hpp"

#include <vector>

namespace rubato::engine {

/// Interface quasi-Newton with the inverse of the Jacobian from least squares (IQN-ILS: Degroote,
/// Bathe, Vierendeels 2009), which is Anderson's acceleration: with the residual r = g - x, the
/// differences V of residuals and W of G over the last iterations, also of loops before,
/// x := g + W c, where c makes |V c + r| least. V has the guessed values only, weighted so that 1
/// is what they may change; W has all.
///
/// Columns of V that nearly depend on newer ones are left out: those of earlier loops, of which G
/// may have changed, sooner than those of this one, where only rounding is to be feared; and
/// columns that are tiny relative to the tolerance.
class QuasiNewton final : public LoopSolver {
public:
    /// `first`: the part of the way that is gone while there is no column.
    QuasiNewton(LoopSize size, double first, std::size_t reuse);

    void solve(LoopProblem& problem, std::span<double> x) override;
    void visit_state(StateArchive& archive) override;

    /// A loop begins; what is known of loops too long ago is forgotten.
    void begin();
    /// An iteration has made g of x. `usable`: false if G changed during this iteration, for
    /// example because a discrete value switched; then the pair does not enter V and W.
    void learn(std::span<const double> x, std::span<const double> g, bool usable);
    /// What to try after what was learnt last; written over x.
    void propose(std::span<double> x, std::span<const double> weights);
    /// Continues from an iteration of this loop that was learnt before those after it. What was
    /// learnt near to it then counts more than what was learnt last.
    void return_to(std::span<const double> x, std::span<const double> g);
    /// Continues after what was learnt last.
    void go_on(LoopProblem& problem, std::span<double> x);

private:
    std::span<double> column(std::vector<double>& table, std::size_t n, std::size_t length) const {
        return std::span(table).subspan(n * length, length);
    }
    std::size_t of_age(std::size_t age) const { return (newest_ + capacity_ - age) % capacity_; }
    bool try_out(LoopProblem& problem, std::span<const double> x);
    void add_column(std::span<const double> g);
    std::size_t orthogonalize(std::span<const double> weights);
    void find_coefficients(std::size_t columns, std::span<const double> weights);

    LoopSize size_;
    double first_;
    std::size_t reuse_, capacity_;
    std::vector<double> residuals_, values_; ///< columns of V and W, in a ring
    std::vector<std::size_t> loops_;         ///< that the columns are of
    std::size_t count_ = 0, newest_ = 0, loop_ = 0;
    std::vector<double> basis_, triangle_; ///< Q by columns and R by rows, of the weighted V
    std::vector<std::size_t> kept_;        ///< column of V by column of Q
    std::vector<double> coefficients_;
    std::vector<double> residual_, last_residual_, value_, g_;
    bool has_last_ = false; ///< of this loop
};

} // namespace rubato::engine
