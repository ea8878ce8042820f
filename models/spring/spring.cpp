// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

/// A spring and a damper side by side between two bodies a and b. It has no mass and no state: its
/// force follows the bodies at once (README.md).
struct Spring {
    double c = 1, d = 0;
    double xa = 0, va = 0, xb = 0, vb = 0;
    double F = 0;

    static void declare(rubato::model::Declaration<Spring>& model) {
        model.description("a spring and a damper between two bodies");
        model.experiment({.start = 0, .stop = 10, .step = 0.1});
        model.parameter(&Spring::c, "c", "N/m", "stiffness");
        model.parameter(&Spring::d, "d", "N.s/m", "damping");
        model.input(&Spring::xa, "xa", "m", "position of body a");
        model.input(&Spring::va, "va", "m/s", "its speed");
        model.input(&Spring::xb, "xb", "m", "position of body b");
        model.input(&Spring::vb, "vb", "m/s", "its speed");
        model.output(&Spring::F, "F", "N", "force on body a; on body b it is -F")
            .fed_by(&Spring::xa, &Spring::va, &Spring::xb, &Spring::vb);
    }

    void outputs() { F = c * (xb - xa) + d * (vb - va); }

    void variations(const Spring& by, Spring& result) const {
        result.F = c * (by.xb - by.xa) + d * (by.vb - by.va);
    }
};

RUBATO_MODEL(spring, Spring)
