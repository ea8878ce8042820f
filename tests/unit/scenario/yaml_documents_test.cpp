// SPDX-License-Identifier: Apache-2.0

/// What is YAML and no scenario, and what is not even YAML.

#include "support.hpp"

#include <map>

namespace rubato::scenario::testing {
namespace {

TEST(YamlDocuments, SyntaxErrorsAreLocated) {
    EXPECT_EQ(parse("rubato: 1\nunits: {a: [\n").said().substr(0, 24), "s.yaml:3: not valid YAML");
    EXPECT_NE(parse("a: b: c\n")
                  .said()
                  .find("s.yaml:1: not valid YAML: illegal map value "
                        "(column 5)"),
              std::string::npos)
        << parse("a: b: c\n").said();
}

TEST(YamlDocuments, DocumentsThatAreNoMapAreRefused) {
    const std::string hint = "\n  a scenario begins with the line: rubato: 1\n";
    EXPECT_EQ(parse("").said(), "s.yaml: the file is empty" + hint);
    EXPECT_EQ(parse("# nothing\n---\n").said(), "s.yaml: the file is empty" + hint);
    EXPECT_EQ(parse("[1]").said(), "s.yaml: the file is not a map of keys" + hint);
    EXPECT_EQ(parse("word").said(), "s.yaml: the file is not a map of keys" + hint);
}

TEST(YamlDocuments, OneFileIsOneDocument) {
    EXPECT_EQ(parse("rubato: 1\nunits: {a: {model: m}}\n---\nrubato: 1\n").said(),
              "s.yaml:4: a second document begins here\n"
              "  a file holds one scenario: remove the line ---\n");
}

TEST(YamlDocuments, KeysAreWords) {
    EXPECT_EQ(parse("{[1]: 2}").said(), "s.yaml:1: a key must be a word, not a list\n"
                                        "  a key such as null or ~ needs quotes\n");
}

TEST(YamlDocuments, TagsHaveNoMeaning) {
    EXPECT_EQ(parse("rubato: !version 1\n").said(),
              "s.yaml:1: the tag !version has no meaning here\n  leave it out\n");
    const Parsed parsed = parse("rubato: 1\nunits: {a: {model: m, parameters: {p: !!str 5}}}\n");
    EXPECT_EQ(parsed.said(), "");
    EXPECT_EQ(parsed.scenario.units.at(0).parameters.at(0).value, Value(std::string("5")));
}

TEST(YamlDocuments, AliasesStandForWhatTheyName) {
    const Parsed parsed = parse("rubato: 1\nunits:\n  a: {model: m, parameters: &p {m: 1}}\n"
                                "  b: {model: m, parameters: *p}\n");
    EXPECT_EQ(parsed.said(), "");
    EXPECT_EQ(parsed.scenario.units.at(1).parameters.at(0).value, Value(std::int64_t{1}));
}

TEST(YamlDocuments, MergeKeysAddWhatIsMissing) {
    const Parsed parsed = parse("rubato: 1\n"
                                "x-bases: [&p {m: 1, k: 2}, &q {k: 3, d: 4}]\n"
                                "units:\n"
                                "  a: &a {model: m, parameters: {<<: *p, m: 5}}\n"
                                "  b: {<<: *a, parameters: {<<: [*p, *q]}}\n");
    EXPECT_EQ(parsed.said(), "");
    const auto values = [&](std::size_t unit) {
        std::map<std::string, Value> result;
        for (const Assignment& each : parsed.scenario.units.at(unit).parameters)
            result[each.variable] = each.value;
        return result;
    };
    const auto whole = [](std::int64_t value) { return Value(value); };
    EXPECT_EQ(parsed.scenario.units.at(1).origin, UnitOrigin(NativeModel{"m"}));
    EXPECT_EQ(values(0), (std::map<std::string, Value>{{"k", whole(2)}, {"m", whole(5)}}));
    EXPECT_EQ(values(1),
              (std::map<std::string, Value>{{"d", whole(4)}, {"k", whole(2)}, {"m", whole(1)}}));
}

TEST(YamlDocuments, OnlyMapsCanBeMerged) {
    EXPECT_EQ(parse("rubato: 1\nunits: {a: {<<: 5}}\n").said(),
              "s.yaml:2: << takes a map or a list of maps, not \"5\"\n"
              "  write <<: *anchor, where &anchor marks a map\n");
}

TEST(YamlDocuments, AliasBombsAreDefused) {
    std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 30; ++i) {
        const std::string before = "*a" + std::to_string(i - 1);
        bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
        for (int j = 0; j < 9; ++j) bomb += ", " + before;
        bomb += "]\n";
    }
    EXPECT_EQ(parse(bomb).said(),
              "s.yaml:6: anchors and aliases stand for more than 1000000 nodes\n"
              "  write out what is meant\n");
}

TEST(YamlDocuments, AnAliasInsideItsAnchorIsRefused) {
    EXPECT_NE(parse("a: &a [*a]\n").said().find("s.yaml:1: "), std::string::npos);
    EXPECT_TRUE(parse("a: &a [*a]\n").diagnostics.has_errors());
}

TEST(YamlDocuments, DeepNestingIsRefused) {
    EXPECT_NE(parse("a: " + std::string(10'000, '[')).said().find("nested too deeply"),
              std::string::npos);
    EXPECT_EQ(parse("a:\n  " + std::string(1'000'000, '[')).said(),
              "s.yaml:2: more than 100000 brackets are open here\n  close them\n");
}

} // namespace
} // namespace rubato::scenario::testing
