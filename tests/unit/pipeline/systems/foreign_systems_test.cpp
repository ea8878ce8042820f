// SPDX-License-Identifier: Apache-2.0

/// Systems that come with other tools, against the results that those tools have recorded. The
/// environment variable RUBATO_FOREIGN_SYSTEMS names a folder with their repositories: MasterSim,
/// maestro, OMSimulator. docs/reference/formats.md has the table of what they give.

#include "support/run_scenario.hpp"

#include <rubato/files/csv.hpp>
#include <rubato/files/output_file.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace rubato::test {
namespace {

namespace fs = std::filesystem;

/// A system and what is recorded for it.
struct Case {
    std::string name;
    std::string system, reference; ///< relative to the folder
    /// Largest deviation, relative to the largest value of a column.
    double tube = 0;
    /// How much earlier or later a value may be there [s]. Tools that add up steps see an instant
    /// that is a multiple of the step a step later.
    double shift = 0;
    std::vector<scenario::Override> settings = {};
};

void PrintTo(const Case& each, std::ostream* stream) { *stream << each.name; }

/// "Part1.x1" of "Part1.x1 [-]" and of "{m1}.Part1.x1"
std::string plain_caption(std::string_view caption) {
    caption = files::trimmed(caption);
    if (const auto unit = caption.find(" ["); unit != std::string_view::npos)
        caption = caption.substr(0, unit);
    if (const auto key = caption.find("}."); key != std::string_view::npos)
        caption.remove_prefix(key + 2);
    return std::string(files::trimmed(caption));
}

double number_in(const std::string& cell) {
    const std::string_view text = files::trimmed(cell);
    if (text == "true" || text == "false") return text == "true" ? 1 : 0;
    return files::parse_real(text).value_or(std::numeric_limits<double>::quiet_NaN());
}

/// Columns by name, with "time" in seconds.
Trajectories read_reference(const fs::path& file) {
    std::string text = files::read_file(file);
    std::ranges::replace(text, '\t', ',');
    files::CsvReader reader(text, file.string());
    std::vector<std::string> names, cells;
    reader.read_row(names);
    const double unit = names[0].find("[h]") != std::string::npos     ? 3600
                        : names[0].find("[min]") != std::string::npos ? 60
                                                                      : 1;
    for (std::string& name : names) name = plain_caption(name);
    names[0] = "time";
    Trajectories result;
    while (!reader.at_end()) {
        reader.read_row(cells);
        for (std::size_t i = 0; i < cells.size() && i < names.size(); ++i)
            result[names[i]].push_back(number_in(cells[i]) * (i == 0 ? unit : 1));
    }
    return result;
}

/// The value at a time, on a line between the points around it.
double value_at(const std::vector<double>& times, const std::vector<double>& values, double time) {
    const auto next = std::ranges::lower_bound(times, time - 1e-9);
    if (next == times.end()) return values.back();
    const auto i = static_cast<std::size_t>(next - times.begin());
    if (i == 0 || std::abs(*next - time) < 1e-9) return values[i];
    const double part = (time - times[i - 1]) / (times[i] - times[i - 1]);
    return values[i - 1] + part * (values[i] - values[i - 1]);
}

/// How far a value is from those of the run around this time.
double deviation_at(const std::vector<double>& times, const std::vector<double>& values,
                    double time, double shift, double expected) {
    double least = value_at(times, values, time - shift), most = least;
    const auto include = [&](double value) {
        least = std::min(least, value);
        most = std::max(most, value);
    };
    include(value_at(times, values, time + shift));
    const auto first = std::ranges::lower_bound(times, time - shift - 1e-9);
    for (auto each = first; each != times.end() && *each <= time + shift + 1e-9; ++each)
        include(values[static_cast<std::size_t>(each - times.begin())]);
    return std::max({0.0, least - expected, expected - most});
}

/// The folder of the systems; nullopt: there is none, and the test skips.
std::optional<fs::path> foreign_folder() {
    const char* const folder = std::getenv("RUBATO_FOREIGN_SYSTEMS");
    return folder ? std::optional<fs::path>(folder) : std::nullopt;
}
constexpr auto skipped =
    "RUBATO_FOREIGN_SYSTEMS names no folder: systems of other tools are NOT tested";

class ForeignSystem : public ::testing::TestWithParam<Case> {};

TEST_P(ForeignSystem, GivesWhatItsToolHasRecorded) {
    const auto folder = foreign_folder();
    if (!folder) GTEST_SKIP() << skipped;
    const Case& tried = GetParam();
    ASSERT_TRUE(fs::exists(*folder / tried.system)) << tried.system;
    Trajectories run = run_scenario(*folder / tried.system, tried.settings);
    const Trajectories reference = read_reference(*folder / tried.reference);
    const std::vector<double>& times = reference.at("time");
    int compared = 0;
    double worst = 0;
    for (const auto& [name, values] : reference) {
        if (name == "time" || !run.contains(name)) continue;
        ++compared;
        double largest = 0, deviation = 0;
        for (std::size_t i = 0; i < times.size(); ++i) {
            if (times[i] > run["time"].back() + 1e-9) continue;
            largest = std::max(largest, std::abs(values[i]));
            deviation = std::max(
                deviation, deviation_at(run["time"], run[name], times[i], tried.shift, values[i]));
        }
        const double relative = largest == 0 ? deviation : deviation / largest;
        worst = std::max(worst, relative);
        EXPECT_LE(relative, tried.tube) << name;
    }
    EXPECT_GT(compared, 0) << "no recorded variable is one of the run";
    std::cout << tried.name << ": " << compared << " variables, largest deviation " << worst
              << "\n";
}

/// The scripts of OMSimulator print these values at the end.
TEST(ForeignSsp, TransformationsGiveTheValuesThatOmSimulatorPrints) {
    const auto folder = foreign_folder();
    if (!folder) GTEST_SKIP() << skipped;
    const std::vector<scenario::Override> record = {
        {"record.variables", "[Gain1.u, Gain1.k, Gain1.y, Add1.u1]"}};
    const fs::path resources = *folder / "OMSimulator/testsuite/tests/resources";
    const Trajectories connected = run_scenario(resources / "LinearTransformation", record);
    EXPECT_EQ(connected.at("Gain1.y").back(), 0);
    EXPECT_EQ(connected.at("Add1.u1").back(), 3);
    const Trajectories mapped = run_scenario(resources / "LinearTransformation3", record);
    EXPECT_EQ(mapped.at("Gain1.k").back(), 13);
    EXPECT_EQ(mapped.at("Gain1.u").back(), 14);
    EXPECT_EQ(mapped.at("Gain1.y").back(), 182);
    EXPECT_EQ(mapped.at("Add1.u1").back(), 182);
}

Case master_sim(const std::string& name, double tube, double shift = 0) {
    const std::string path = "MasterSim/data/tests/linux64/" + name;
    return {name.substr(name.find('/') + 1), path + ".msim", path + ".gcc_linux/results/values.csv",
            tube, shift};
}

/// `settings`: what the scripts of the test say beyond the multi-model.
Case maestro(const std::string& name, double tube, double shift,
             std::vector<scenario::Override> settings) {
    const std::string path = "maestro/maestro/src/test/resources/jacobian_step_builder/" + name;
    settings.push_back({"experiment.stop", "10"});
    return {name, path + "/env.json", path + "/expectedoutputs.csv", tube, shift, settings};
}

std::vector<Case> cases_of_master_sim() {
    // Time is added up there: what happens at t = 3 s happens a step later.
    constexpr double fixed_step = 0.01, rounding = 1e-12;
    return {
        master_sim("Math_003_control_loop/Math003_GaussJacobi_1iters_fixedStep", rounding,
                   fixed_step),
        master_sim("Math_003_control_loop/Math003_GaussSeidel_1iters_fixedStep", rounding,
                   fixed_step),
        master_sim("Math_003_control_loop/Math003_GaussSeidel_2iters_fixedStep", rounding,
                   fixed_step),
        // Its longest step is 0.14 s: jumps are found within it.
        master_sim("Math_003_control_loop/Math003_GaussSeidel_2iters_adaptive_Richardson", 1e-4,
                   0.14),
        // 1001 steps here, 2870 there: the input of the prey is held for longer.
        master_sim("FileReaderSlave/LV_Richardson_PredatorFromFile_noiter", 5e-3),
        master_sim("FileReaderSlave/LV_Richardson_PredatorFromFile_noiter_excelcsv", 5e-3),
        master_sim("FileReaderSlave/FileReaderSeveralVars", 0),
        master_sim("FileReaderSlave/FileReaderUnusedVars", 0),
        master_sim("FileReaderSlave/FileReaderUnusedVarsWriteAll", 0),
        master_sim("DifferentVariableTypes/DifferentVariableTypes", 0),
        master_sim("DifferentVariableTypes/DifferentVariableTypesFeedThrough", 0),
        // A table jumps at the end of a step; MasterSim has its new value in that step.
        master_sim("DifferentVariableTypes/DifferentVariableTypesFromCSV", 0, 0.5),
        master_sim("OutputTests/DifferentTimeUnit", 0, 0.1),
        // The error of the run is controlled, not that of a step: the steps differ.
        master_sim("ProjectFile/LV_Richardson_5iter", 5e-3),
    };
}

std::vector<Case> cases() {
    std::vector<Case> all = cases_of_master_sim();
    const std::vector<scenario::Override> masses = {{"units.mi2.parameters.cc", "100"},
                                                    {"units.mi2.parameters.dc", "100"}};
    std::vector<scenario::Override> stabilized = masses;
    stabilized.insert(stabilized.end(), {{"algorithm.recipe", "iterated-jacobi"},
                                         {"algorithm.relative-tolerance", "0.01"},
                                         {"algorithm.absolute-tolerance", "1e-9"},
                                         {"algorithm.iteration-limit", "5"},
                                         {"algorithm.at-limit", "accept"}});
    const std::vector<scenario::Override> pump = {{"units.pump.parameters.mdotInit", "5"},
                                                  {"units.pump.parameters.tBegin", "3"},
                                                  {"units.pump.parameters.tLength", "0.05"},
                                                  {"units.pump.parameters.h", "0.5"}};
    all.push_back(maestro("legacy_fixed_step", 0, 0, {}));
    // Its script begins with inputs that are 0 instead of what they are connected with, and the
    // difference grows with the solution, which is unstable.
    all.push_back(maestro("legacy_unstable", 2e-2, 0, masses));
    // Both accept iterates within 1 %, of other iterations; the FMUs make steps of 10 ms inside.
    all.push_back(maestro("stabilization", 0.1, 0.01, stabilized));
    // The steps differ: what is between them lies on a line.
    all.push_back(maestro("legacy_rollback", 2e-3, 0, pump));
    all.push_back({"wt", "maestro/external_tester/wt/mm.json",
                   "maestro/external_tester/wt/result.csv", 0, 0});
    return all;
}

INSTANTIATE_TEST_SUITE_P(All, ForeignSystem, ::testing::ValuesIn(cases()),
                         [](const auto& tried) { return tried.param.name; });

} // namespace
} // namespace rubato::test
