// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "support/operations.hpp"
#include "support/system_builder.hpp"

#include <rubato/algorithm/verify.hpp>

#include <memory>

namespace rubato::algorithm::test {

using rubato::test::Operations;
using rubato::test::SystemBuilder;
using scenario::Reactivity;

/// A system and an algorithm for it, to be changed by tests.
struct Case {
    explicit Case(const SystemBuilder& builder)
        : system(std::make_unique<scenario::System>(builder.build())), op(*system) {
        algorithm.steps.push_back({"main", {}});
    }

    Body& step() { return algorithm.steps.front().body; }
    Verdict verify(const Effort& effort = {}) const {
        return algorithm::verify(*system, algorithm, effort);
    }

    std::unique_ptr<scenario::System> system; ///< stays where it is: `op` refers to it
    Operations op;
    Algorithm algorithm;
};

/// Figure 1 and Algorithm 1 of Hansen et al. 2022: A waits for B.
inline Case simple() {
    SystemBuilder builder;
    builder.unit("A").input("g", Reactivity::reactive).output("f");
    builder.unit("B").input("f", Reactivity::delayed).output("g");
    builder.link("B.g", "A.g").link("A.f", "B.f");
    Case c(builder);
    const Operations& o = c.op;
    c.algorithm.initialization = {o.get("A.f"), o.set("B.f"), o.get("B.g"), o.set("A.g")};
    c.step() = {o.step("B"), o.get("B.g"), o.set("A.g"), o.step("A"), o.get("A.f"), o.set("B.f")};
    return c;
}

/// Figure 2: A and B wait for each other, B also for what C does after.
inline SystemBuilder figure_2() {
    SystemBuilder builder;
    builder.unit("A").input("f", Reactivity::reactive).output("x");
    builder.unit("B").input("x", Reactivity::reactive).input("j", Reactivity::delayed).output("f");
    builder.unit("C").output("j");
    builder.link("A.x", "B.x").link("B.f", "A.f").link("C.j", "B.j");
    return builder;
}

/// Algorithm 2: every input in the loop is guessed.
inline Case reactivity_loop() {
    Case c(figure_2());
    const Operations& o = c.op;
    c.algorithm.initialization = {o.get("A.x"), o.set("B.x"), o.get("B.f"),
                                  o.set("A.f"), o.get("C.j"), o.set("B.j")};
    c.step() = {o.save("A"),
                o.save("B"),
                o.fixed_point({"A.x", "B.f"},
                              {o.set("A.f"), o.set("B.x"), o.step("A"), o.step("B"),
                               o.get_tentative("A.x"), o.get_tentative("B.f")},
                              {o.restore("A"), o.restore("B")}),
                o.step("C"),
                o.get("C.j"),
                o.set("B.j")};
    return c;
}

/// The same with the fewest guesses.
inline Case reactivity_loop_with_one_guess() {
    Case c = reactivity_loop();
    const Operations& o = c.op;
    auto& loop = std::get<FixedPoint>(c.step()[2]);
    loop.iterate = {o.set("B.x"),           o.step("B"), o.get_tentative("B.f"),
                    o.set_tentative("A.f"), o.step("A"), o.get_tentative("A.x")};
    return c;
}

/// Figure 4 and Algorithm 4: C waits for D, both may reject.
inline Case negotiation() {
    SystemBuilder builder;
    builder.unit("C").can_reject_step().input("g", Reactivity::reactive).output("z");
    builder.unit("D").can_reject_step().input("z", Reactivity::delayed).output("g");
    builder.link("D.g", "C.g").link("C.z", "D.z").largest_step(3);
    Case c(builder);
    const Operations& o = c.op;
    c.algorithm.initialization = {o.get("D.g"), o.set("C.g"), o.get("C.z"), o.set("D.z")};
    c.step() = {o.save("C"), o.save("D"),
                o.negotiate({"C", "D"},
                            {o.step("D"), o.get("D.g"), o.set("C.g"), o.step_as("C", "D")},
                            {o.restore("C"), o.restore("D")}),
                o.get("C.z"), o.set("D.z")};
    return c;
}

/// Figure 5 and Algorithm 3: a fixed-point loop in a negotiation.
inline Case nested() {
    SystemBuilder builder;
    builder.unit("A").can_reject_step().input("f", Reactivity::reactive).output("x").output("v");
    builder.unit("B")
        .can_reject_step()
        .input("x", Reactivity::delayed)
        .input("v", Reactivity::reactive)
        .input("g", Reactivity::reactive)
        .output("f", {"x", "v"})
        .output("z");
    builder.unit("C").can_reject_step().input("z", Reactivity::delayed).output("g", {"z"});
    builder.link("A.x", "B.x").link("A.v", "B.v").link("B.f", "A.f");
    builder.link("B.z", "C.z").link("C.g", "B.g").largest_step(3);
    Case c(builder);
    const Operations& o = c.op;
    c.algorithm.initialization = {o.get("A.x"), o.set("B.x"), o.get("A.v"), o.set("B.v"),
                                  o.get("B.f"), o.set("A.f"), o.get("B.z"), o.set("C.z"),
                                  o.get("C.g"), o.set("B.g")};
    const Body iterate = {o.set("A.f"),
                          o.set("B.v"),
                          o.set("B.g"),
                          o.step("C"),
                          o.step("B"),
                          o.step("A"),
                          o.get_tentative("A.v"),
                          o.get_tentative("A.x"),
                          o.get_tentative("B.z"),
                          o.set_tentative("C.z"),
                          o.get_tentative("C.g"),
                          o.set_tentative("B.x"),
                          o.get_tentative("B.f")};
    const Body restore = {o.restore("A"), o.restore("B"), o.restore("C")};
    c.step() = {o.save("A"), o.save("B"), o.save("C"),
                o.negotiate({"A", "B", "C"},
                            {o.fixed_point({"A.x", "A.v", "B.f", "B.z", "C.g"}, iterate, restore)},
                            restore)};
    return c;
}

/// Two units whose outputs depend on their inputs at once, in a circle.
inline Case feedthrough_loop() {
    SystemBuilder builder;
    builder.unit("A").input("f", Reactivity::delayed).output("x", {"f"});
    builder.unit("B").input("x", Reactivity::delayed).output("f", {"x"});
    builder.link("A.x", "B.x").link("B.f", "A.f");
    Case c(builder);
    const Operations& o = c.op;
    const Op loop =
        o.fixed_point({"A.x", "B.f"}, {o.get("A.x"), o.set("B.x"), o.get("B.f"), o.set("A.f")});
    c.algorithm.initialization = {loop};
    c.step() = {loop, o.step("A"), o.step("B")};
    return c;
}

/// One unit may reject; the others follow it without a negotiation.
inline Case followers() {
    SystemBuilder builder;
    builder.unit("msd1").can_reject_step().input("fk", Reactivity::delayed).output("x1");
    builder.unit("msd2").input("x1", Reactivity::reactive).output("fk", {"x1"});
    builder.unit("msd3").input("fk", Reactivity::delayed);
    builder.link("msd1.x1", "msd2.x1").link("msd2.fk", "msd1.fk").link("msd2.fk", "msd3.fk");
    builder.largest_step(3);
    Case c(builder);
    const Operations& o = c.op;
    c.algorithm.initialization = {o.get("msd1.x1"), o.set("msd2.x1"), o.get("msd2.fk"),
                                  o.set("msd1.fk"), o.set("msd3.fk")};
    c.step() = {o.step("msd1"),   o.step_as("msd3", "msd1"), o.get("msd1.x1"),
                o.set("msd2.x1"), o.step_as("msd2", "msd1"), o.get("msd2.fk"),
                o.set("msd1.fk"), o.set("msd3.fk")};
    return c;
}

/// X and a chain of units that follow each other may reject; A follows the last of them and is read
/// after D has been given its value: first the one of a step that was tried before, then that of
/// the attempt before.
inline Case speculation(int units, int largest_step, bool x_follows) {
    SystemBuilder builder;
    const auto name = [](int n) { return "c" + std::to_string(n); };
    std::vector<std::string> all = {"x"};
    builder.unit("x").can_reject_step();
    for (int n = 1; n <= units; ++n) {
        builder.unit(name(n)).can_reject_step();
        all.push_back(name(n));
    }
    builder.unit("a").output("o").unit("d").input("r", Reactivity::reactive);
    builder.link("a.o", "d.r").largest_step(largest_step);
    Case c(builder);
    const Operations& o = c.op;
    Body retry = {o.restore("a"), o.restore("d")};
    c.step() = {o.save("a"), o.save("d")};
    for (const std::string& unit : all) {
        c.step().push_back(o.save(unit));
        retry.push_back(o.restore(unit));
    }
    for (const Op& op : {o.step("a"), o.get("a.o"), o.restore("a")}) c.step().push_back(op);
    Body iterate = {x_follows ? o.step("c1") : o.step("x"),
                    x_follows ? o.step_as("x", "c1") : o.step("c1")};
    for (int n = 2; n <= units; ++n)
        iterate.push_back(o.step_as(name(n), n == 2 && x_follows ? "x" : name(n - 1)));
    for (const Op& op : {o.set("d.r"), o.step_as("a", units == 1 && x_follows ? "x" : name(units)),
                         o.get("a.o"), o.step("d")})
        iterate.push_back(op);
    c.step().push_back(o.negotiate(all, iterate, retry));
    c.algorithm.initialization = {o.get("a.o"), o.set("d.r")};
    return c;
}

/// Two configurations with opposite contracts and exchanged links, and a procedure for each.
inline Case adaptive() {
    SystemBuilder builder;
    builder.unit("msd1").input("fk", Reactivity::delayed).output("x1").output("v1");
    builder.unit("msd2")
        .input("x1", Reactivity::reactive)
        .input("v1", Reactivity::reactive)
        .output("fk", {}, {"x1", "v1"});
    builder.link("msd1.x1", "msd2.x1").link("msd1.v1", "msd2.v1").link("msd2.fk", "msd1.fk");
    builder.configuration("conf1", "main");
    builder.configuration("conf2", "other")
        .contract("msd1.fk", Reactivity::reactive)
        .contract("msd2.x1", Reactivity::delayed)
        .contract("msd2.v1", Reactivity::delayed)
        .relink("msd1.x1", "msd2.v1")
        .relink("msd1.v1", "msd2.x1");
    Case c(builder);
    const Operations& o = c.op;
    c.algorithm.initialization = {o.get("msd1.x1"), o.set("msd2.x1"), o.get("msd1.v1"),
                                  o.set("msd2.v1"), o.get("msd2.fk"), o.set("msd1.fk")};
    c.step() = {o.step("msd1"),   o.get("msd1.x1"), o.set("msd2.x1"), o.get("msd1.v1"),
                o.set("msd2.v1"), o.step("msd2"),   o.get("msd2.fk"), o.set("msd1.fk")};
    c.algorithm.steps.push_back(
        {"other",
         {o.step("msd2"), o.get("msd2.fk"), o.set("msd1.fk"), o.step("msd1"), o.get("msd1.x1"),
          o.get("msd1.v1"), o.set("msd2.x1"), o.set("msd2.v1")}});
    return c;
}

} // namespace rubato::algorithm::test
