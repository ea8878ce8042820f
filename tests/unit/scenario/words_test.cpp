// SPDX-License-Identifier: Apache-2.0
#include <rubato/scenario/words.hpp>

#include <gtest/gtest.h>

#include <set>

namespace rubato::scenario {
namespace {

template <class Enum>
class Words : public ::testing::Test {};

using Enums =
    ::testing::Types<Causality, Variability, Initial, Reactivity, Approximation, ApproximationMode,
                     ColumnKind, Recipe, AtLimit, AfterPartialStep, Origin>;
TYPED_TEST_SUITE(Words, Enums);

TYPED_TEST(Words, ReadBackAsTheValueTheyWereWrittenFor) {
    for (const auto& word : words<TypeParam>()) {
        EXPECT_EQ(find_word<TypeParam>(to_string(word.value)), word.value);
    }
}

TYPED_TEST(Words, AreOnePerValueAndAllDifferent) {
    std::set<std::string_view> texts;
    std::set<TypeParam> values;
    for (const auto& word : words<TypeParam>()) {
        texts.insert(word.text);
        values.insert(word.value);
    }
    EXPECT_EQ(texts.size(), words<TypeParam>().size());
    EXPECT_EQ(values.size(), words<TypeParam>().size());
    EXPECT_EQ(static_cast<std::size_t>(*values.rbegin()) + 1, values.size());
}

TYPED_TEST(Words, UnknownWordsAreNotFound) { EXPECT_FALSE(find_word<TypeParam>("nonsense")); }

TEST(WordsOfRecipes, AreThoseOfTheFileFormat) {
    EXPECT_EQ(to_string(Recipe::iterated_gauss_seidel), "iterated-gauss-seidel");
}

} // namespace
} // namespace rubato::scenario
