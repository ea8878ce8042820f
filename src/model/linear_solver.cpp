// SPDX-License-Identifier: Apache-2.0
#include "linear_solver.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>

namespace rubato::model {

namespace {

/// product = left · right. Most numbers of the matrices here are 0.
void multiply(const Matrix& left, const Matrix& right, Matrix& product) {
    std::fill(product.values.begin(), product.values.end(), 0.0);
    for (std::size_t i = 0; i < left.rows; ++i) {
        double* const row = &product(i, 0);
        for (std::size_t k = 0; k < left.columns; ++k) {
            const double factor = left(i, k);
            if (factor == 0) continue;
            const double* const other = right.values.data() + k * right.columns;
            for (std::size_t j = 0; j < right.columns; ++j) row[j] += factor * other[j];
        }
    }
}

/// The largest sum of absolute values in a row.
double norm(const Matrix& matrix) {
    double largest = 0;
    for (std::size_t i = 0; i < matrix.rows; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < matrix.columns; ++j) sum += std::abs(matrix(i, j));
        largest = std::max(largest, sum);
    }
    return largest;
}

/// Numbers between -2 and 2 that are the same every time.
class Scatter {
public:
    double next() {
        seed_ = seed_ * 6364136223846793005u + 1442695040888963407u;
        return static_cast<double>(seed_ >> 11) * 0x1p-51 - 2.0;
    }

private:
    std::uint64_t seed_ = 1;
};

} // namespace

LinearSolver::LinearSolver(const ModelType& type)
    : type_(type), states_(type.layout.states.size()),
      inputs_(type.layout.continuous_inputs.size()), probe_(type.size), result_(type.size),
      equations_(states_, states_ + inputs_ + 1),
      generator_(states_ + 3 * inputs_ + 1, states_ + 3 * inputs_ + 1), power_(generator_),
      product_(generator_), cache_{Discretization{0, {states_, generator_.columns}},
                                   Discretization{0, {states_, generator_.columns}},
                                   Discretization{0, {states_, generator_.columns}},
                                   Discretization{0, {states_, generator_.columns}}},
      start_(states_ + inputs_) {}

double* LinearSolver::state(std::byte* object, std::size_t i) const {
    return reinterpret_cast<double*>(object + type_.layout.states[i]);
}

double* LinearSolver::input(std::byte* object, std::size_t i) const {
    return reinterpret_cast<double*>(object + type_.layout.continuous_inputs[i]);
}

void LinearSolver::prepare(const std::byte* object, double time, std::uint64_t version) {
    if (is_prepared(version)) return;
    version_ = 0;
    std::memcpy(probe_.data(), object, probe_.size());
    std::memcpy(result_.data(), object, result_.size());
    probe(time);
    check_linear(time);
    fill_continuous();
    for (Discretization& entry : cache_) entry.h = 0;
    version_ = version;
}

void LinearSolver::evaluate(double time) { type_.derivatives(probe_.data(), time, result_.data()); }

/// c = f(0, 0); the columns of A and B are f(e, 0) - c and f(0, e) - c.
void LinearSolver::probe(double time) {
    const std::size_t unknowns = states_ + inputs_;
    const auto variable = [&](std::size_t i) {
        return i < states_ ? state(probe_.data(), i) : input(probe_.data(), i - states_);
    };
    for (std::size_t i = 0; i < unknowns; ++i) *variable(i) = 0;
    evaluate(time);
    for (std::size_t row = 0; row < states_; ++row)
        equations_(row, unknowns) = *state(result_.data(), row);
    for (std::size_t column = 0; column < unknowns; ++column) {
        *variable(column) = 1;
        evaluate(time);
        *variable(column) = 0;
        for (std::size_t row = 0; row < states_; ++row)
            equations_(row, column) = *state(result_.data(), row) - equations_(row, unknowns);
    }
}

void LinearSolver::check_linear(double time) {
    static constexpr double tolerance = 1e-9;
    Scatter scatter;
    for (const double scale : {1.0, -1.0, 100.0}) {
        for (std::size_t i = 0; i < states_; ++i) *state(probe_.data(), i) = scale * scatter.next();
        for (std::size_t i = 0; i < inputs_; ++i) *input(probe_.data(), i) = scale * scatter.next();
        evaluate(time + std::abs(scale - 1));
        for (std::size_t row = 0; row < states_; ++row) {
            double expected = equations_(row, states_ + inputs_);
            double size = std::abs(expected);
            const auto add = [&](double coefficient, double value) {
                expected += coefficient * value;
                size += std::abs(coefficient * value);
            };
            for (std::size_t i = 0; i < states_; ++i)
                add(equations_(row, i), *state(probe_.data(), i));
            for (std::size_t i = 0; i < inputs_; ++i)
                add(equations_(row, states_ + i), *input(probe_.data(), i));
            const double found = *state(result_.data(), row);
            if (std::abs(found - expected) <= tolerance * size) continue; // false for NaN
            throw std::runtime_error("solver \"exact\" needs a model that is linear in its states "
                                     "and inputs and does not depend on time; the derivatives of "
                                     "model \"" +
                                     type_.name + "\" are not. Use solver \"rk4\"");
        }
    }
}

/// z = (x, u, u', u'', 1)
void LinearSolver::fill_continuous() {
    const std::size_t n = states_;
    const std::size_t m = inputs_;
    std::fill(generator_.values.begin(), generator_.values.end(), 0.0);
    for (std::size_t row = 0; row < n; ++row) {
        for (std::size_t i = 0; i < n + m; ++i) generator_(row, i) = equations_(row, i);
        generator_(row, n + 3 * m) = equations_(row, n + m);
    }
    for (std::size_t i = 0; i < 2 * m; ++i) generator_(n + i, n + m + i) = 1;
}

const Matrix& LinearSolver::transition_for(double h) {
    for (const Discretization& entry : cache_)
        if (entry.h == h) return entry.transition;
    Discretization& entry = cache_[next_];
    next_ = (next_ + 1) % cache_.size();
    exponential(h, entry.transition);
    entry.h = h;
    return entry.transition;
}

/// The first rows of exp(M h): a Taylor polynomial of M h / 2^s, squared s times. With a norm of at
/// most 1/2 the first term left out, of degree 15, is below 2.4e-17.
void LinearSolver::exponential(double h, Matrix& rows) {
    int exponent = 0;
    std::frexp(norm(generator_) * h, &exponent);
    const int squarings = std::max(0, exponent + 1);
    const double scaled = std::ldexp(h, -squarings);
    const std::size_t size = generator_.rows;
    std::fill(power_.values.begin(), power_.values.end(), 0.0);
    for (std::size_t i = 0; i < size; ++i) power_(i, i) = 1;
    for (int degree = 14; degree > 0; --degree) { // Horner: E = I + (M h / degree) E
        multiply(generator_, power_, product_);
        for (double& value : product_.values) value *= scaled / degree;
        for (std::size_t i = 0; i < size; ++i) product_(i, i) += 1;
        std::swap(power_.values, product_.values);
    }
    for (int i = 0; i < squarings; ++i) {
        multiply(power_, power_, product_);
        std::swap(power_.values, product_.values);
    }
    std::copy_n(power_.values.begin(), rows.values.size(), rows.values.begin());
}

void LinearSolver::step(std::byte* object, double h, const double* input_derivatives, double tau) {
    const Matrix& transition = transition_for(h);
    const std::size_t n = states_;
    const std::size_t m = inputs_;
    double* const start = start_.data(); // states, then inputs
    for (std::size_t i = 0; i < n; ++i) start[i] = *state(object, i);
    for (std::size_t i = 0; i < m; ++i) start[n + i] = *input(object, i);
    const double* coefficients = transition.values.data();
    for (std::size_t row = 0; row < n; ++row, coefficients += transition.columns) {
        double sum = coefficients[n + 3 * m];
        for (std::size_t i = 0; i < n + m; ++i) sum += coefficients[i] * start[i];
        for (std::size_t i = 0; input_derivatives != nullptr && i < m; ++i) {
            const double second = input_derivatives[2 * i + 1];
            const double first = input_derivatives[2 * i] + tau * second;
            sum += coefficients[n + m + i] * first + coefficients[n + 2 * m + i] * second;
        }
        *state(object, row) = sum;
    }
}

} // namespace rubato::model
