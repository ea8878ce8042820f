// SPDX-License-Identifier: Apache-2.0
// Runs three systems with every step controller over a range of tolerances, and with fixed steps,
// against the solution of the whole system: the tables and the pictures of README.md.
#include "systems.hpp"

#include <rubato/private/format.hpp>
#include <rubato/report/figure.hpp>
#include <rubato/report/text_table.hpp>

#include <cstdio>
#include <exception>

namespace {

using namespace rubato; // NOLINT(google-build-using-namespace): a study reads better so
using studies::System;

struct Run {
    std::string label;
    double tolerance = 0; ///< 0: fixed steps
    double error = 0;     ///< the largest one, beside magnitude and nominal value
    engine::Summary summary;
};

Run simulate(const System& system, const std::string& folder, std::string label, double tolerance,
             std::vector<scenario::Override> overrides) {
    const studies::Finished finished = studies::run(system, folder, std::move(overrides));
    return {std::move(label), tolerance, studies::largest_error(system, finished.series),
            finished.summary};
}

constexpr double tolerances[] = {1e-2, 1e-3, 1e-4, 1e-5, 1e-6};

std::vector<Run> runs_of(const System& system, const std::string& folder) {
    std::vector<Run> runs;
    for (const char* controller : {"richardson", "predictor", "energy"}) {
        for (const double tolerance : tolerances) {
            runs.push_back(simulate(system, folder, controller, tolerance,
                                    studies::controlled(controller, tolerance)));
        }
    }
    for (const double step : system.fixed_steps) {
        runs.push_back(simulate(system, folder, "fixed", 0,
                                {{"experiment.step", format("{}", step)}, {"step-control", "{}"}}));
    }
    return runs;
}

void print_table(const System& system, const std::vector<Run>& runs) {
    using report::Align;
    using report::human_count;
    std::printf("\n%s\n\n", system.name.c_str());
    report::TextTable table({{"controller"},
                             {"tolerance", Align::right},
                             {"error", Align::right},
                             {"error/tolerance", Align::right},
                             {"steps", Align::right},
                             {"rejected", Align::right},
                             {"unit steps", Align::right}});
    for (const Run& run : runs) {
        const bool fixed = run.tolerance == 0;
        table.add({run.label, fixed ? "" : format("{:.0e}", run.tolerance),
                   format("{:.2e}", run.error),
                   fixed ? "" : format("{:.2f}", run.error / run.tolerance),
                   human_count(run.summary.steps), human_count(run.summary.repeated),
                   human_count(run.summary.unit_steps)});
    }
    std::fputs(table.to_string().c_str(), stdout);
}

void draw(const System& system, const std::vector<Run>& runs, const std::string& folder) {
    report::Figure figure;
    figure.title = format("Work and precision: {}", system.name);
    figure.x_label = "unit steps";
    figure.x_scale = report::Scale::logarithmic;
    report::Panel panel{.y_label = "largest error"};
    panel.y_scale = report::Scale::logarithmic;
    for (const Run& run : runs) {
        if (panel.series.empty() || panel.series.back().label != run.label)
            panel.series.push_back({.label = run.label, .markers = true});
        panel.series.back().x.push_back(static_cast<double>(run.summary.unit_steps));
        panel.series.back().y.push_back(run.error);
    }
    figure.panels = {panel};
    const std::string file = format("{}/{}.svg", folder, system.name);
    report::write_svg(figure, file);
    std::printf("\n  picture: %s\n", file.c_str());
}

} // namespace

int main(int argc, char** argv) try {
    if (argc != 3) {
        std::fputs("usage: study_step_control SCENARIOS PICTURES\n", stderr);
        return 2;
    }
    for (const System& system : studies::systems()) {
        const std::vector<Run> runs = runs_of(system, argv[1]);
        print_table(system, runs);
        draw(system, runs, argv[2]);
    }
} catch (const std::exception& error) {
    std::fprintf(stderr, "study_step_control: %s\n", error.what());
    return 1;
}
