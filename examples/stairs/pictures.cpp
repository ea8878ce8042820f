// SPDX-License-Identifier: Apache-2.0
#include "pictures.hpp"

#include <rubato/private/format.hpp>
#include <rubato/report/figure.hpp>

#include <algorithm>

namespace rubato::examples {

namespace {

report::Series series(std::string label, const std::vector<double>& x,
                      const std::vector<double>& y) {
    return {.label = std::move(label), .x = x, .y = y};
}

report::Series dashed(std::string label, const std::vector<double>& x,
                      const std::vector<double>& y) {
    report::Series result = series(std::move(label), x, y);
    result.line = report::Line::dashed;
    return result;
}

/// Figure 5: all trajectories beside the monolithic solution.
report::Figure trajectories(const Comparison& comparison) {
    report::Figure figure;
    figure.title = "A ball on stairs: five FMUs beside one model";
    figure.subtitle = format("divergence tolerance {:g}", comparison.tolerance);
    figure.x_label = "time [s]";
    constexpr const char* labels[] = {"x [m]", "y [m]", "v_x [m/s]", "v_y [m/s]"};
    for (std::size_t i = 0; i < 4; ++i) {
        const auto& [recipe, tolerance, run, reference] = comparison;
        figure.panels.push_back(
            {.y_label = labels[i],
             .series = {series("co-simulation", run.times, run.motion[i]),
                        dashed("monolithic", reference.times, reference.motion[i])}});
    }
    return figure;
}

/// Figure 3: the communication step while the ball touches the stair for the first time.
report::Figure steps_around_event(const Comparison& comparison) {
    constexpr double before = 0.03, after = 0.17;
    const Descent& run = comparison.run;
    const double from = run.decisions.at(1).time - before, to = run.decisions.at(1).time + after;
    report::Series steps{.label = "communication step", .markers = true};
    for (std::size_t i = 1; i < run.points.size(); ++i) {
        const double end = run.points[i].seconds;
        if (end < from || end > to) continue;
        steps.x.push_back(end);
        steps.y.push_back(end - run.points[i - 1].seconds);
    }
    report::Series height{.label = "y"};
    for (std::size_t i = 0; i < run.times.size(); ++i) {
        if (run.times[i] < from || run.times[i] > to) continue;
        height.x.push_back(run.times[i]);
        height.y.push_back(run.motion[1][i]);
    }
    report::Figure figure;
    figure.title = "The communication step around two events";
    figure.subtitle = format("the ball meets the stair at t = {:.4f} s and leaves it at {:.4f} s",
                             run.decisions.at(1).time, run.decisions.at(2).time);
    figure.x_label = "time [s]";
    for (const std::size_t event : {1U, 2U}) figure.marks.push_back(run.decisions.at(event).time);
    report::Panel panel{.y_label = "step [s]", .series = {std::move(steps)}};
    panel.y_scale = report::Scale::logarithmic;
    panel.share = 2;
    figure.panels = {std::move(panel), {.y_label = "y [m]", .series = {std::move(height)}}};
    return figure;
}

/// The stair below the ball, over x.
report::Series staircase(const Descent& run) {
    report::Series result{.label = "stairs", .between = report::Between::hold};
    std::size_t next = 0;
    for (std::size_t i = 0; i < run.times.size(); ++i) {
        while (next + 1 < run.decisions.size() && run.decisions[next + 1].time <= run.times[i])
            ++next;
        const double height = run.decisions[next].stair;
        if (!result.y.empty() && result.y.back() == height && i + 1 < run.times.size()) continue;
        result.x.push_back(run.motion[0][i]);
        result.y.push_back(height);
    }
    return result;
}

report::Figure way_down(const Comparison& comparison) {
    const auto& [recipe, tolerance, run, reference] = comparison;
    report::Figure figure;
    figure.title = "Down the stairs";
    figure.x_label = "x [m]";
    figure.panels = {{.y_label = "y [m]",
                      .series = {series("co-simulation", run.motion[0], run.motion[1]),
                                 dashed("monolithic", reference.motion[0], reference.motion[1]),
                                 staircase(run)}}};
    figure.height = 480;
    return figure;
}

} // namespace

std::vector<std::string> draw(const Comparison& comparison, const std::string& folder) {
    const std::pair<const char*, report::Figure> figures[] = {
        {"trajectories", trajectories(comparison)},
        {"steps", steps_around_event(comparison)},
        {"way-down", way_down(comparison)},
    };
    std::vector<std::string> files;
    for (const auto& [name, figure] : figures) {
        files.push_back(format("{}/{}.svg", folder, name));
        report::write_svg(figure, files.back());
    }
    return files;
}

} // namespace rubato::examples
