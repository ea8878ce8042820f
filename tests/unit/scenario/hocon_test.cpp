// SPDX-License-Identifier: Apache-2.0
#include "formats/hocon.hpp"
#include "support.hpp"

#include <algorithm>
#include <random>

namespace rubato::scenario::testing {
namespace {

using formats::Kind;
using formats::Node;

/// A tree in one line: `{a=1 b=[x,"y"]}`; texts that were quoted, in quotes.
std::string shown(const Node& node) {
    std::string text;
    switch (node.kind) {
    case Kind::null: return "null";
    case Kind::scalar: return node.quoted ? "\"" + node.text + "\"" : node.text;
    case Kind::sequence:
        for (const Node& item : node.items) text += (text.empty() ? "" : ",") + shown(item);
        return "[" + text + "]";
    case Kind::map: break;
    }
    for (const auto& entry : node.entries)
        text += (text.empty() ? "" : " ") + entry.key + "=" + shown(entry.value);
    return "{" + text + "}";
}

struct Read {
    std::string tree;
    std::string said;
};

Read read(std::string_view text) {
    Diagnostics diagnostics;
    formats::Reporter reporter({"s.conf"}, diagnostics);
    const auto node = formats::parse_hocon(text, reporter);
    return {node ? shown(*node) : "", text_of(diagnostics)};
}

void expect_tree(std::string_view text, const std::string& tree) {
    const Read result = read(text);
    EXPECT_EQ(result.said, "") << text;
    EXPECT_EQ(result.tree, tree) << text;
}

void expect_refused(std::string_view text, const std::string& part) {
    const Read result = read(text);
    EXPECT_NE(result.said.find(part), std::string::npos) << text << "\nsaid: " << result.said;
    EXPECT_EQ(result.tree, "") << text;
}

TEST(Hocon, TakesEqualSignsColonsCommasAndNewLines) {
    expect_tree("a = 1\nb : 2, c=3\n", "{a=1 b=2 c=3}");
    expect_tree("{a = 1, b = 2,}", "{a=1 b=2}");
    expect_tree("a = [1, 2\n3\n\n4,]", "{a=[1,2,3,4]}");
    expect_tree("a {b = 1}", "{a={b=1}}");
    expect_tree("a =\n  [x]", "{a=[x]}");
    expect_tree("a = 1\r\nb = 2\r\n", "{a=1 b=2}");
    expect_tree("", "{}");
    expect_tree("\xEF\xBB\xBF# nothing\n", "{}");
}

TEST(Hocon, LeavesCommentsOut) {
    expect_tree("# one\na = 1 # two\n// three\nb = x//four\nc = \"#\"", "{a=1 b=x c=\"#\"}");
}

TEST(Hocon, JoinsWhatStandsSideBySide) {
    expect_tree("a = Master algorithm for all.  \n", "{a=Master algorithm for all.}");
    expect_tree("a = [\"A.x[1]\" -> B.y]", "{a=[\"A.x[1] -> B.y\"]}");
    expect_tree("a = \"x \" # blank", "{a=\"x \"}");
    expect_tree("a = [{get: x} {set: y}, {step: z}]", "{a=[{get=x set=y},{step=z}]}");
    expect_tree("a = [1] [2]", "{a=[1,2]}");
}

TEST(Hocon, NestsDottedKeys) {
    expect_tree("a.b.c = 1\na.b.d = 2", "{a={b={c=1 d=2}}}");
    expect_tree("\"a.b\".c = 1", "{a.b={c=1}}");
}

TEST(Hocon, MergesMapsAndLetsLaterValuesWin) {
    expect_tree("a {b = 1, c = 1}\na {c = 2, d = 3}", "{a={b=1 c=2 d=3}}");
    expect_tree("a = 1, b = 0, a = 2", "{a=2 b=0}");
    expect_tree("a {b = 1}, a = 2, a {c = 3}", "{a={c=3}}");
    expect_tree("{a = 1}\nb = 2", "{a=1 b=2}");
}

TEST(Hocon, ReadsQuotes) {
    expect_tree(R"(a = "\"\\\n\t\u00e9\ud83d\ude00")", "{a=\"\"\\\n\t\u00e9\U0001F600\"}");
    expect_tree("a = \"\"\"two\nlines \"quoted\"\"\"\"", "{a=\"two\nlines \"quoted\"\"}");
    expect_tree("a = \"\"", "{a=\"\"}");
    expect_tree("a = null, b = \"null\"", "{a=null b=\"null\"}");
}

TEST(Hocon, SaysWhereTheMistakeIs) {
    expect_refused("a = 1\nb = @x\n",
                   "s.conf:2: not valid HOCON: \"@\" cannot stand here (column 5)");
    expect_refused("a = 1\n  b = {c = 1\n",
                   "s.conf:2: not valid HOCON: this { is never closed (column 7)");
    expect_refused("a = [1\nb = {}\n",
                   "s.conf:1: not valid HOCON: this [ is never closed (column 5)");
    expect_refused("a = 1}\n", "this } closes nothing (column 6)");
    expect_refused(
        "a = {b = [1, 2}\nc = 1}\n",
        "s.conf:1: not valid HOCON: this } comes before the [ of line 1 is closed (column 15)");
    expect_refused("a = \"open\nb = 1",
                   "s.conf:1: not valid HOCON: this quote is not closed in its line (column 5)");
    expect_refused("\n\na = \"\"\"open\nb = 1",
                   "s.conf:3: not valid HOCON: these three quotes are never closed (column 5)");
    expect_refused("a = \"\\x\"", "\\x means nothing in quotes (column 6)");
    expect_refused("a = \"\\u12\"", "\\u12 is not four hexadecimal digits");
    expect_refused("a = \"\\udc00\"", "half of a surrogate pair");
    expect_refused("a\nb = 1", "the key \"a\" is not followed by = or :");
    expect_refused("a =\n", "a value is missing before the end of the line");
    expect_refused("a = [1,,2]", "a comma with nothing before it (column 8)");
    expect_refused("= 1", "a key must stand here, not \"=\" (column 1)");
    expect_refused("a..b = 1", "part of a key is missing");
    expect_refused("a = x[1]", "a text, a list and a map cannot be joined");
    expect_refused("ä = é @", "(column 7)");
}

TEST(Hocon, RefusesWhatItDoesNotKnow) {
    expect_refused("a = ${b}", "substitutions such as ${name} cannot be used here");
    expect_refused("include \"other.conf\"", "include cannot be used here");
    expect_refused("a += 1", "+= cannot be used here");
}

TEST(Hocon, ReportsAllMistakesAtOnce) {
    const std::string said = read("a = @\nb = {c = !, d = 1}\ne = 2\nf = \"x\n").said;
    for (const char* place : {"s.conf:1:", "s.conf:2:", "s.conf:4:"})
        EXPECT_NE(said.find(place), std::string::npos) << place << "\n" << said;
    EXPECT_EQ(said.find("s.conf:3:"), std::string::npos) << said;
}

TEST(Hocon, KnowsLineAndColumnOfEverything) {
    Diagnostics diagnostics;
    formats::Reporter reporter({"s.conf"}, diagnostics);
    const auto node = formats::parse_hocon("a = 1\n  b : [x\n    y]", reporter);
    ASSERT_TRUE(node);
    EXPECT_EQ(node->entries[1].mark.line, 2);
    EXPECT_EQ(node->entries[1].mark.column, 3);
    EXPECT_EQ(node->entries[1].value.items[1].mark.line, 3);
    EXPECT_EQ(node->entries[1].value.items[1].mark.column, 5);
}

TEST(Hocon, DoesNotNestEndlessly) {
    expect_refused("a = " + std::string(1'000'000, '['), "more than 100 brackets are open");
    std::string key = "a";
    for (int i = 0; i < 200; ++i) key += ".a";
    expect_refused(key + " = 1", "this key has too many dots");
    EXPECT_LE(std::ranges::count(read(std::string(100'000, '}')).said, '\n'), 60);
}

TEST(Hocon, SurvivesGarbage) {
    static constexpr std::string_view letters = "ab.{}[]=:,\"\\\n \t#/$+@u0\xC3\xA9";
    std::mt19937 random(1);
    for (int n = 0; n < 20'000; ++n) {
        std::string text;
        for (std::size_t size = random() % 30; size > 0; --size)
            text += letters[random() % letters.size()];
        const Read result = read(text);
        EXPECT_NE(result.tree.empty(), result.said.empty()) << text;
    }
}

} // namespace
} // namespace rubato::scenario::testing
