// SPDX-License-Identifier: Apache-2.0
#include "forms.hpp"
#include "support/run_scenario.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

namespace rubato::test::tanks {
namespace {

constexpr auto file = CASES "/tanks/scenario.yaml";

/// A tank with the valve that empties it (README.md).
struct Emptied {
    double area, leak, opens_at, closes_at, through;
    double level = 0;
    bool open = false;

    double rate() const { return leak / area; }
    double aim(double inflow) const { return (inflow - (open ? through : 0)) / leak; }
    double after(double time, double inflow) const {
        return aim(inflow) + (level - aim(inflow)) * std::exp(-rate() * time);
    }
    /// When the valve switches next, from now on.
    double time_to_switch(double inflow) const {
        const double threshold = open ? closes_at : opens_at;
        const double ratio = (level - aim(inflow)) / (threshold - aim(inflow));
        return ratio > 1 ? std::log(ratio) / rate() : std::numeric_limits<double>::infinity();
    }
};

struct Switch {
    double time = 0;
    bool is_drain = false; ///< of the lower tank, or the valve between both
    bool open = false;
};

/// The closed form.
class TwoTanks {
public:
    double inflow_of_lower() const { return upper.open ? upper.through : 0; }

    Switch next() {
        const double first = upper.time_to_switch(inflow);
        const double second = lower.time_to_switch(inflow_of_lower());
        const double wait = std::min(first, second);
        const double upper_level = upper.after(wait, inflow);
        lower.level = lower.after(wait, inflow_of_lower());
        upper.level = upper_level;
        time += wait;
        Emptied& switched = second < first ? lower : upper;
        switched.open = !switched.open;
        return {time, second < first, switched.open};
    }

    static constexpr double inflow = 1;
    double time = 0;
    Emptied upper{1, 0.2, 2, 1, 1.5};
    Emptied lower{2, 0.1, 1.2, 0.4, 1.2};
};

std::vector<Switch> closed_form(double stop) {
    std::vector<Switch> result;
    TwoTanks tanks;
    for (Switch next = tanks.next(); next.time < stop; next = tanks.next()) result.push_back(next);
    return result;
}

struct Found {
    Switch what;
    double late = 0; ///< against the closed form from the switch before on
};

/// Every switch of a run.
std::vector<Found> switches(const Trajectories& run) {
    std::vector<Found> result;
    TwoTanks tanks;
    Switch due = tanks.next();
    const auto& time = run.at("time");
    for (std::size_t i = 1; i < time.size(); ++i) {
        for (const bool is_drain : {false, true}) {
            const auto& y = run.at(is_drain ? "drain.y" : "valve.y");
            if (y[i] == y[i - 1]) continue;
            result.push_back({{time[i], is_drain, y[i] != 0}, time[i] - due.time});
            tanks.time = time[i];
            tanks.upper.level = run.at("upper.level")[i];
            tanks.lower.level = run.at("lower.level")[i];
            tanks.upper.open = run.at("valve.y")[i] != 0;
            tanks.lower.open = run.at("drain.y")[i] != 0;
            due = tanks.next();
        }
    }
    return result;
}

class Tanks : public testing::TestWithParam<std::tuple<Form, const char*>> {
protected:
    /// Levels are exact to rounding, but behind CVODE.
    static double accuracy() { return std::get<0>(GetParam()) == Form::solved ? 1e-8 : 1e-12; }
    static Trajectories run(const std::vector<scenario::Override>& overrides = {}) {
        const auto [form, recipe] = GetParam();
        std::vector<scenario::Override> all = {{"algorithm.recipe", recipe},
                                               {"events.locate", "always"}};
        all.insert(all.end(), overrides.begin(), overrides.end());
        return run_scenario(file, all, [&name = form](scenario::Scenario& scenario) {
            use(name, scenario);
            if (name == Form::solved) scenario.experiment.tolerance = 1e-10;
        });
    }
};

TEST_P(Tanks, ValvesSwitchWhenTheClosedFormSays) {
    const auto expected = closed_form(20);
    EXPECT_EQ(expected.size(), 25u);
    for (const char* text : {"1e-3", "1e-6", "1e-8"}) {
        const auto found = switches(run({{"events.tolerance", text}}));
        const double tolerance = std::stod(text);
        ASSERT_EQ(found.size(), expected.size()) << text;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const auto& [what, late] = found[i];
            EXPECT_EQ(what.is_drain, expected[i].is_drain) << i;
            EXPECT_EQ(what.open, expected[i].open) << i;
            EXPECT_GE(late, -accuracy()) << text << ", " << i;
            EXPECT_LE(late, tolerance + accuracy()) << text << ", " << i;
            // A switch that is late makes those after it late, too.
            const double all = what.time - expected[i].time;
            EXPECT_LE(std::abs(all), 2 * (static_cast<double>(i) + 1) * (tolerance + accuracy()))
                << text << ", " << i;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Forms, Tanks,
    testing::Combine(testing::Values(Form::native, Form::fmi2, Form::fmi3, Form::solved),
                     testing::Values("waveform-gauss-seidel", "waveform-jacobi",
                                     "iterated-gauss-seidel", "iterated-jacobi")),
    [](const auto& test) {
        const std::string recipe = std::get<1>(test.param);
        return name_of(std::get<0>(test.param)) +
               (recipe.starts_with("iterated") ? "Iterated" : "") +
               (recipe.ends_with("jacobi") ? "Jacobi" : "GaussSeidel");
    });

/// What a valve does acts from the next step on, whatever the iteration: a step in which one
/// switches is no harder than any other.
TEST(TanksWithAdaptiveSteps, AreIteratedPastSwitches) {
    for (const char* recipe : {"iterated-gauss-seidel", "iterated-jacobi"}) {
        for (const char* locate : {"never", "always"}) {
            const Trajectories run = run_scenario(file, {{"algorithm.recipe", recipe},
                                                         {"events.locate", locate},
                                                         {"step-control", "richardson"}});
            EXPECT_LE(run.at("time").size(), 120u) << recipe << ", " << locate;
            if (locate == std::string_view("never")) continue; // short openings are stepped over
            EXPECT_NEAR(static_cast<double>(switches(run).size()), 25, 1) << recipe;
        }
    }
}

/// FMI 1.0 has no way back.
void use_fmi1(scenario::Scenario& scenario) {
    for (scenario::Unit& unit : scenario.units) {
        unit.origin = scenario::FmuFile{std::string(FMUS "/fmi1/") +
                                        std::get<scenario::NativeModel>(unit.origin).name + ".fmu"};
    }
}

TEST(TanksWithoutAWayBack, AreToldHowLateEventsAreFound) {
    unit::Library library(silent_log());
    Diagnostics diagnostics;
    const std::vector<scenario::Override> late = {{"algorithm.recipe", "gauss-seidel"},
                                                  {"events.locate", "always"}};
    scenario::Scenario scenario = pipeline::read(file, late, diagnostics);
    use_fmi1(scenario);
    (void)pipeline::assemble(std::move(scenario), library, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors());
    std::string told;
    for (const Diagnostic& diagnostic : diagnostics.all()) told += to_string(diagnostic) + "\n";
    for (const char* part :
         {"\"upper\", \"valve\", \"lower\", \"drain\"", "cannot go back", "up to 0.1 s late"})
        EXPECT_THAT(told, testing::HasSubstr(part));
}

TEST(TanksWithoutAWayBack, SwitchAtMostThatMuchLate) {
    const auto expected = closed_form(20);
    for (const char* step : {"0.01", "0.001"}) {
        const auto found = switches(run_scenario(file,
                                                 {{"algorithm.recipe", "gauss-seidel"},
                                                  {"events.locate", "always"},
                                                  {"experiment.step", step}},
                                                 use_fmi1));
        ASSERT_GE(found.size() + 1, expected.size()); // the last one is just before the end
        for (const auto& [what, late] : found) {
            EXPECT_GT(late, -std::stod(step))
                << what.time; // what steps after a valve knows at once
            EXPECT_LE(late, std::stod(step)) << what.time;
        }
    }
}

/// With the crossings declared that the valves switch at.
std::vector<Found> switches_predicted(const char* recipe, const char* step) {
    return switches(run_scenario(
        file,
        {{"algorithm.recipe", recipe},
         {"experiment.step", step},
         {"events", "{tolerance: 1e-4, crossings: [upper.level > 2, upper.level < 1, lower.level > "
                    "1.2, lower.level < 0.4]}"}},
        use_fmi1));
}

double latest(const std::vector<Found>& found) {
    double most = 0;
    for (const Found& each : found) most = std::max(most, each.late);
    return most;
}

TEST(TanksWithoutAWayBack, SwitchInTimeWhereCrossingsArePredicted) {
    const auto expected = closed_form(20);
    for (const char* recipe : {"gauss-seidel", "jacobi"}) {
        const auto found = switches_predicted(recipe, "0.1");
        ASSERT_GE(found.size() + 1, expected.size()) << recipe;
        // One short step until the valve has noticed, and one until its tank has.
        EXPECT_LE(latest(found), 0.003) << recipe;
        for (std::size_t i = 0; i < found.size(); ++i)
            EXPECT_EQ(found[i].what.is_drain, expected[i].is_drain) << recipe << i;
        const auto unpredicted = switches(run_scenario(
            file, {{"algorithm.recipe", recipe}, {"events.locate", "never"}}, use_fmi1));
        EXPECT_GT(latest(unpredicted), 20 * latest(found)) << recipe;
    }
}

} // namespace
} // namespace rubato::test::tanks
