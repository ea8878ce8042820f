// SPDX-License-Identifier: Apache-2.0
// A scenario is a unit: whatever is wrapped in scenarios of its own gives the results that it gives
// without.
#include "forms.hpp"
#include "support/run_scenario.hpp"
#include "wrapped.hpp"

#include <rubato/core/diagnostics.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace rubato::test {
namespace {

namespace fs = std::filesystem;
using scenario::Scenario;

std::vector<fs::path> scenario_files() {
    std::vector<fs::path> files;
    for (const char* folder : {CASES, STUDIES})
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            if (entry.path().extension() == ".yaml") files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

/// Compares all columns of `flat` with those at their path, at the times that both have.
void expect_same_bits(const Trajectories& flat, const Trajectories& nested,
                      const std::function<std::string(const std::string&)>& path_of) {
    const std::vector<double>& times = flat.at("time");
    const std::vector<double>& nested_times = nested.at("time");
    std::size_t compared = 0;
    for (const auto& [name, values] : flat) {
        if (name == "time") continue;
        ASSERT_TRUE(nested.contains(path_of(name))) << path_of(name);
        const std::vector<double>& others = nested.at(path_of(name));
        std::size_t j = 0;
        for (std::size_t i = 0; i < times.size(); ++i) {
            // Of several rows at one time the last is what is after events.
            if (i + 1 < times.size() && times[i + 1] == times[i]) continue;
            while (j < nested_times.size() &&
                   (nested_times[j] < times[i] ||
                    (j + 1 < nested_times.size() && nested_times[j + 1] == nested_times[j])))
                ++j;
            if (j == nested_times.size() || nested_times[j] != times[i]) continue;
            ASSERT_EQ(values[i], others[j]) << name << " at t = " << times[i];
            ++compared;
        }
    }
    EXPECT_GT(compared, times.size() / 2);
}

std::optional<Trajectories> flat_run(const std::string& file,
                                     const std::vector<scenario::Override>& overrides) {
    try {
        return run_scenario(file, overrides);
    } catch (const Error&) {
        return std::nullopt; // settings that do not fit, or a run that fails
    }
}

class Nested : public testing::TestWithParam<fs::path> {
protected:
    std::string file() const { return GetParam().string(); }
};

TEST_P(Nested, TheWholeAsAUnitGivesItsBits) {
    Diagnostics diagnostics;
    const Scenario scenario = pipeline::read(file(), diagnostics);
    // Steps that adapt are cut where those of the whole end.
    if (scenario.step_control.controller != scenario::StepController::fixed)
        GTEST_SKIP() << "its steps adapt: they are cut where those of the whole end";
    const auto flat = flat_run(file(), {});
    if (!flat) GTEST_SKIP() << "cannot be run on its own";
    expect_same_bits(*flat, run_scenario(file(), {}, wrap_whole),
                     [](const std::string& name) { return "whole/" + name; });
}

INSTANTIATE_TEST_SUITE_P(Of, Nested, testing::ValuesIn(scenario_files()), [](const auto& test) {
    std::string name =
        test.param.parent_path().filename().string() + "_" + test.param.stem().string();
    std::ranges::replace_if(
        name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name;
});

/// `a.x` of a wrapped unit `a`.
std::string within(const std::string& name) {
    const std::size_t dot = name.find('.');
    return name.substr(0, dot) + "/" + name;
}

class NestedUnits : public testing::TestWithParam<Form> {};

TEST_P(NestedUnits, GiveTheBitsOfTheFlatScenario) {
    for (const char* recipe : {"jacobi", "gauss-seidel", "iterated-jacobi", "iterated-gauss-seidel",
                               "waveform-gauss-seidel", "synthesized"}) {
        for (const char* file : {CASES "/coupled-msd/scenario.yaml", CASES "/loops/springs.yaml"}) {
            SCOPED_TRACE(std::string(recipe) + " " + file);
            const std::vector<scenario::Override> overrides = {{"algorithm.recipe", recipe}};
            const auto in_form = [&](Scenario& scenario) { use(GetParam(), scenario); };
            const Trajectories flat = run_scenario(file, overrides, in_form);
            const Trajectories nested = run_scenario(file, overrides, [&](Scenario& scenario) {
                in_form(scenario);
                wrap_each(scenario);
            });
            expect_same_bits(flat, nested, within);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Of, NestedUnits,
                         testing::Values(Form::native, Form::fmi2, Form::fmi3, Form::isolated),
                         [](const auto& test) { return name_of(test.param); });

} // namespace
} // namespace rubato::test
