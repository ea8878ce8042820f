// SPDX-License-Identifier: Apache-2.0
#include "loop_solver.hpp"

#include "newton.hpp"
#include "program/state_archive.hpp"
#include "quasi_newton.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace rubato::engine {

using scenario::LoopMethod;

namespace {

/// How much an iteration has left of the residuals of the guessed values; 0: unknown.
class Contraction {
public:
    double next(const LoopProblem& problem, std::span<const double> x, std::span<const double> g) {
        double largest = 0;
        const auto weights = problem.weights();
        for (std::size_t i = 0; i < weights.size(); ++i)
            largest = std::max(largest, weights[i] * std::abs(g[i] - x[i]));
        const bool usable = std::isfinite(problem.change()) && std::isfinite(largest);
        const double result = usable && last_ > 1 ? largest / last_ : 0;
        over_two_ = usable && before_ > 1 ? std::sqrt(largest / before_) : 0;
        before_ = usable ? last_ : 0;
        last_ = usable ? largest : 0;
        worst_ = std::max(worst_, result);
        return result;
    }
    /// Of all iterations.
    double worst() const { return worst_; }
    /// The mean over the last two iterations: values that go round in a loop may take turns to grow
    /// while all of them shrink. 0: unknown.
    double over_two() const { return over_two_; }

private:
    double last_ = 0, before_ = 0; ///< residuals
    double over_two_ = 0, worst_ = 0;
};

/// x := g
class Plain final : public LoopSolver {
public:
    explicit Plain(LoopSize size) : g_(size.all) {}

    void solve(LoopProblem& problem, std::span<double> x) override {
        Contraction contraction;
        for (bool goes_on = true; goes_on;) {
            goes_on = problem.iterate(x, g_);
            problem.note_contraction(contraction.next(problem, x, g_));
            std::ranges::copy(g_, x.begin());
        }
    }

private:
    std::vector<double> g_;
};

/// x := x + ω (g - x), by a class that knows ω. What is not guessed follows.
template <class Factor>
class Damped final : public LoopSolver {
public:
    Damped(LoopSize size, Factor factor)
        : guessed_(size.guessed), factor_(std::move(factor)), g_(size.all) {}

    void solve(LoopProblem& problem, std::span<double> x) override {
        factor_.begin();
        while (problem.iterate(x, g_)) {
            if (!std::isfinite(problem.change())) factor_.begin(); // not the same G as before
            const auto guesses = x.first(guessed_);
            const double factor = factor_.next(guesses, g_, problem.weights());
            for (std::size_t i = 0; i < guessed_; ++i) g_[i] = x[i] + factor * (g_[i] - x[i]);
            std::ranges::copy(g_, x.begin());
        }
    }

private:
    std::size_t guessed_;
    Factor factor_;
    std::vector<double> g_;
};

class FixedFactor {
public:
    explicit FixedFactor(double factor) : factor_(factor) {}
    void begin() {}
    double next(std::span<const double>, std::span<const double>, std::span<const double>) {
        return factor_;
    }

private:
    double factor_;
};

/// From the last two residuals r = g - x (Irons and Tuck 1969): ω := -ω r' · (r - r') / |r - r'|²,
/// weighted so that 1 is what a value may change.
class AitkenFactor {
public:
    AitkenFactor(double first, std::size_t guessed) : first_(first), last_residual_(guessed) {}

    void begin() { is_first_ = true; }

    double next(std::span<const double> x, std::span<const double> g,
                std::span<const double> weights) {
        double along = 0, square = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double residual = g[i] - x[i];
            const double difference = weights[i] * (residual - last_residual_[i]);
            along += weights[i] * last_residual_[i] * difference;
            square += difference * difference;
            last_residual_[i] = residual;
        }
        constexpr double least = 1e-6; // less than that is no way on
        if (!is_first_ && square > 0) factor_ *= -along / square;
        if (is_first_ || !(std::abs(factor_) > least)) factor_ = first_;
        is_first_ = false;
        return factor_;
    }

private:
    double first_;
    double factor_ = 1;
    bool is_first_ = true;
    std::vector<double> last_residual_;
};

/// Plain iteration while that converges fast. Where it does not, from there on and for all loops to
/// come: Newton, if units give derivatives, so that a Jacobian costs little; else IQN-ILS, which
/// has learnt from the plain iterations already. Newton that gets nowhere is left for IQN-ILS, too.
/// Where an iteration diverges, the next method starts from the first guess: what diverging has
/// come to may be nearer to another solution, or far from any.
class Automatic final : public LoopSolver {
public:
    Automatic(const scenario::LoopSettings& settings, LoopSize size, bool tells_derivatives)
        : size_(size),
          quasi_newton_(size, settings.relaxation, static_cast<std::size_t>(settings.reuse)),
          g_(size.all), first_x_(size.all), first_g_(size.all) {
        constexpr std::size_t most_for_newton = 100; // its matrix is dense
        if (tells_derivatives && size.guessed <= most_for_newton) newton_.emplace(size);
    }

    void solve(LoopProblem& problem, std::span<double> x) override {
        std::ranges::copy(x, first_x_.begin());
        if (method_ == LoopMethod::plain) return iterate(problem, x);
        if (method_ == LoopMethod::iqn_ils) return quasi_newton_.solve(problem, x);
        solve_by_newton(problem, x);
    }

    void visit_state(StateArchive& archive) override {
        archive(method_, contraction_);
        quasi_newton_.visit_state(archive);
        if (newton_) newton_->visit_state(archive);
    }

private:
    void iterate(LoopProblem& problem, std::span<double> x) {
        Contraction contraction;
        quasi_newton_.begin();
        for (bool is_first = true;; is_first = false) {
            problem.allow_overflow(!is_first);
            const bool goes_on = problem.iterate(x, g_);
            problem.allow_overflow(false);
            if (problem.has_overflowed()) return turn(problem, x, HUGE_VAL);
            const double left = contraction.next(problem, x, g_);
            problem.note_contraction(left);
            if (!goes_on) return;
            const bool usable = std::isfinite(problem.change());
            quasi_newton_.learn(x, g_, usable);
            if (is_first) {
                std::ranges::copy(g_, first_g_.begin());
                first_is_usable_ = usable;
            }
            const double trend = left < 1 ? left : contraction.over_two();
            if (is_slow(problem.change(), trend)) return turn(problem, x, contraction.worst());
            std::ranges::copy(g_, x.begin());
        }
    }

    void solve_by_newton(LoopProblem& problem, std::span<double> x) {
        newton_->solve(problem, x);
        if (problem.has_ended() || !newton_->has_failed()) return;
        choose(problem, LoopMethod::iqn_ils, contraction_);
        go_back(problem, x);
        quasi_newton_.solve(problem, x);
    }

    void go_back(LoopProblem& problem, std::span<double> x) {
        std::ranges::copy(first_x_, x.begin());
        problem.reset_discrete();
    }

    /// Whether plain iteration will take longer than what could replace it, to which as many
    /// iterations are allowed as learning the whole Jacobian would take.
    bool is_slow(double change, double contraction) const {
        constexpr std::size_t most_to_learn = 8;
        if (contraction <= 0) return false;
        if (contraction >= 1) return true;
        const double to_come = std::log(change) / -std::log(contraction);
        return to_come > static_cast<double>(std::min(size_.guessed, most_to_learn) + 2);
    }

    void turn(LoopProblem& problem, std::span<double> x, double contraction) {
        const bool diverges = contraction >= 1;
        choose(problem, newton_ ? LoopMethod::newton : LoopMethod::iqn_ils, contraction);
        if (diverges) go_back(problem, x);
        if (newton_) {
            if (!diverges) std::ranges::copy(g_, x.begin());
            return solve_by_newton(problem, x);
        }
        if (diverges && !first_is_usable_) return quasi_newton_.solve(problem, x);
        if (diverges) quasi_newton_.return_to(first_x_, first_g_);
        quasi_newton_.go_on(problem, x);
    }

    void choose(LoopProblem& problem, LoopMethod method, double contraction) {
        method_ = method;
        contraction_ = contraction;
        problem.note_choice(method, contraction);
    }

    LoopSize size_;
    QuasiNewton quasi_newton_;
    std::optional<Newton> newton_;
    std::vector<double> g_;
    std::vector<double> first_x_, first_g_; ///< of the first iteration
    bool first_is_usable_ = false;          ///< no discrete value has changed in it
    LoopMethod method_ = LoopMethod::plain;
    double contraction_ = 0;
};

} // namespace

std::unique_ptr<LoopSolver> make_loop_solver(const scenario::LoopSettings& settings, LoopSize size,
                                             bool tells_derivatives) {
    if (size.guessed == 0) return std::make_unique<Plain>(size);
    switch (settings.method) {
    case LoopMethod::automatic:
        return std::make_unique<Automatic>(settings, size, tells_derivatives);
    case LoopMethod::plain: return std::make_unique<Plain>(size);
    case LoopMethod::relaxed:
        return std::make_unique<Damped<FixedFactor>>(size, FixedFactor(settings.relaxation));
    case LoopMethod::aitken:
        return std::make_unique<Damped<AitkenFactor>>(
            size, AitkenFactor(settings.relaxation, size.guessed));
    case LoopMethod::iqn_ils:
        return std::make_unique<QuasiNewton>(size, settings.relaxation,
                                             static_cast<std::size_t>(settings.reuse));
    case LoopMethod::newton: break;
    }
    return std::make_unique<Newton>(size);
}

} // namespace rubato::engine
