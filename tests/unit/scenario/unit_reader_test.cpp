// SPDX-License-Identifier: Apache-2.0

/// What the scenario says of its units.

#include "support.hpp"

namespace rubato::scenario::testing {
namespace {

TEST(UnitReader, ReadsTheInterfaceAndItsSolver) {
    const Parsed parsed = parse(R"(rubato: 1
units:
  ball: {fmu: ball.fmu, type: me, solver: {method: adams, tolerance: 1e-8, max-step: 0.5}}
  rod:
    fmu: rod.fmu
    solver: euler
  plain: {fmu: plain.fmu, type: cs}
)",
                                {{"units.rod.solver.step", "0.001"}});
    ASSERT_EQ(parsed.said(), "");
    const auto& units = parsed.scenario.units;
    EXPECT_EQ(units[0].type, Interface::model_exchange);
    ASSERT_TRUE(units[0].solver);
    EXPECT_EQ(units[0].solver->method, SolverMethod::adams);
    EXPECT_EQ(units[0].solver->tolerance, 1e-8);
    EXPECT_EQ(units[0].solver->max_step, 0.5);
    EXPECT_EQ(units[0].solver->where.line, 3);
    EXPECT_EQ(units[1].type, std::nullopt);
    ASSERT_TRUE(units[1].solver);
    EXPECT_EQ(units[1].solver->method, SolverMethod::euler);
    EXPECT_EQ(units[1].solver->step, 0.001);
    EXPECT_EQ(units[2].type, Interface::co_simulation);
    EXPECT_EQ(units[2].solver, std::nullopt);
}

TEST(UnitReader, ReadsWhatIsIsolated) {
    const Parsed parsed =
        parse(R"(rubato: 1
units:
  a: {fmu: a.fmu, isolate: true}
  b: {fmu: b.fmu, isolate: {time-limit: 5}}
  c: {fmu: c.fmu, isolate: true}
  d: {fmu: d.fmu, isolate: false}
  e: {fmu: e.fmu}
)",
              {{"units.c.isolate.time-limit", "0.5"}, {"units.e.isolate", "true"}});
    ASSERT_EQ(parsed.said(), "");
    std::vector<std::optional<double>> limits;
    for (const Unit& unit : parsed.scenario.units)
        limits.push_back(unit.isolate ? std::optional(unit.isolate->time_limit) : std::nullopt);
    EXPECT_EQ(limits, (std::vector<std::optional<double>>{60, 5, 0.5, std::nullopt, 60}));
}

TEST(UnitReader, AnythingElseIsNoIsolation) {
    EXPECT_EQ(parse("rubato: 1\nunits: {a: {fmu: a.fmu, isolate: {limit: 1}}}\n").said(),
              "s.yaml:2: unknown key \"units.a.isolate.limit\"\n"
              "  did you mean \"time-limit\"? the keys of units.a.isolate are: time-limit\n");
    EXPECT_NE(parse("rubato: 1\nunits: {a: {fmu: a.fmu, isolate: often}}\n").said(), "");
}

TEST(UnitReader, AnUnknownInterfaceOrSolverIsReported) {
    EXPECT_EQ(parse("rubato: 1\nunits: {a: {fmu: a.fmu, type: mx, solver: bdf}}\n").said(),
              "s.yaml:2: units.a.type cannot be \"mx\"\n"
              "  did you mean \"me\"? its values are: cs, me\n"
              "s.yaml:2: units.a.solver.method cannot be \"bdf\"\n"
              "  its values are: cvode, adams, euler\n");
}

TEST(UnitReader, AUnitIsAnFmuAModelOrATable) {
    EXPECT_EQ(parse("rubato: 1\nunits: {a: {fmu: a.fmu, model: m}}\n").said(),
              "s.yaml:2: unit \"a\" has fmu and model\n"
              "  give exactly one: the path of an FMU, the name of a native model, the path of a "
              "CSV file, or the path of a scenario\n");
    EXPECT_EQ(parse("rubato: 1\nunits: {a: {}}\n").said(),
              "s.yaml:2: unit \"a\" has neither fmu, model, table nor scenario\n"
              "  give exactly one: the path of an FMU, the name of a native model, the path of a "
              "CSV file, or the path of a scenario\n");
}

TEST(UnitReader, ATableSaysWhatItsColumnsHold) {
    const Parsed parsed = parse("rubato: 1\nunits: {a: {table: a.csv, columns: {n: integer}}}\n");
    EXPECT_EQ(parsed.said(), "");
    const Unit& unit = parsed.scenario.units.at(0);
    const auto& table = std::get<TableFile>(unit.origin);
    EXPECT_EQ(table.file, "a.csv");
    EXPECT_FALSE(unit.is_only_declared());
    ASSERT_EQ(table.columns.size(), 1u);
    EXPECT_EQ(table.columns[0].name, "n");
    EXPECT_EQ(table.columns[0].kind, ColumnKind::integer);
}

TEST(UnitReader, OnlyTablesHaveColumns) {
    EXPECT_EQ(
        parse("rubato: 1\nunits: {a: {model: m, columns: {n: integer}}}\n").said(),
        "s.yaml:2: unit \"a\" has columns, but no table\n"
        "  columns say what the columns of a table hold: give the table, or remove columns\n");
}

TEST(UnitReader, ATableSaysWhetherStepsStopAtItsJumps) {
    const auto given = [](const std::string& text) {
        const Parsed parsed = parse("rubato: 1\nunits: {a: {table: a.csv" + text + "}}\n");
        EXPECT_EQ(parsed.said(), "");
        return std::get<TableFile>(parsed.scenario.units.at(0).origin).stop_at_jumps;
    };
    EXPECT_EQ(given(", stop-at-jumps: true"), true);
    EXPECT_EQ(given(", stop-at-jumps: false"), false);
    EXPECT_EQ(given(""), std::nullopt);
}

TEST(UnitReader, OnlyTablesStopAtJumps) {
    EXPECT_EQ(parse("rubato: 1\nunits: {a: {model: m, stop-at-jumps: true}}\n").said(),
              "s.yaml:2: unit \"a\" has stop-at-jumps, but no table\n"
              "  only the jumps of tables are known beforehand: remove it\n");
}

TEST(UnitReader, NamesOfUnitsHaveNoDotsOrBlanks) {
    EXPECT_EQ(parse("rubato: 1\nunits: {a.b: {model: m}, c d: {model: m}}\n").said(),
              "s.yaml:2: \"a.b\" cannot be the name of a unit\n  use letters, digits, _ and -\n"
              "s.yaml:2: \"c d\" cannot be the name of a unit\n  use letters, digits, _ and -\n");
}

} // namespace
} // namespace rubato::scenario::testing
