// SPDX-License-Identifier: Apache-2.0

#include "support/collecting_log.hpp"
#include "support/error_text.hpp"
#include "support/private_folder.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/unit/library.hpp>

#include <gmock/gmock.h>

#include <clocale>
#include <fstream>

namespace rubato::unit {
namespace {

using scenario::ColumnKind;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

class TableUnit : public testing::Test {
protected:
    std::unique_ptr<Unit> open(std::string_view content,
                               std::vector<scenario::TableColumn> columns = {},
                               std::optional<bool> stop_at_jumps = {}) {
        std::ofstream(folder_ / "in.csv", std::ios::binary) << content;
        scenario::Unit unit;
        unit.name = "in";
        unit.origin = scenario::TableFile{"in.csv", std::move(columns), stop_at_jumps};
        library_.emplace(log_);
        return library_->instantiate(unit, folder_.path());
    }
    static void initialize(Unit& unit, double start = 0, double stop = 1) {
        unit.enter_initialization({.start = {start}, .stop = Time{stop}, .tolerance = {}});
        unit.exit_initialization();
    }
    static double real(Unit& unit, ValueRef column = 0) {
        double value = 0;
        unit.get({ValueType::float64, {&column, 1}, &value, 1});
        return value;
    }
    /// The first column, a real, at a time.
    static double at(Unit& unit, double time) {
        EXPECT_EQ(unit.step({0}, {time}).end, StepEnd::completed);
        return real(unit);
    }
    std::string problem_of(std::string_view content,
                           std::vector<scenario::TableColumn> columns = {}) {
        return test::error_of<InputError>([&] { open(content, std::move(columns)); });
    }

    test::PrivateFolder folder_;
    test::CollectingLog log_;
    std::optional<Library> library_;
};

TEST_F(TableUnit, IsLinearBetweenRows) {
    const auto unit = open("time,u\n0,1\n1,3\n2,-1\n");
    initialize(*unit);
    EXPECT_EQ(real(*unit), 1);
    EXPECT_EQ(at(*unit, 0.25), 1.5);
    EXPECT_EQ(at(*unit, 1), 3);
    EXPECT_EQ(at(*unit, 1.5), 1);
}

TEST_F(TableUnit, HoldsDiscreteColumns) {
    const auto unit = open("time,u\n0,1\n1,3\n2,-1\n", {{"u", ColumnKind::discrete, {}}});
    initialize(*unit);
    EXPECT_EQ(at(*unit, 0.99), 1);
    EXPECT_EQ(at(*unit, 1), 3);
    EXPECT_EQ(at(*unit, 1.99), 3);
}

TEST_F(TableUnit, AnnouncesItsJumpsAndMakesThemInEventMode) {
    const auto unit = open("time,u,n\n0,0,1\n1,1,1\n1,5,1\n2,6,1\n3,7,2\n",
                           {{"n", ColumnKind::integer, {}}}, true);
    initialize(*unit, 0, 4);
    EventMode* const events = unit->event_mode();
    ASSERT_NE(events, nullptr);
    EXPECT_EQ(events->update().next_event, Time{1});
    events->leave();
    EXPECT_EQ(at(*unit, 0.5), 0.5);
    EXPECT_EQ(at(*unit, 1), 1) << "before the jump";
    unit->snapshots()->save(0);
    events->enter();
    EXPECT_EQ(events->update().next_event, Time{3}) << "a held value changes";
    EXPECT_EQ(real(*unit), 5);
    events->leave();
    unit->snapshots()->restore(0);
    EXPECT_EQ(real(*unit), 1);
    EXPECT_EQ(at(*unit, 1.5), 5.5) << "passed over";
    std::int64_t n = 0;
    const ValueRef column = 1;
    EXPECT_EQ(at(*unit, 3), 7);
    unit->get({ValueType::int64, {&column, 1}, &n, 1});
    EXPECT_EQ(n, 1) << "the value before the change";
    events->enter();
    EXPECT_EQ(events->update().next_event, std::nullopt);
    unit->get({ValueType::int64, {&column, 1}, &n, 1});
    EXPECT_EQ(n, 2);
}

TEST_F(TableUnit, WithoutJumpsHasNoEventMode) {
    EXPECT_EQ(open("time,u\n0,0\n1,1\n1,1\n2,6\n", {}, true)->event_mode(), nullptr);
    EXPECT_EQ(open("time,u\n0,0\n1,1\n1,2\n2,6\n")->event_mode(), nullptr) << "not asked for";
}

TEST_F(TableUnit, JumpsWhereTwoRowsHaveTheSameTime) {
    const auto unit = open("time,u\n0,0\n1,1\n1,5\n2,6\n");
    initialize(*unit);
    EXPECT_EQ(at(*unit, 0.5), 0.5);
    EXPECT_EQ(at(*unit, 1), 5) << "the later row holds";
    EXPECT_EQ(at(*unit, 1.5), 5.5);
}

TEST_F(TableUnit, AJumpIsMetByATimeThatIsTheSameButForRounding) {
    const auto unit = open("time,u\n0,0\n2.1,0\n2.1,1\n3,1\n");
    initialize(*unit, 0, 3);
    ASSERT_LT(3 * 0.7, 2.1);
    EXPECT_EQ(at(*unit, 3 * 0.7), 1);
}

TEST_F(TableUnit, HoldsItsEndsAndSaysSo) {
    const auto unit = open("time,u\n1,4\n2,6\n");
    initialize(*unit, 0, 3);
    EXPECT_EQ(real(*unit), 4);
    EXPECT_EQ(at(*unit, 3), 6);
    ASSERT_EQ(log_.messages().size(), 1u);
    EXPECT_THAT(log_.messages()[0].text,
                HasSubstr("goes from 1 to 2 s: its first and last values are held beyond"));
}

TEST_F(TableUnit, SaysNothingWhereItCoversTheRun) {
    initialize(*open("time,u\n0,4\n1,6\n"));
    initialize(*open("time,u\n0,4\n"));
    EXPECT_THAT(log_.messages(), IsEmpty());
}

TEST_F(TableUnit, ColumnsAreOfAnyType) {
    const auto unit = open("\"time\",\"n\",\"b\",\"s\"\n0,1.0,0,\"a \"\"b\"\"\"\n1,-2,true,c\n",
                           {{"n", ColumnKind::integer, {}}, {"b", ColumnKind::boolean, {}}});
    initialize(*unit);
    (void)unit->step({0}, {0.5});
    const auto get = [&](ValueType type, ValueRef column, auto value) {
        unit->get({type, {&column, 1}, &value, 1});
        return value;
    };
    EXPECT_EQ(get(ValueType::int64, 0, std::int64_t{}), 1);
    EXPECT_EQ(get(ValueType::boolean, 1, true), false);
    EXPECT_EQ(get(ValueType::string, 2, std::string()), "a \"b\"");
    (void)unit->step({0.5}, {0.5});
    EXPECT_EQ(get(ValueType::int64, 0, std::int64_t{}), -2);
    EXPECT_EQ(get(ValueType::boolean, 1, false), true);
    EXPECT_EQ(get(ValueType::string, 2, std::string()), "c");
}

TEST_F(TableUnit, HoldsLargeIntegersAndBytes) {
    const auto unit = open("time,n,b\n0,18446744073709551615,00fF\n",
                           {{"n", ColumnKind::large_integer, {}}, {"b", ColumnKind::binary, {}}});
    initialize(*unit);
    const ValueRef n = 0, b = 1;
    std::int64_t large = 0;
    unit->get({ValueType::uint64, {&n, 1}, &large, 1});
    EXPECT_EQ(large, -1) << "keeps its bits";
    std::string bytes;
    unit->get({ValueType::binary, {&b, 1}, &bytes, 1});
    EXPECT_EQ(bytes, std::string("\0\xff", 2));
    EXPECT_THAT(problem_of("time,n\n0,-1\n", {{"n", ColumnKind::large_integer, {}}}),
                HasSubstr("is not a whole number from 0"));
    EXPECT_THAT(problem_of("time,b\n0,abc\n", {{"b", ColumnKind::binary, {}}}),
                HasSubstr("hexadecimal"));
}

TEST_F(TableUnit, TypesAreReadOffTheCellsWhereNobodyTells) {
    const auto unit = open("time,a,b,c\n0,1,true,x\n1,2.5,false,1\n");
    const auto& variables = unit->description().variables;
    EXPECT_EQ(variables[0].type, ValueType::float64);
    EXPECT_EQ(variables[0].variability, scenario::Variability::continuous);
    EXPECT_EQ(variables[1].type, ValueType::boolean);
    EXPECT_EQ(variables[2].type, ValueType::string);
}

TEST_F(TableUnit, GoesBack) {
    const auto unit = open("time,u\n0,0\n1,1\n");
    initialize(*unit);
    const double before = at(*unit, 0.25);
    unit->snapshots()->save(0);
    EXPECT_NE(at(*unit, 0.75), before);
    unit->snapshots()->restore(0);
    EXPECT_EQ(real(*unit), before);
}

TEST_F(TableUnit, ReadsNumbersInAnyLocale) {
    const std::string before = std::setlocale(LC_ALL, nullptr);
    if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr) GTEST_SKIP() << "no German locale";
    const auto unit = open("time,u\n0,1.5\n");
    std::setlocale(LC_ALL, before.c_str());
    initialize(*unit);
    EXPECT_EQ(real(*unit), 1.5);
}

TEST_F(TableUnit, ReportsAllThatIsWrongWithLineAndColumn) {
    EXPECT_THAT(problem_of("time,u,v\n0,1,nan\n1,x,2\n0.5,1,\n",
                           {{"u", ColumnKind::continuous, {}}, {"v", ColumnKind::continuous, {}}}),
                AllOf(HasSubstr("in.csv:2: \"nan\" in column \"v\" is not a finite number"),
                      HasSubstr("in.csv:3: \"x\" in column \"u\" is not a finite number"),
                      HasSubstr("in.csv:4: \"0.5\" in column \"time\" is earlier than 1 in the row "
                                "before\n  sort the rows by time")));
}

TEST_F(TableUnit, RefusesTimesThatAreNone) {
    EXPECT_THAT(problem_of("time,u\nnan,1\n"), HasSubstr("in.csv:2: \"nan\" in column \"time\""));
    EXPECT_THAT(problem_of("time,u\n0,1\n,1\n"), HasSubstr("in.csv:3: \"\" in column \"time\""));
}

TEST_F(TableUnit, RefusesWhatDoesNotFitTheType) {
    EXPECT_THAT(problem_of("time,n\n0,1.5\n", {{"n", ColumnKind::integer, {}}}),
                HasSubstr("in.csv:2: \"1.5\" in column \"n\" is not a whole number"));
    EXPECT_THAT(problem_of("time,b\n0,2\n", {{"b", ColumnKind::boolean, {}}}),
                HasSubstr("\"2\" in column \"b\" is not true, false, 1 or 0"));
}

TEST_F(TableUnit, RefusesWhatIsNoTable) {
    EXPECT_THAT(problem_of(""), HasSubstr("in.csv\" is empty"));
    EXPECT_THAT(problem_of("time,u\n"), HasSubstr("has no rows"));
    EXPECT_THAT(problem_of("0,1\n1,2\n"), HasSubstr("in.csv:1: the first row has numbers"));
    EXPECT_THAT(problem_of("time,u\n0\n"), HasSubstr("in.csv:2: 1 cells in a table of 2 columns"));
    EXPECT_THAT(problem_of("time,u,u\n0,1,1\n"), HasSubstr("two columns are named \"u\""));
    EXPECT_THAT(problem_of("time,speed\n0,1\n", {{"sped", ColumnKind::discrete, {}}}),
                AllOf(HasSubstr("has no column \"sped\""), HasSubstr("did you mean \"speed\"?")));
}

TEST_F(TableUnit, AFileThatIsNotThereIsNamed) {
    scenario::Unit unit;
    unit.name = "in";
    unit.origin = scenario::TableFile{"none.csv"};
    Library library(silent_log());
    EXPECT_THAT(test::error_of<InputError>([&] { (void)library.describe(unit, folder_.path()); }),
                HasSubstr("none.csv\" cannot be read"));
}

} // namespace
} // namespace rubato::unit
