// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "loop_solver.hpp"

#include <memory>

namespace rubato::engine {

/// Newton's method for F(x) = G(x) - x = 0, over the guessed values, by SUNDIALS' KINSOL. The
/// Jacobian is composed of the units' directional derivatives, else of differences: one iteration
/// from each x_j moved a little. It is kept, for loops to come, too, as long as an iteration leaves
/// less than a third of the residual; then it is made anew where the loop stands.
///
/// The problem decides when the loop has ended; KINSOL is then told that F cannot be evaluated.
class Newton final : public LoopSolver {
public:
    explicit Newton(LoopSize size);
    ~Newton() override;

    void solve(LoopProblem& problem, std::span<double> x) override;
    void visit_state(StateArchive& archive) override;
    /// Whether the last `solve` has found no way on.
    bool has_failed() const;

private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

} // namespace rubato::engine
