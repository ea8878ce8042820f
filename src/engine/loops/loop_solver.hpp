// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/scenario/loop_settings.hpp>

#include <cstddef>
#include <memory>
#include <span>

namespace rubato::engine {

class StateArchive;

/// How many reals a loop is about.
struct LoopSize {
    std::size_t all = 0;
    std::size_t guessed = 0; ///< the first of them: what an iteration starts from
};

/// A loop under way: x = G(x) is wanted, where G is one iteration. It starts from the guessed
/// values alone; the others follow from them within it. What x says of those is a prediction: the
/// loop has converged when it is right for all.
class LoopProblem {
public:
    virtual ~LoopProblem() = default;
    /// g = G(x). False: that was the last one; it has converged, or is at the limit, or a unit has
    /// ended the step.
    [[nodiscard]] virtual bool iterate(std::span<const double> x, std::span<double> g) = 0;
    bool has_ended() const { return has_ended_; }
    /// From now on, an iteration in which a unit gives NaN or infinity is no Error: the loop
    /// continues, and g says nothing.
    virtual void allow_overflow(bool) {}
    /// Whether the last iteration was such a one.
    virtual bool has_overflowed() const { return false; }
    /// After an iteration: how far g was from x, in tolerances; infinite where that says nothing.
    virtual double change() const = 0;
    /// One over what the guessed values may change, as the last iteration has left them.
    virtual std::span<const double> weights() const = 0;
    /// The usual size of a guessed value.
    virtual double nominal(std::size_t j) const = 0;

    /// The same as `iterate`, only to see: it never converges. False: a unit has ended the step.
    [[nodiscard]] virtual bool sample(std::span<const double> x, std::span<double> g) = 0;
    /// ∂G/∂x_j where the last iteration was, from the units' directional derivatives. False: they
    /// have none.
    [[nodiscard]] virtual bool differentiate(std::size_t j, std::span<double> column) = 0;

    /// Discrete values are again what the first iteration has started from.
    virtual void reset_discrete() = 0;

    // What is reported about it.
    virtual void note_contraction(double contraction) = 0;
    virtual void note_choice(scenario::LoopMethod method, double contraction) = 0;
    virtual void note_jacobian() = 0;

protected:
    bool has_ended_ = false;
};

/// Knows what to start the next iteration from. Allocates nothing once it is made.
class LoopSolver {
public:
    virtual ~LoopSolver() = default;
    /// Iterates, from x on, until the problem has ended, or until this solver knows no more: then
    /// x is where another may go on.
    virtual void solve(LoopProblem& problem, std::span<double> x) = 0;
    /// What it remembers from one loop to the next.
    virtual void visit_state(StateArchive&) {}
};

/// `tells_derivatives`: of the problem to come.
std::unique_ptr<LoopSolver> make_loop_solver(const scenario::LoopSettings& settings, LoopSize size,
                                             bool tells_derivatives);

} // namespace rubato::engine
