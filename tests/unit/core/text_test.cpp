// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/text.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace rubato {
namespace {

const std::vector<std::string> ports = {"tension", "speed_ref", "brake"};

TEST(FindSimilar, FindsTypingErrors) {
    EXPECT_EQ(find_similar("tensoin", ports), "tension");
    EXPECT_EQ(find_similar("Brake", ports), "brake");
}

TEST(FindSimilar, FindsNamesWithinNames) {
    EXPECT_EQ(find_similar("tension_N", ports), "tension");
    EXPECT_EQ(find_similar("speed", ports), "speed_ref");
}

TEST(FindSimilar, KeepsQuietAboutDistantNames) {
    EXPECT_EQ(find_similar("qqqqqq", ports), std::nullopt);
    EXPECT_EQ(find_similar("anything", {}), std::nullopt);
}

TEST(Suggest, NamesTheNearestAndListsAll) {
    EXPECT_EQ(suggest("tension_N", ports, "its inputs"),
              "did you mean \"tension\"? its inputs are: tension, speed_ref, brake");
    EXPECT_EQ(suggest("qqqqqq", ports, "its inputs"), "its inputs are: tension, speed_ref, brake");
    EXPECT_EQ(suggest("x", {}, "its inputs"), "its inputs are: none");
}

TEST(Suggest, ShortensLongLists) {
    std::vector<std::string> many;
    for (int i = 0; i < 20; ++i) many.push_back("name" + std::to_string(i));
    const std::string text = suggest("qqqqqqqq", many, "its units");
    EXPECT_NE(text.find("name11, … (20 in all)"), std::string::npos) << text;
    EXPECT_EQ(text.find("name12"), std::string::npos) << text;
}

TEST(MatchesGlob, StarStandsForAnything) {
    EXPECT_TRUE(matches_glob("msd1.*", "msd1.x1"));
    EXPECT_TRUE(matches_glob("*", ""));
    EXPECT_TRUE(matches_glob("*.x?", "msd1.x1"));
    EXPECT_TRUE(matches_glob("a*b*c", "a--b-b--c"));
    EXPECT_FALSE(matches_glob("msd1.*", "msd2.x1"));
    EXPECT_FALSE(matches_glob("a*b", "a--b-"));
    EXPECT_FALSE(matches_glob("?", ""));
}

TEST(MatchesGlob, AllOtherCharactersStandForThemselves) {
    EXPECT_TRUE(matches_glob("a[1].der(x)", "a[1].der(x)"));
    EXPECT_FALSE(matches_glob("a[1]", "a1"));
}

TEST(MatchesGlob, ManyStarsStayQuick) {
    std::string pattern;
    for (int i = 0; i < 50; ++i) pattern += "*a";
    EXPECT_FALSE(matches_glob(pattern + "b", std::string(2000, 'a')));
}

TEST(Shortest, IsAsShortAsCanBe) {
    EXPECT_EQ(shortest(0.1), "0.1");
    EXPECT_EQ(shortest(1), "1");
    EXPECT_EQ(shortest(1e300), "1e+300");
    EXPECT_EQ(shortest(-2.5e-7), "-2.5e-07");
}

TEST(Shortest, ReadsBackAsTheSameNumber) {
    std::mt19937_64 random(7);
    for (int i = 0; i < 10'000; ++i) {
        const std::uint64_t bits = random();
        double value = 0;
        static_assert(sizeof value == sizeof bits);
        std::memcpy(&value, &bits, sizeof value);
        if (!std::isfinite(value)) continue;
        ASSERT_EQ(std::strtod(shortest(value).c_str(), nullptr), value);
    }
    const double smallest = std::numeric_limits<double>::denorm_min();
    EXPECT_EQ(std::strtod(shortest(smallest).c_str(), nullptr), smallest);
}

} // namespace
} // namespace rubato
