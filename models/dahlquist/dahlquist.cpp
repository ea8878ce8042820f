// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

/// Dahlquist's test equation (README.md).
struct Dahlquist {
    double k = 1;
    double x = 1;

    static void declare(rubato::model::Declaration<Dahlquist>& model) {
        model.description("Dahlquist's test equation");
        model.experiment({.start = 0, .stop = 10, .step = 0.1});
        model.parameter(&Dahlquist::k, "k", "1/s", "rate of decay");
        model.state(&Dahlquist::x, "x", "", "what decays").given_out();
    }

    void derivatives(Dahlquist& der) const { der.x = -k * x; }

    void variations(const Dahlquist& d, Dahlquist& result) const { result.x = -k * d.x; }
};

RUBATO_MODEL(dahlquist, Dahlquist)
