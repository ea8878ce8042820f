// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/text.hpp>
#include <rubato/files/output_file.hpp>
#include <rubato/pipeline/sweep_results.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/figure.hpp>
#include <rubato/report/text_table.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace rubato::pipeline {
namespace {

struct Level {
    double part;
    std::string_view name;
};
constexpr std::array<Level, 5> levels = {
    {{0.05, "5 %"}, {0.25, "25 %"}, {0.5, "median"}, {0.75, "75 %"}, {0.95, "95 %"}}};

/// By level: the quantiles over time.
using Bands = std::array<std::vector<double>, levels.size()>;

Bands bands_of(const std::vector<float>& trajectories, std::size_t times) {
    Bands bands;
    std::vector<double> values;
    for (std::size_t t = 0; t < times; ++t) {
        values.clear();
        for (std::size_t i = t; i < trajectories.size(); i += times)
            if (std::isfinite(trajectories[i])) values.push_back(trajectories[i]);
        for (std::size_t l = 0; l < levels.size(); ++l)
            bands[l].push_back(values.empty() ? std::nan("") : quantile(values, levels[l].part));
    }
    return bands;
}

report::Panel panel_of(const DrawnVariable& variable, const std::vector<double>& times,
                       const Bands& bands) {
    const std::string unit = variable.unit.empty() ? "" : format(" [{}]", variable.unit);
    report::Panel panel{.y_label = variable.name + unit};
    panel.series.push_back(
        {.label = "5 % to 95 % (light)", .x = times, .y = bands[0], .color = 0, .upper = bands[4]});
    panel.series.push_back(
        {.label = "25 % to 75 % (dark)", .x = times, .y = bands[1], .color = 0, .upper = bands[3]});
    panel.series.push_back({.label = "median", .x = times, .y = bands[2], .color = 0});
    return panel;
}

} // namespace

void SweepResults::write_ensemble() const {
    const std::vector<double>& times = sweep_.drawn_times();
    std::vector<Bands> all;
    report::Figure figure{
        .title = sweep_.scenario().name,
        .subtitle = format("quantiles of {}", report::plural(rows_.size() - failed(), "run")),
        .x_label = "time [s]"};
    std::string text = "time";
    for (std::size_t v = 0; v < sweep_.drawn().size(); ++v) {
        const DrawnVariable& variable = sweep_.drawn()[v];
        all.push_back(bands_of(trajectories(v), times.size()));
        for (const Level& level : levels) text += format(",{} {}", variable.name, level.name);
        figure.panels.push_back(panel_of(variable, times, all.back()));
    }
    text += '\n';
    for (std::size_t t = 0; t < times.size(); ++t) {
        text += shortest(times[t]);
        for (const Bands& bands : all)
            for (const std::vector<double>& band : bands)
                text += std::isnan(band[t]) ? "," : format(",{:.7g}", band[t]);
        text += '\n';
    }
    if (all.empty()) return;
    files::write_atomically(folder_ / "ensemble.csv", text);
    report::write_svg(figure, folder_ / "ensemble.svg");
}

} // namespace rubato::pipeline
