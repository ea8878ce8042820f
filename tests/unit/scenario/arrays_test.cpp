// SPDX-License-Identifier: Apache-2.0
#include "support.hpp"

#include <gmock/gmock.h>

namespace rubato::scenario::testing {
namespace {

using ::testing::HasSubstr;

/// A unit with the structural parameter n, a matrix A of 2 x n, a vector u of n and a scalar s as
/// inputs, a vector y of 3 as output.
UnitDescription with_arrays() {
    UnitDescription description;
    description.variables = {variable("n", Causality::structural_parameter, ValueType::uint64),
                             variable("A", Causality::parameter), variable("u", Causality::input),
                             variable("s", Causality::input), variable("y", Causality::output)};
    auto& variables = description.variables;
    variables[0].start = std::int64_t{3};
    variables[1].dimensions = {{2, {}}, {3, 0}};
    variables[1].start_elements.assign(6, Value(1.0));
    variables[2].dimensions = {{3, 0}};
    variables[4].dimensions = {{3, {}}};
    for (std::uint32_t v = 0; v < variables.size(); ++v) variables[v].reference = v;
    return description;
}

Resolved resolve_arrays(const std::string& rest, const std::string& of_a = "") {
    return resolve_text("rubato: 1\nunits:\n  a: {model: m" + of_a + "}\n  b: {model: m}\n" + rest,
                        {with_arrays(), with_arrays()});
}

std::vector<std::string> links_of(const System& system) {
    std::vector<std::string> links;
    for (const Link& link : system.links)
        links.push_back(system.name_of(link.from) + " -> " + system.name_of(link.to));
    return links;
}

TEST(Arrays, AreConnectedWhole) {
    const Resolved resolved = resolve_arrays("connections:\n  - a.y -> b.u\n");
    EXPECT_EQ(resolved.problems(), "");
    EXPECT_EQ(links_of(resolved.system), std::vector<std::string>{"a.y -> b.u"});
    EXPECT_EQ(resolved.system.port(resolved.system.links[0].to).part, (Part{0, 3, 3}));
}

TEST(Arrays, AreSplitWhereElementsAreConnected) {
    const Resolved resolved =
        resolve_arrays("connections:\n  - a.y[2] -> b.s\n  - b.y -> a.u\n  - a.y[1] -> b.u[3]\n");
    EXPECT_EQ(resolved.problems(), "");
    EXPECT_EQ(links_of(resolved.system),
              (std::vector<std::string>{"a.y[2] -> b.s", "b.y -> a.u", "a.y[1] -> b.u[3]"}));
    EXPECT_EQ(resolved.system.port(resolved.system.links[2].to).part, (Part{2, 1, 3}));
}

TEST(Arrays, AreSplitWithWhatTheyAreConnectedTo) {
    const Resolved resolved = resolve_arrays("connections:\n  - a.y -> b.u\n  - a.y[2] -> b.s\n");
    EXPECT_EQ(resolved.problems(), "");
    EXPECT_EQ(links_of(resolved.system),
              (std::vector<std::string>{"a.y[1] -> b.u[1]", "a.y[2] -> b.u[2]", "a.y[3] -> b.u[3]",
                                        "a.y[2] -> b.s"}));
}

TEST(Arrays, HaveOneShapeAtBothEnds) {
    EXPECT_THAT(resolve_arrays("connections:\n  - a.y -> b.s\n").problems(),
                HasSubstr("a.y -> b.s connects an array of 3 to one value"));
    Diagnostics diagnostics;
    const Parsed parsed = parse("rubato: 1\nunits:\n  a: {model: m}\n  b: {model: m, parameters: "
                                "{n: 4}}\nconnections:\n  - a.y -> b.u\n");
    std::vector<UnitDescription> units(2, with_arrays());
    settle_dimensions(units[1], parsed.scenario.units[1].parameters);
    (void)resolve(parsed.scenario, units, diagnostics);
    EXPECT_THAT(text_of(diagnostics), HasSubstr("connects an array of 3 to an array of 4"));
}

TEST(Arrays, AnElementHasOneSource) {
    EXPECT_THAT(resolve_arrays("connections:\n  - a.y -> b.u\n  - a.y[1] -> b.u[2]\n").problems(),
                HasSubstr("input b.u[2] has two sources: a.y and a.y[1]"));
}

TEST(Arrays, ElementsThatAreNotThereAreUnknown) {
    for (const char* name : {"y[0]", "y[4]", "y[1,1]", "y[]", "y[1", "y[-1]", "s[1]"})
        EXPECT_THAT(
            resolve_arrays("connections:\n  - 'a." + std::string(name) + " -> b.s'\n").problems(),
            HasSubstr("unit \"a\" has no output \"" + std::string(name) + "\""));
}

TEST(Arrays, TakeAListOrOneValueOrElements) {
    for (const char* value :
         {"A: [[1, 2, 3], [4, 5, 6]]", "A: [1, 2, 3, 4, 5, 6]", "A: 7", "'A[2,1]': 4"})
        EXPECT_EQ(resolve_arrays("", ", parameters: {" + std::string(value) + "}").problems(), "")
            << value;
    EXPECT_THAT(resolve_arrays("", ", parameters: {A: [1, 2]}").problems(),
                HasSubstr("a.A has 6 elements, not 2"));
    EXPECT_THAT(resolve_arrays("", ", parameters: {A: [[1, 2], [3, 4], [5, 6]]}").problems(),
                HasSubstr("a.A is an array of 2 x 3, not of 3 x 2"));
    EXPECT_THAT(resolve_arrays("", ", start: {s: [1, 2]}").problems(),
                HasSubstr("a.s has one value, not 2"));
    EXPECT_THAT(resolve_arrays("", ", parameters: {A: 1, 'A[1,1]': 4}").problems(),
                HasSubstr("a.A[1,1] is set twice"));
    EXPECT_THAT(resolve_arrays("", ", start: {'u[1]': 4}").problems(),
                HasSubstr("a.u[1] is set, but not the rest of the array"));
}

TEST(Arrays, AreGivenInRowsOfOneLength) {
    const auto said = [](const std::string& list) {
        return parse("rubato: 1\nunits: {a: {model: m, parameters: {A: " + list + "}}}\n").said();
    };
    EXPECT_THAT(said("[[1, 2, 3, 4], [5, 6]]"), HasSubstr("a.parameters.A has rows of different "));
    EXPECT_THAT(said("[[], []]"), HasSubstr("a.parameters.A has an empty row"));
    EXPECT_THAT(said("[1, [2, 3]]"), HasSubstr("a.parameters.A mixes values and rows"));
    for (const char* list : {"[[1, 2], [[3], [4]]]", "[[[3], [4]], [1, 2]]"})
        EXPECT_THAT(said(list), HasSubstr("a.parameters.A has rows of different depths"));
}

TEST(Arrays, AreWrittenAsTheyAreRead) {
    const Parsed parsed = parse("rubato: 1\nunits: {a: {model: m, parameters: {A: [[1, 2], [3, 4], "
                                "[5, 6]], B: [7, 8]}}}\n");
    const std::string text = write_yaml(parsed.scenario);
    EXPECT_THAT(text, HasSubstr("A: [[1, 2], [3, 4], [5, 6]]"));
    EXPECT_THAT(text, HasSubstr("B: [7, 8]"));
}

TEST(Arrays, ElementsThatAreNotSetKeepTheirStartValues) {
    const Parsed parsed =
        parse("rubato: 1\nunits: {a: {model: m, parameters: {'A[2,1]': 4, n: 3}}}\n");
    const auto assigned = assigned_variables(with_arrays(), parsed.scenario.units[0].parameters);
    ASSERT_EQ(assigned.size(), 2u);
    EXPECT_EQ(assigned[0].values, (std::vector<Value>{Value(1.0), Value(1.0), Value(1.0),
                                                      Value(4.0), Value(1.0), Value(1.0)}));
}

TEST(Arrays, StructuralParametersSetTheirSizes) {
    UnitDescription description = with_arrays();
    settle_dimensions(description, {{"n", std::int64_t{5}, {}, {}}});
    EXPECT_EQ(description.variables[1].element_count(), 10u);
    EXPECT_EQ(description.variables[1].start_elements, std::vector<Value>{Value(1.0)});
    EXPECT_EQ(description.variables[2].element_count(), 5u);
    EXPECT_EQ(description.variables[4].element_count(), 3u);
}

TEST(Arrays, AreRecordedByElement) {
    const auto names = [](const Resolved& resolved) {
        std::vector<std::string> result;
        for (const Observed& observed : resolved.system.observed) result.push_back(observed.name);
        return result;
    };
    EXPECT_EQ(names(resolve_arrays("record: {variables: [a.y]}\n")),
              (std::vector<std::string>{"y[1]", "y[2]", "y[3]"}));
    EXPECT_EQ(names(resolve_arrays("record: {variables: ['a.A[2,1]', a.s]}\n")),
              (std::vector<std::string>{"A[2,1]", "s"}));
}

TEST(Arrays, TooLargeOnesAreNotExchanged) {
    UnitDescription description = with_arrays();
    description.variables[4].dimensions = {{1u << 20, {}}, {1u << 20, {}}};
    EXPECT_THAT(resolve_text("rubato: 1\nunits: {a: {model: m}, b: {model: m}}\nconnections:\n"
                             "  - a.y -> b.u\n",
                             {description, with_arrays()})
                    .problems(),
                HasSubstr("too many elements"));
}

} // namespace
} // namespace rubato::scenario::testing
