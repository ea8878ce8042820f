// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "support/system_builder.hpp"

/// Scenarios of Hansen, Gomes, Larsen and van de Pol, "Synthesizing co-simulation algorithms with
/// step negotiation and algebraic loop handling" (2022).
namespace rubato::test {

/// No loop: B steps first, A reacts to it.
inline scenario::System figure1() {
    using enum scenario::Reactivity;
    SystemBuilder figure;
    figure.unit("A").input("g", reactive).output("f");
    figure.unit("B").input("f", delayed).output("g");
    figure.link("B.g", "A.g").link("A.f", "B.f");
    return figure.build();
}

/// A and B react to each other; C follows.
inline scenario::System figure2() {
    using enum scenario::Reactivity;
    SystemBuilder figure;
    figure.unit("A").input("f", reactive).output("x");
    figure.unit("B").input("x", reactive).input("j", delayed).output("f");
    figure.unit("C").output("j");
    figure.link("B.f", "A.f").link("A.x", "B.x").link("C.j", "B.j");
    return figure.build();
}

/// C may reject a step and needs D before: both negotiate.
inline scenario::System figure4() {
    using enum scenario::Reactivity;
    SystemBuilder figure;
    figure.unit("C").can_reject_step().input("g", reactive).output("z");
    figure.unit("D").input("z", delayed).output("g");
    figure.link("D.g", "C.g").link("C.z", "D.z");
    return figure.build();
}

/// A, B and C may reject steps and their values circulate.
inline scenario::System figure5() {
    using enum scenario::Reactivity;
    SystemBuilder figure;
    figure.unit("A").can_reject_step().input("f", reactive).output("x").output("v");
    figure.unit("B").can_reject_step();
    figure.input("x", delayed).input("v", reactive).input("g", reactive);
    figure.output("f", {"x", "v"}).output("z");
    figure.unit("C").can_reject_step().input("z", delayed).output("g", {"z"});
    figure.link("A.x", "B.x").link("A.v", "B.v").link("B.f", "A.f");
    figure.link("B.z", "C.z").link("C.g", "B.g");
    return figure.build();
}

} // namespace rubato::test
