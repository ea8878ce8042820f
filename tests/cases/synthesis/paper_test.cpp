// SPDX-License-Identifier: Apache-2.0
#include "support/system_builder.hpp"

#include <rubato/algorithm/text.hpp>
#include <rubato/algorithm/verify.hpp>
#include <rubato/synthesis/synthesize.hpp>

#include <gtest/gtest.h>

namespace rubato::test {
namespace {

using scenario::Reactivity;
using scenario::System;

/// The step procedure, as text; fails the test if it does not verify.
std::string synthesized(const System& system) {
    const synthesis::Synthesis result =
        synthesis::synthesize(system, {.reduction = scenario::Reduction::maximum});
    EXPECT_TRUE(algorithm::verify(system, result.algorithm).correct());
    std::string text = algorithm::to_text(result.algorithm, system);
    return text.substr(text.find("each step:"));
}

constexpr auto reactive = Reactivity::reactive;
constexpr auto delayed = Reactivity::delayed;

TEST(PaperAlgorithm1, StepsInTheOrderThatReactivityAsksFor) {
    SystemBuilder figure1;
    figure1.unit("A").input("g", reactive).output("f");
    figure1.unit("B").input("f", delayed).output("g");
    figure1.link("B.g", "A.g").link("A.f", "B.f");
    EXPECT_EQ(synthesized(figure1.build()), R"(each step:
  step B
  get B.g
  set A.g
  step A
  get A.f
  set B.f
)");
}

TEST(PaperAlgorithm2, IteratesUnitsThatReactToEachOther) {
    SystemBuilder figure2;
    figure2.unit("A").input("f", reactive).output("x");
    figure2.unit("B").input("x", reactive).input("j", delayed).output("f");
    figure2.unit("C").output("j");
    figure2.link("B.f", "A.f").link("A.x", "B.x").link("C.j", "B.j");
    EXPECT_EQ(synthesized(figure2.build()), R"(each step:
  save A, B
  repeat until A.x, B.f change by at most 1e-09 + 1e-06·|value| (at most 50 times, then stop):
    set A.f, B.x
    step A, B
    get tentative A.x, B.f
  before each repetition:
    restore A, B
  step C
  get C.j
  set B.j
)");
}

TEST(PaperAlgorithm3, IteratesWithinANegotiation) {
    SystemBuilder figure5;
    figure5.unit("A").can_reject_step().input("f", reactive).output("x").output("v");
    figure5.unit("B")
        .can_reject_step()
        .input("x", delayed)
        .input("v", reactive)
        .input("g", reactive);
    figure5.output("f", {"x", "v"}).output("z");
    figure5.unit("C").can_reject_step().input("z", delayed).output("g", {"z"});
    figure5.link("A.x", "B.x").link("A.v", "B.v").link("B.f", "A.f");
    figure5.link("B.z", "C.z").link("C.g", "B.g");
    EXPECT_EQ(synthesized(figure5.build()), R"(each step:
  save A, B, C
  repeat with a smaller step until A, B, C accept the same:
    repeat until A.x, A.v, B.f, B.z, C.g change by at most 1e-09 + 1e-06·|value| (at most 50 times, then stop):
      step C
      set A.f, B.v, B.g
      step A, B
      get tentative A.x, A.v, B.z
      set tentative B.x, C.z
      get tentative B.f, C.g
    before each repetition:
      restore A, B, C
  before each repetition:
    restore A, B, C
)");
}

TEST(PaperAlgorithm4, NegotiatesAmongTheUnitsThatMustGoBackTogether) {
    SystemBuilder figure4;
    figure4.unit("C").can_reject_step().input("g", reactive).output("z");
    figure4.unit("D").input("z", delayed).output("g");
    figure4.link("D.g", "C.g").link("C.z", "D.z");
    EXPECT_EQ(synthesized(figure4.build()), R"(each step:
  save C, D
  repeat with a smaller step until C, D accept the same:
    step D
    get D.g
    set C.g
    step C
  before each repetition:
    restore C, D
  get C.z
  set D.z
)");
}

} // namespace
} // namespace rubato::test
