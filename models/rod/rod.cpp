// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

namespace {

using rubato::model::Declaration;
using rubato::model::Solver;

constexpr std::size_t cells = 8;

/// A rod that conducts heat, held at given temperatures at both ends: its method of lines.
struct Rod {
    double a = 1;
    std::array<double, 2> ends = {};
    std::array<double, cells> temperature = {};

    static void declare(Declaration<Rod>& model) {
        model.description("heat conduction along a rod, by the method of lines");
        model.experiment({.start = 0, .stop = 1, .step = 0.01});
        model.solver(Solver::rk4, 0.01);
        model.parameter(&Rod::a, "a", "1/s", "diffusivity over the square of the cells' distance");
        model.input(&Rod::ends, "ends", "K", "temperatures at both ends");
        model.state(&Rod::temperature, "T", "K", "temperatures between them").given_out();
    }

    void derivatives(Rod& der) const {
        for (std::size_t i = 0; i < cells; ++i) {
            const double left = i == 0 ? ends[0] : temperature[i - 1];
            const double right = i + 1 == cells ? ends[1] : temperature[i + 1];
            der.temperature[i] = a * (left - 2 * temperature[i] + right);
        }
    }
};

} // namespace

RUBATO_MODEL(rod, Rod)
