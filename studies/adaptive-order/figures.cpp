// SPDX-License-Identifier: Apache-2.0
#include "figures.hpp"

#include "sampling.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>

namespace rubato::studies::adaptive_order {

using report::Figure;
using report::Line;
using report::Panel;
using report::Series;
using scenario::OrderEstimator;

namespace {

constexpr int panel_height = 230;

std::vector<double> times() {
    std::vector<double> result;
    for (std::size_t n = 0; n < point_count; ++n)
        result.push_back(static_cast<double>(n) * macro_step);
    return result;
}

/// The errors of all methods on one set.
struct Errors {
    Trajectory msd1_first, msd2_first, input, power;
};

Errors errors_of(Experiment& experiment, const Parameters& set, First first = First::msd1) {
    const Trajectory exact = reference(set);
    const auto run = [&](const Method& method) {
        return errors(experiment.run(set, method), exact);
    };
    return {run({.first = First::msd1}), run({.first = First::msd2}),
            run({first, OrderEstimator::input}), run({first, OrderEstimator::power})};
}

Series series(std::string label, std::vector<double> y, Line line, std::size_t color) {
    return {
        .label = std::move(label), .x = times(), .y = std::move(y), .line = line, .color = color};
}

Figure over_time(std::string title, std::string subtitle) {
    return {.title = std::move(title), .subtitle = std::move(subtitle), .x_label = "t [s]"};
}

/// Points where the error is 0 cannot be drawn on a logarithmic scale.
std::vector<double> above_zero(std::vector<double> values) {
    for (double& value : values)
        if (value < 1e-12) value = std::numeric_limits<double>::quiet_NaN();
    return values;
}

Panel error_panel(const std::string& set, const Errors& e) {
    return {.y_label = format("|v1 error|, {} [m/s]", set),
            .series = {series("MSD1 first", above_zero(e.msd1_first), Line::dashed, 0),
                       series("MSD2 first", above_zero(e.msd2_first), Line::dashed, 1),
                       series("by input error", above_zero(e.input), Line::solid, 2),
                       series("by power transfer", above_zero(e.power), Line::solid, 3)},
            .y_scale = report::Scale::logarithmic};
}

/// 1: better than both static orders, 0: between them, -1: worse than both.
std::vector<double> standing(const Trajectory& adaptive, const Errors& e) {
    std::vector<double> result;
    for (std::size_t n = 0; n < adaptive.size(); ++n) {
        const auto [least, most] = std::minmax(e.msd1_first[n], e.msd2_first[n]);
        result.push_back(adaptive[n] > most ? -1 : adaptive[n] < least ? 1 : 0);
    }
    return result;
}

Panel standing_panel(const std::string& set, const Errors& e) {
    return {.y_label = format("standing, {}", set),
            .series = {series("by input error", standing(e.input, e), Line::solid, 2),
                       series("by power transfer", standing(e.power, e), Line::dashed, 3)},
            .y_range = report::Range{-1.2, 1.2}};
}

NamedFigure effect_of_start(Experiment& experiment, const Parameters& set) {
    const Errors first = errors_of(experiment, set, First::msd1);
    const Errors second = errors_of(experiment, set, First::msd2);
    Figure figure = over_time("Figure 7: the effect of the first order", "parameter set B");
    const auto panel = [&](const std::string& label, const Trajectory& from_msd1,
                           const Trajectory& from_msd2) {
        return Panel{
            .y_label = label + " [m/s]",
            .series = {series("MSD1 first, static", above_zero(first.msd1_first), Line::dashed, 0),
                       series("MSD2 first, static", above_zero(first.msd2_first), Line::dashed, 1),
                       series("adaptive from MSD1 first", above_zero(from_msd1), Line::solid, 2),
                       series("adaptive from MSD2 first", above_zero(from_msd2), Line::solid, 3)},
            .y_scale = report::Scale::logarithmic};
    };
    figure.panels = {panel("|v1 error|, by input error", first.input, second.input),
                     panel("|v1 error|, by power transfer", first.power, second.power)};
    figure.height = 2 * panel_height + 60;
    return {"figure-7.svg", std::move(figure)};
}

/// The shares of all sets, sorted, over the share of sets.
Series distribution(const std::vector<Score>& scores, OrderEstimator estimator, bool in_between) {
    Series result{.label =
                      estimator == OrderEstimator::input ? "by input error" : "by power transfer",
                  .color = estimator == OrderEstimator::input ? 2 : 3};
    for (const Score& score : scores)
        result.y.push_back(100 * (in_between ? score.better + score.between : score.better));
    std::ranges::sort(result.y);
    for (std::size_t i = 0; i < result.y.size(); ++i)
        result.x.push_back(100 * (static_cast<double>(i) + 0.5) /
                           static_cast<double>(result.y.size()));
    return result;
}

} // namespace

std::vector<NamedFigure> figures_of_selected_sets() {
    Experiment experiment;
    const auto sets = selected_parameters();
    Figure error = over_time("Figure 5: error in v1", "parameter sets A to D; MSD1 begins");
    Figure benchmark = over_time("Figure 6: adaptive against static orders",
                                 "1: better than both, 0: between them, -1: worse than both");
    for (const auto& [name, set] : sets) {
        const Errors found = errors_of(experiment, set);
        error.panels.push_back(error_panel(name, found));
        benchmark.panels.push_back(standing_panel(name, found));
    }
    error.height = benchmark.height = static_cast<int>(sets.size()) * panel_height + 60;
    std::vector<NamedFigure> figures;
    figures.push_back({"figure-5.svg", std::move(error)});
    figures.push_back({"figure-6.svg", std::move(benchmark)});
    figures.push_back(effect_of_start(experiment, sets[1].second));
    return figures;
}

NamedFigure figure_of_shares(const StudyOptions& options, const StudyResult& result) {
    Figure figure{.title =
                      "Figure 8: how long it was better, or not worse, than both static orders",
                  .subtitle = format("{} parameter sets", options.sets.size()),
                  .x_label = "parameter sets [%], the worst first"};
    Panel not_worse{.y_label = "better or between [% of the transient]"};
    Panel better{.y_label = "better [% of the transient]"};
    for (std::size_t e = 0; e < options.estimators.size(); ++e) {
        not_worse.series.push_back(distribution(result.scores[e], options.estimators[e], true));
        better.series.push_back(distribution(result.scores[e], options.estimators[e], false));
    }
    figure.panels = {std::move(not_worse), std::move(better)};
    figure.height = 2 * panel_height + 120;
    return {"figure-8.svg", std::move(figure)};
}

} // namespace rubato::studies::adaptive_order
