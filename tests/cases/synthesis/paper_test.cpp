// SPDX-License-Identifier: Apache-2.0
#include "support/paper_figures.hpp"

#include <rubato/algorithm/text.hpp>
#include <rubato/algorithm/verify.hpp>
#include <rubato/synthesis/synthesize.hpp>

#include <gtest/gtest.h>

namespace rubato::test::paper {
namespace {

using scenario::System;

/// The step procedure, as text; fails the test if it does not verify.
std::string synthesized(const System& system) {
    const synthesis::Synthesis result =
        synthesis::synthesize(system, {.reduction = scenario::Reduction::maximum});
    EXPECT_TRUE(algorithm::verify(system, result.algorithm).correct());
    std::string text = algorithm::to_text(result.algorithm, system);
    return text.substr(text.find("each step:"));
}

TEST(PaperAlgorithm1, StepsInTheOrderThatReactivityAsksFor) {
    EXPECT_EQ(synthesized(figure1()), R"(each step:
  step B
  get B.g
  set A.g
  step A
  get A.f
  set B.f
)");
}

TEST(PaperAlgorithm2, IteratesUnitsThatReactToEachOther) {
    EXPECT_EQ(synthesized(figure2()), R"(each step:
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
    EXPECT_EQ(synthesized(figure5()), R"(each step:
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
    EXPECT_EQ(synthesized(figure4()), R"(each step:
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
} // namespace rubato::test::paper
