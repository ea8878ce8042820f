// SPDX-License-Identifier: Apache-2.0
#include "quasi_newton.hpp"

#include "program/state_archive.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rubato::engine {

namespace {

constexpr std::size_t most_columns = 40;
constexpr double least_new_part = 1e-8;        // of a column of this loop
constexpr double least_new_part_of_old = 1e-2; // of a loop before
constexpr double least_length = 1e-2;          // of a column, in tolerances

double dot(std::span<const double> a, std::span<const double> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double length(std::span<const double> a) { return std::sqrt(dot(a, a)); }

} // namespace

QuasiNewton::QuasiNewton(LoopSize size, double first, std::size_t reuse)
    : size_(size), first_(first), reuse_(reuse),
      capacity_(std::min<std::size_t>(most_columns, 2 * size.guessed + 2)),
      residuals_(capacity_ * size.guessed), values_(capacity_ * size.all), loops_(capacity_),
      basis_(capacity_ * size.guessed), triangle_(capacity_ * capacity_), kept_(capacity_),
      coefficients_(capacity_), residual_(size.guessed), last_residual_(size.guessed),
      value_(size.all), g_(size.all) {}

void QuasiNewton::solve(LoopProblem& problem, std::span<double> x) {
    begin();
    if (try_out(problem, x)) go_on(problem, x);
}

void QuasiNewton::go_on(LoopProblem& problem, std::span<double> x) {
    do propose(x, problem.weights());
    while (try_out(problem, x));
}

/// The last iteration, too, is of use to the next loop.
bool QuasiNewton::try_out(LoopProblem& problem, std::span<const double> x) {
    const bool goes_on = problem.iterate(x, g_);
    learn(x, g_, std::isfinite(problem.change()));
    return goes_on;
}

void QuasiNewton::begin() {
    ++loop_;
    has_last_ = false;
    while (count_ > 0 && loop_ - loops_[of_age(count_ - 1)] > reuse_) --count_;
}

void QuasiNewton::learn(std::span<const double> x, std::span<const double> g, bool usable) {
    for (std::size_t i = 0; i < size_.guessed; ++i) residual_[i] = g[i] - x[i];
    if (has_last_ && usable) add_column(g);
    std::ranges::copy(residual_, last_residual_.begin());
    std::ranges::copy(g, value_.begin());
    has_last_ = usable;
}

void QuasiNewton::return_to(std::span<const double> x, std::span<const double> g) {
    for (std::size_t i = 0; i < size_.guessed; ++i) residual_[i] = g[i] - x[i];
    std::ranges::copy(residual_, last_residual_.begin());
    std::ranges::copy(g, value_.begin());
    std::size_t of_this_loop = 0;
    while (of_this_loop < count_ && loops_[of_age(of_this_loop)] == loop_) ++of_this_loop;
    for (std::size_t age = 0; age < of_this_loop / 2; ++age) {
        const std::size_t one = of_age(age), other = of_age(of_this_loop - 1 - age);
        std::ranges::swap_ranges(column(residuals_, one, size_.guessed),
                                 column(residuals_, other, size_.guessed));
        std::ranges::swap_ranges(column(values_, one, size_.all),
                                 column(values_, other, size_.all));
    }
}

void QuasiNewton::add_column(std::span<const double> g) {
    newest_ = (newest_ + 1) % capacity_;
    count_ = std::min(count_ + 1, capacity_);
    loops_[newest_] = loop_;
    const auto v = column(residuals_, newest_, size_.guessed);
    const auto w = column(values_, newest_, size_.all);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = residual_[i] - last_residual_[i];
    for (std::size_t i = 0; i < w.size(); ++i) w[i] = g[i] - value_[i];
}

void QuasiNewton::propose(std::span<double> x, std::span<const double> weights) {
    const std::size_t columns = orthogonalize(weights);
    if (columns == 0) {
        for (std::size_t i = 0; i < size_.guessed; ++i) x[i] += first_ * residual_[i];
        std::copy(value_.begin() + static_cast<std::ptrdiff_t>(size_.guessed), value_.end(),
                  x.begin() + static_cast<std::ptrdiff_t>(size_.guessed));
        return;
    }
    find_coefficients(columns, weights);
    std::ranges::copy(value_, x.begin());
    for (std::size_t k = 0; k < columns; ++k) {
        const auto w = column(values_, kept_[k], size_.all);
        for (std::size_t i = 0; i < size_.all; ++i) x[i] += coefficients_[k] * w[i];
    }
}

/// Gram and Schmidt, from the newest column to the oldest: V = Q R. Returns how many are kept.
std::size_t QuasiNewton::orthogonalize(std::span<const double> weights) {
    std::size_t rank = 0;
    for (std::size_t age = 0; age < count_ && rank < size_.guessed; ++age) {
        const std::size_t n = of_age(age);
        const auto v = column(residuals_, n, size_.guessed);
        const auto q = column(basis_, rank, size_.guessed);
        std::ranges::transform(v, weights, q.begin(), std::multiplies<>{});
        const double whole = length(q);
        for (std::size_t k = 0; k < rank; ++k) {
            const auto other = column(basis_, k, size_.guessed);
            const double part = dot(q, other);
            triangle_[k * capacity_ + rank] = part;
            for (std::size_t i = 0; i < q.size(); ++i) q[i] -= part * other[i];
        }
        const double rest = length(q);
        const double least = loops_[n] == loop_ ? least_new_part : least_new_part_of_old;
        if (!(rest > least * whole && whole > least_length && std::isfinite(rest))) continue;
        triangle_[rank * capacity_ + rank] = rest;
        for (double& value : q) value /= rest;
        kept_[rank++] = n;
    }
    return rank;
}

/// R c = -Qᵀ r
void QuasiNewton::find_coefficients(std::size_t columns, std::span<const double> weights) {
    for (std::size_t k = columns; k-- > 0;) {
        const auto q = column(basis_, k, size_.guessed);
        double sum = 0;
        for (std::size_t i = 0; i < q.size(); ++i) sum -= q[i] * weights[i] * residual_[i];
        for (std::size_t j = k + 1; j < columns; ++j)
            sum -= triangle_[k * capacity_ + j] * coefficients_[j];
        coefficients_[k] = sum / triangle_[k * capacity_ + k];
    }
}

void QuasiNewton::visit_state(StateArchive& archive) {
    archive(residuals_, values_, loops_, count_, newest_, loop_);
}

} // namespace rubato::engine
