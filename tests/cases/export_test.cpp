// SPDX-License-Identifier: Apache-2.0
// A scenario as an FMU gives the bits of the scenario, in FMI 2.0 and 3.0, at any depth.
#include "forms.hpp"
#include "support/collecting_log.hpp"
#include "support/exporter.hpp"
#include "support/run_scenario.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/pipeline/export.hpp>
#include <rubato/pipeline/scenario_unit.hpp>
#include <rubato/unit/validation.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>

namespace rubato::test {
namespace {

namespace fs = std::filesystem;
using pipeline::ExportVersion;
using scenario::Scenario;

/// Of several rows at one time the last is what is after events.
std::map<double, double> by_time(const Trajectories& run, const std::string& name) {
    std::map<double, double> result;
    const std::vector<double>& times = run.at("time");
    for (std::size_t i = 0; i < times.size(); ++i) result[times[i]] = run.at(name)[i];
    return result;
}

/// The first communication point that the importer has made of its own.
double first_other_point(const Trajectories& own, const Trajectories& exported) {
    for (const double time : exported.at("time"))
        if (std::ranges::find(own.at("time"), time) == own.at("time").end()) return time;
    return std::numeric_limits<double>::infinity();
}

/// Compares the columns that both have, at the times that both have, as long as all communication
/// points are those of the scenario: an early return at an event adds another.
void expect_same_bits(const Trajectories& own, const Trajectories& exported,
                      const std::string& prefix) {
    const double end = first_other_point(own, exported);
    std::size_t columns = 0;
    for (const auto& [name, values] : own) {
        if (name == "time" || !exported.contains(prefix + name)) continue;
        ++columns;
        const auto others = by_time(exported, prefix + name);
        std::size_t compared = 0;
        for (const auto& [time, value] : by_time(own, name)) {
            if (!others.contains(time) || time >= end) continue;
            ASSERT_EQ(value, others.at(time)) << name << " at t = " << time;
            ++compared;
        }
        EXPECT_GT(compared, 1u) << name;
    }
    EXPECT_GT(columns, 0u);
}

std::vector<fs::path> case_files() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(CASES))
        if (entry.path().extension() == ".yaml") files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

struct Case {
    fs::path file;
    ExportVersion version;
};

std::vector<Case> all_cases() {
    std::vector<Case> all;
    for (const fs::path& file : case_files())
        for (const auto version : {ExportVersion::fmi2, ExportVersion::fmi3})
            all.push_back({file, version});
    return all;
}

std::string version_name(ExportVersion version) {
    return version == ExportVersion::fmi2 ? "Fmi2" : "Fmi3";
}

class ExportedCase : public testing::TestWithParam<Case> {};

TEST_P(ExportedCase, GivesTheBitsOfTheScenario) {
    const auto& [file, version] = GetParam();
    Diagnostics diagnostics;
    const Scenario scenario = pipeline::read(file, diagnostics);
    if (scenario.step_control.controller != scenario::StepController::fixed)
        GTEST_SKIP() << "its steps adapt: they are cut where those of the importer end";
    Trajectories own;
    try {
        own = run_scenario(file);
    } catch (const Error&) {
        GTEST_SKIP() << "cannot be run on its own";
    }
    Exporter exporter;
    const auto fmu = exporter.export_file(file, version);
    if (!fmu && version == ExportVersion::fmi2 &&
        exporter.problems.find("FMI 2.0 does not have") != std::string::npos)
        GTEST_SKIP() << "FMI 2.0 lacks its types";
    ASSERT_TRUE(fmu) << exporter.problems;
    EXPECT_THAT(unit::validate(*fmu), testing::IsEmpty());
    expect_same_bits(own, run_scenario(file, {}, only(*fmu)), "whole.");
}

INSTANTIATE_TEST_SUITE_P(Of, ExportedCase, testing::ValuesIn(all_cases()), [](const auto& test) {
    std::string name = test.param.file.parent_path().filename().string() + "_" +
                       test.param.file.stem().string() + "_" + version_name(test.param.version);
    std::ranges::replace_if(
        name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name;
});

const std::string coupled_msd = CASES "/coupled-msd/scenario.yaml";

class Exported : public testing::TestWithParam<ExportVersion> {
protected:
    Exporter exporter;
};

TEST_P(Exported, WithFmusGivesTheBitsOfTheScenario) {
    for (const Form form : {Form::fmi2, Form::fmi3, Form::solved}) {
        SCOPED_TRACE(name_of(form));
        exporter.overwrite = true;
        const auto in_form = [&](Scenario& scenario) { use(form, scenario); };
        const auto fmu = exporter.export_file(coupled_msd, GetParam(), "whole.fmu", in_form);
        ASSERT_TRUE(fmu) << exporter.problems;
        expect_same_bits(run_scenario(coupled_msd, {}, in_form),
                         run_scenario(coupled_msd, {}, only(*fmu)), "whole.");
        EXPECT_FALSE(exporter.folder.has_temporary_files());
    }
}

TEST_P(Exported, InAnExportedFmuGivesTheSameBits) {
    const auto inner = exporter.export_file(coupled_msd, ExportVersion::fmi2, "inner.fmu",
                                            [](Scenario& s) { use(Form::fmi3, s); });
    ASSERT_TRUE(inner) << exporter.problems;
    const auto outer = exporter.export_file(coupled_msd, GetParam(), "outer.fmu", only(*inner));
    ASSERT_TRUE(outer) << exporter.problems;
    expect_same_bits(run_scenario(coupled_msd), run_scenario(coupled_msd, {}, only(*outer)),
                     "whole.whole.");
}

/// One unit of a scenario as a scenario of its own, exported, in its place.
TEST_P(Exported, AUnitGivesTheBitsOfTheFlatScenario) {
    const auto alone = [](const std::string& kept) {
        return [kept](Scenario& scenario) {
            std::erase_if(scenario.units, [&](const auto& unit) { return unit.name != kept; });
            scenario.units.front().inputs.clear();
            scenario.connections.clear();
            scenario.bonds.clear();
            scenario.recording = {};
            scenario.algorithm = {};
        };
    };
    for (const char* recipe : {"jacobi", "gauss-seidel", "iterated-gauss-seidel"}) {
        SCOPED_TRACE(recipe);
        exporter.overwrite = true;
        const auto fmu = exporter.export_file(coupled_msd, GetParam(), "msd1.fmu", alone("msd1"));
        ASSERT_TRUE(fmu) << exporter.problems;
        const std::vector<scenario::Override> overrides = {{"algorithm.recipe", recipe}};
        const Trajectories own = run_scenario(coupled_msd, overrides);
        const Trajectories mixed = run_scenario(coupled_msd, overrides, [&](Scenario& scenario) {
            scenario.recording = {};
            scenario::Unit& unit = scenario.units.front();
            ASSERT_EQ(unit.name, "msd1");
            unit.origin = scenario::FmuFile{*fmu};
            unit.parameters.clear();
            unit.start.clear();
            for (auto& input : unit.inputs) input.name = "msd1." + input.name;
            for (scenario::Connection& each : scenario.connections) {
                if (each.from_unit == "msd1") each.from_port = "msd1." + each.from_port;
                if (each.to_unit == "msd1") each.to_port = "msd1." + each.to_port;
            }
        });
        expect_same_bits({{"time", own.at("time")}, {"msd1.x1", own.at("msd1.x1")}}, mixed,
                         "msd1.");
        expect_same_bits({{"time", own.at("time")}, {"msd2.x2", own.at("msd2.x2")}}, mixed, "");
    }
}

TEST_P(Exported, InstancesOfOneFmuHaveTheirOwnParameters) {
    const auto fmu = exporter.export_file(coupled_msd, GetParam());
    ASSERT_TRUE(fmu) << exporter.problems;
    const auto twice = [&](Scenario& scenario) {
        only (*fmu)(scenario);
        scenario.units.push_back(scenario.units.front());
        scenario.units.back().name = "other";
        scenario.units.back().parameters.push_back({.variable = "msd1.m1", .value = 2.0});
    };
    const Trajectories both = run_scenario(coupled_msd, {}, twice);
    expect_same_bits(run_scenario(coupled_msd), both, "whole.");
    expect_same_bits(run_scenario(coupled_msd, {{"units.msd1.parameters.m1", "2.0"}}), both,
                     "other.");
}

TEST_P(Exported, ReturnsToASavedState) {
    const auto fmu = exporter.export_file(coupled_msd, GetParam());
    ASSERT_TRUE(fmu) << exporter.problems;
    unit::Library library(silent_log());
    scenario::Unit unit;
    unit.name = "whole";
    unit.origin = scenario::FmuFile{*fmu};
    const auto whole = library.instantiate(unit, "");
    const ValueRef position = *whole->description().find_variable("msd1.x1");
    const auto step = [&](double from) {
        EXPECT_EQ(whole->step({from}, {0.2}).end, unit::StepEnd::completed);
        double value = 0;
        whole->get({ValueType::float64, {&position, 1}, &value, 1});
        return value;
    };
    whole->enter_initialization({});
    whole->exit_initialization();
    const double first = step(0);
    ASSERT_NE(whole->snapshots(), nullptr);
    whole->snapshots()->save(0);
    const double second = step(0.2);
    const double third = step(0.4);
    whole->snapshots()->restore(0);
    EXPECT_EQ(step(0.2), second);
    whole->snapshots()->save(1);
    EXPECT_EQ(step(0.4), third);
    whole->snapshots()->restore(1);
    EXPECT_EQ(step(0.4), third);
    EXPECT_NE(first, third);
}

/// An instance that continues from where another one was.
TEST_P(Exported, ContinuesInANewInstanceFromASerializedState) {
    for (const Form form : {Form::native, Form::fmi2, Form::fmi3}) {
        SCOPED_TRACE(name_of(form));
        exporter.overwrite = true;
        const auto fmu = exporter.export_file(coupled_msd, GetParam(), "whole.fmu",
                                              [&](Scenario& scenario) { use(form, scenario); });
        ASSERT_TRUE(fmu) << exporter.problems;
        const auto make = [&](unit::Library& library) {
            scenario::Unit unit;
            unit.name = "whole";
            unit.origin = scenario::FmuFile{*fmu};
            return library.instantiate(unit, "");
        };
        const auto run = [](unit::Unit& whole, double from) {
            std::vector<double> values;
            const ValueRef position = *whole.description().find_variable("msd1.x1");
            for (int i = 0; i < 5; ++i) {
                EXPECT_EQ(whole.step({from + 0.2 * i}, {0.2}).end, unit::StepEnd::completed);
                whole.get({ValueType::float64, {&position, 1}, &values.emplace_back(), 1});
            }
            return values;
        };
        unit::Library library(silent_log()), other(silent_log());
        const auto first = make(library);
        ASSERT_TRUE(first->description().capabilities.serialization);
        first->enter_initialization({});
        first->exit_initialization();
        (void)run(*first, 0);
        first->snapshots()->save(0);
        std::vector<std::byte> bytes;
        first->serialized_states()->serialize(0, bytes);
        const std::vector<double> expected = run(*first, 1);

        const auto second = make(other);
        second->enter_initialization({});
        second->exit_initialization();
        second->serialized_states()->deserialize(3, bytes);
        second->snapshots()->restore(3);
        EXPECT_EQ(run(*second, 1), expected);

        const auto third = make(other);
        third->enter_initialization({});
        third->exit_initialization();
        bytes[bytes.size() / 2] ^= std::byte{1};
        EXPECT_THROW(third->serialized_states()->deserialize(0, bytes), Error);
        bytes.clear();
        EXPECT_THROW(third->serialized_states()->deserialize(0, bytes), Error);
    }
}

/// A bucket that tips at 0.3, 0.6 and 0.9 s, and what integrates how often it has.
constexpr const char* tipping = R"(rubato: 1
name: tipping
units:
  bucket: {model: bucket, parameters: {volume: 0.3}}
)";

TEST(ExportedEvents, AreThoseOfTheWhole) {
    Exporter exporter;
    const fs::path flat = exporter.write("flat.yaml", std::string(tipping) + R"(
  count: {model: integrator}
connections: [bucket.tips -> count.u]
experiment: {stop: 1, step: 0.25}
)");
    const fs::path inner =
        exporter.write("inner.yaml", std::string(tipping) + "interface: {outputs: {tips: "
                                                            "bucket.tips}}\n"
                                                            "experiment: {step: 0.25}\n");
    const auto fmu = exporter.export_file(inner, ExportVersion::fmi3);
    ASSERT_TRUE(fmu) << exporter.problems;
    EXPECT_THAT(unit::validate(*fmu), testing::IsEmpty());
    const Trajectories own = run_scenario(flat);
    EXPECT_NEAR(own.at("count.y").back(), 0.3 * 1 + 0.3 * 2 + 0.1 * 3, 1e-9);
    const Trajectories exported = run_scenario(flat, {}, [&](Scenario& scenario) {
        scenario.units.front().origin = scenario::FmuFile{*fmu};
        scenario.units.front().parameters.clear();
    });
    EXPECT_EQ(exported.at("time"), own.at("time"));
    EXPECT_EQ(exported.at("count.y"), own.at("count.y"));
    EXPECT_EQ(exported.at("bucket.tips"), own.at("bucket.tips"));
}

/// Some FMUs refuse to go beyond the stop time that they were given.
TEST(ExportedHorizon, HasNoStopTimeIfTheImporterGivesNone) {
    Exporter exporter;
    exporter.write("short.csv", "time,u\n0,0\n0.05,1\n");
    const fs::path file = exporter.write(
        "table.yaml", "rubato: 1\nunits: {t: {table: short.csv}}\nexperiment: {step: 0.1}\n");
    const auto messages = [&](const unit::Horizon& horizon) {
        CollectingLog log;
        unit::Library library(log);
        Diagnostics diagnostics;
        const auto scenario =
            pipeline::assemble_as_unit(pipeline::read(file, diagnostics), "whole", library,
                                       pipeline::Verification::skip, diagnostics);
        diagnostics.throw_if_errors();
        const auto whole = pipeline::make_unit(scenario, library, log, {});
        whole->enter_initialization(horizon);
        std::string text;
        for (const CollectingLog::Message& message : log.messages()) text += message.text + "\n";
        return text;
    };
    EXPECT_THAT(messages({.start = {0}, .stop = Time{1}, .tolerance = {}}),
                testing::HasSubstr("held beyond"));
    EXPECT_THAT(messages({}), testing::Not(testing::HasSubstr("held beyond")));
}

TEST(ExportedTypes, GoInAndOutAsTheyAre) {
    Exporter exporter;
    const fs::path file =
        exporter.write("types.yaml", "rubato: 1\nname: types\nunits:\n  it: {model: "
                                     "feedthrough}\nexperiment: {step: 0.1}\n");
    const auto fmu = exporter.export_file(file, ExportVersion::fmi3);
    ASSERT_TRUE(fmu) << exporter.problems;
    EXPECT_THAT(unit::validate(*fmu), testing::IsEmpty());
    const Trajectories own = run_scenario(file);
    expect_same_bits(own, run_scenario(file, {}, only(*fmu)), "whole.");
    const std::vector<scenario::Override> others = {
        {"units.it.start",
         "{float64_in: 2.5, float32_in: 0.25, int8_in: -1, uint8_in: 255, int16_in: -300, "
         "uint16_in: 65535, int32_in: -70000, uint32_in: 4294967295, int64_in: "
         "-9007199254740993, uint64_in: 18446744073709551615, boolean_in: false, string_in: bye, "
         "mode_in: 3, vector_in: [4, 5, 6]}"}};
    const Trajectories changed = run_scenario(file, others);
    EXPECT_NE(own, changed);
    const auto set = [&](Scenario& scenario) {
        auto start = scenario.units.front().start;
        for (scenario::Assignment& each : start) each.variable = "it." + each.variable;
        only (*fmu)(scenario);
        scenario.units.front().start = start;
    };
    expect_same_bits(changed, run_scenario(file, others, set), "whole.");
}

INSTANTIATE_TEST_SUITE_P(In, Exported, testing::Values(ExportVersion::fmi2, ExportVersion::fmi3),
                         [](const auto& test) { return version_name(test.param); });

} // namespace
} // namespace rubato::test
