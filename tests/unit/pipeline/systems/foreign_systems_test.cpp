// SPDX-License-Identifier: Apache-2.0

/// Systems that come with other tools, against the results that those tools have recorded. The
/// environment variable RUBATO_FOREIGN_SYSTEMS names a folder with their repositories: MasterSim,
/// maestro.

#include "support/run_scenario.hpp"

#include <rubato/files/csv.hpp>
#include <rubato/files/output_file.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace rubato::test {
namespace {

namespace fs = std::filesystem;

/// A system and what is recorded for it.
struct Case {
    std::string name;
    std::string system, reference; ///< relative to the folder
    double tube = 0;               ///< largest deviation, relative to the largest value of a column
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

class ForeignSystem : public ::testing::TestWithParam<Case> {};

TEST_P(ForeignSystem, GivesWhatItsToolHasRecorded) {
    const char* const folder = std::getenv("RUBATO_FOREIGN_SYSTEMS");
    if (!folder)
        GTEST_SKIP() << "RUBATO_FOREIGN_SYSTEMS names no folder: systems of other tools are NOT "
                        "tested";
    const Case& tried = GetParam();
    ASSERT_TRUE(fs::exists(fs::path(folder) / tried.system)) << tried.system;
    Trajectories run = run_scenario(fs::path(folder) / tried.system, tried.settings);
    const Trajectories reference = read_reference(fs::path(folder) / tried.reference);
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
            deviation = std::max(deviation,
                                 std::abs(value_at(run["time"], run[name], times[i]) - values[i]));
        }
        const double relative = deviation / std::max(largest, 1e-300);
        worst = std::max(worst, largest == 0 ? deviation : relative);
        EXPECT_LE(largest == 0 ? deviation : relative, tried.tube) << name;
    }
    EXPECT_GT(compared, 0) << "no recorded variable is one of the run";
    std::cout << tried.name << ": " << compared << " variables, largest deviation " << worst
              << "\n";
}

std::vector<Case> cases() {
    const auto master_sim = [](const std::string& name, double tube) {
        const std::string path = "MasterSim/data/tests/linux64/" + name;
        return Case{name.substr(name.find('/') + 1), path + ".msim",
                    path + ".gcc_linux/results/values.csv", tube};
    };
    const auto maestro = [](const std::string& name, double stop, double tube) {
        const std::string path = "maestro/maestro/src/test/resources/jacobian_step_builder/" + name;
        return Case{name,
                    path + "/env.json",
                    path + "/expectedoutputs.csv",
                    tube,
                    {{"experiment.stop", std::to_string(stop)}}};
    };
    return {
        // Same algorithm, same steps: the same numbers, as far as they are printed.
        master_sim("Math_003_control_loop/Math003_GaussJacobi_1iters_fixedStep", 1e-9),
        master_sim("Math_003_control_loop/Math003_GaussSeidel_1iters_fixedStep", 1e-9),
        master_sim("Math_003_control_loop/Math003_GaussSeidel_2iters_fixedStep", 1e-3),
        master_sim("Math_003_control_loop/Math003_GaussSeidel_2iters_adaptive_Richardson", 1e-2),
        master_sim("FileReaderSlave/LV_Richardson_PredatorFromFile_noiter", 1e-2),
        master_sim("FileReaderSlave/LV_Richardson_PredatorFromFile_noiter_excelcsv", 1e-2),
        master_sim("FileReaderSlave/FileReaderSeveralVars", 1e-9),
        master_sim("FileReaderSlave/FileReaderUnusedVars", 1e-9),
        master_sim("DifferentVariableTypes/DifferentVariableTypes", 1e-9),
        master_sim("DifferentVariableTypes/DifferentVariableTypesFromCSV", 1e-9),
        master_sim("OutputTests/DifferentTimeUnit", 1e-9),
        master_sim("ProjectFile/LV_Richardson_5iter", 1e-2),
        maestro("legacy_fixed_step", 10, 1e-9),
        maestro("legacy_unstable", 10, 1e-9),
        maestro("stabilization", 10, 1e-2),
    };
}

INSTANTIATE_TEST_SUITE_P(All, ForeignSystem, ::testing::ValuesIn(cases()),
                         [](const auto& tried) { return tried.param.name; });

} // namespace
} // namespace rubato::test
