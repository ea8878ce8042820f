// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

namespace {

using rubato::model::Declaration;

constexpr std::size_t most = 256;

/// y = A u, with a matrix of any size that there is room for.
struct Gain {
    std::uint64_t rows = 2;
    std::uint64_t columns = 2;
    std::array<double, most> matrix = {1, 0, 0, 1};
    std::array<double, most> u = {};
    std::array<double, most> y = {};

    static void declare(Declaration<Gain>& model) {
        model.description("multiplies a vector by a matrix: y = A u");
        model.experiment({.start = 0, .stop = 1, .step = 0.1});
        model.structural(&Gain::rows, "m", "number of rows of A and of elements of y");
        model.structural(&Gain::columns, "n", "number of columns of A and of elements of u");
        model.parameter(&Gain::matrix, "A", "", "the matrix, row by row")
            .shaped_by(&Gain::rows, &Gain::columns);
        model.input(&Gain::u, "u", "", "what is multiplied").shaped_by(&Gain::columns);
        model.output(&Gain::y, "y", "", "the product").fed_by(&Gain::u).shaped_by(&Gain::rows);
    }

    void outputs() {
        for (std::size_t i = 0; i < rows; ++i) {
            y[i] = 0;
            for (std::size_t j = 0; j < columns; ++j) y[i] += matrix[i * columns + j] * u[j];
        }
    }
};

} // namespace

RUBATO_MODEL(gain, Gain)
