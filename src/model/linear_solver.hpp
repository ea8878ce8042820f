// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/model/model_type.hpp>

#include <array>
#include <vector>

namespace rubato::model {

/// A row-major matrix whose size is fixed once.
struct Matrix {
    std::size_t rows = 0, columns = 0;
    std::vector<double> values;

    Matrix(std::size_t r, std::size_t c) : rows(r), columns(c), values(r * c, 0.0) {}
    double& operator()(std::size_t row, std::size_t column) {
        return values[row * columns + column];
    }
    double operator()(std::size_t row, std::size_t column) const {
        return values[row * columns + column];
    }
};

/// Solves models x' = A x + B u + c exactly, for inputs u that are polynomials in time of degree up
/// to 2. A, B and c are found by evaluating derivatives() at unit vectors. With the inputs, their
/// two derivatives and the number 1 as further states the system is homogeneous, z' = M z, and a
/// step is z(t+h) = exp(M h) z(t) (Van Loan 1978). Allocates in its constructor only.
class LinearSolver {
public:
    explicit LinearSolver(const ModelType& type);

    /// Finds the equations of `object`, unless those of this version are at hand. Throws
    /// std::runtime_error when the model is not linear or depends on time.
    void prepare(const std::byte* object, double time, std::uint64_t version);
    bool is_prepared(std::uint64_t version) const { return version == version_; }

    /// One step of an object whose equations have been prepared and whose inputs have their values
    /// at its start. `input_derivatives` are those at a time `tau` before it, two for each input;
    /// null: they are all zero.
    void step(std::byte* object, double h, const double* input_derivatives, double tau);

private:
    struct Discretization {
        double h = 0; ///< 0: none
        Matrix transition;
    };

    void probe(double time);
    void check_linear(double time);
    void evaluate(double time);
    void fill_continuous();
    const Matrix& transition_for(double h);
    void exponential(double h, Matrix& rows);

    double* state(std::byte* object, std::size_t i) const;
    double* input(std::byte* object, std::size_t i) const;

    const ModelType& type_;
    std::size_t states_, inputs_;
    std::uint64_t version_ = 0;             ///< 0: nothing prepared
    std::vector<std::byte> probe_, result_; ///< objects to evaluate derivatives() on
    Matrix equations_;                      ///< [A B c]
    Matrix generator_, power_, product_;    ///< M and what its exponential takes
    std::array<Discretization, 4> cache_;   ///< of the step sizes seen last
    std::size_t next_ = 0;
    std::vector<double> start_; ///< of a step: states and inputs
};

} // namespace rubato::model
