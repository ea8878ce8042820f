// SPDX-License-Identifier: Apache-2.0
#include "layout.hpp"

#include "svg_style.hpp"

#include <algorithm>
#include <limits>

namespace rubato::report {
namespace {

constexpr double plot_margin = 24;
constexpr double panel_gap = 18;
constexpr double header_line = 22;   ///< a line of y label and legend above a panel
constexpr double tick_label_gap = 8; ///< between an axis and its labels
constexpr double pixels_per_tick_x = 70;
constexpr double pixels_per_tick_y = 42;

/// Beyond this, differences of doubles overflow and powers of ten underflow.
constexpr double largest_shown = 1e300;
constexpr double smallest_span = 1e-290;

bool can_be_shown(double value, Scale scale) {
    return std::abs(value) < largest_shown && (scale == Scale::linear || value > 1 / largest_shown);
}

/// A range that ticks can be found in: never empty, never narrower than doubles resolve.
Range widen(double low, double high, Scale scale, double padding) {
    if (low > high) return scale == Scale::linear ? Range{0, 1} : Range{1, 10};
    if (scale == Scale::logarithmic) {
        if (high / low < 1.01) return {low / 2, high * 2};
        const double factor = std::pow(high / low, padding);
        return {low / factor, high * factor};
    }
    const double size = std::max(std::abs(low), std::abs(high));
    if (high - low <= std::max(smallest_span, 1e-12 * size)) {
        const double half = size < smallest_span ? 1 : 0.05 * size;
        return {low - half, high + half};
    }
    return {low - padding * (high - low), high + padding * (high - low)};
}

template <class Accept>
Range range_of(const std::vector<Series>& all,
               std::initializer_list<std::vector<double> Series::*> values, Scale scale,
               double padding, Accept accept) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    const auto include = [&](const Series& series, const std::vector<double>& data) {
        for (std::size_t i = 0; i < data.size(); ++i) {
            if (!can_be_shown(data[i], scale) || !accept(series, i)) continue;
            low = std::min(low, data[i]);
            high = std::max(high, data[i]);
        }
    };
    for (const Series& series : all)
        for (const auto member : values) include(series, series.*member);
    return widen(low, high, scale, padding);
}

Range x_range_of(const Figure& figure) {
    if (figure.x_range) return *figure.x_range;
    std::vector<Series> all;
    for (const Panel& panel : figure.panels)
        for (const Series& series : panel.series)
            all.push_back({.label = {}, .x = series.x, .y = {}, .color = {}});
    return range_of(all, {&Series::x}, figure.x_scale, 0,
                    [](const Series&, std::size_t) { return true; });
}

Range y_range_of(const Panel& panel, Range x) {
    if (panel.y_range) return *panel.y_range;
    return range_of(panel.series, {&Series::y, &Series::upper}, panel.y_scale, 0.05,
                    [x](const Series& series, std::size_t i) {
                        return series.x[i] >= x.low && series.x[i] <= x.high;
                    });
}

double legend_width(const Series& series) {
    return legend_sample + legend_gap + text_width(series.label, small_font) + 18;
}

/// How a panel's legend is arranged: on the y label's line, or below it as a grid.
struct LegendShape {
    double width = 0; ///< of an entry in a grid
    std::size_t columns = 0;
    std::size_t lines = 0; ///< of the grid; 0: on the y label's line
};

LegendShape shape_legend(const Panel& panel, double width) {
    double total = 0;
    double widest = 0;
    for (const Series& series : panel.series) {
        total += legend_width(series);
        widest = std::max(widest, legend_width(series));
    }
    if (total <= width - text_width(panel.y_label, label_font) - 24) return {};
    const auto columns = std::max(static_cast<std::size_t>(width / widest), std::size_t{1});
    return {widest, columns, (panel.series.size() + columns - 1) / columns};
}

std::size_t header_lines(const Panel& panel, const LegendShape& legend) {
    if (legend.lines == 0) return 1;
    return legend.lines + (panel.y_label.empty() ? 0 : 1);
}

void place_header(PanelLayout& layout, const Panel& panel, double top, const LegendShape& legend) {
    layout.label = {layout.x.from, top + 14};
    if (panel.series.size() < 2) return;
    if (legend.lines == 0) {
        double x = layout.x.to + 18;
        for (const Series& series : panel.series) x -= legend_width(series);
        for (std::size_t i = 0; i < panel.series.size(); ++i) {
            layout.legend.push_back({i, {x, top + 10}});
            x += legend_width(panel.series[i]);
        }
        return;
    }
    const double first_line = panel.y_label.empty() ? top : top + header_line;
    for (std::size_t i = 0; i < panel.series.size(); ++i) {
        const auto column = static_cast<double>(i % legend.columns);
        const auto line = static_cast<double>(i / legend.columns);
        layout.legend.push_back(
            {i, {layout.x.from + column * legend.width, first_line + line * header_line + 10}});
    }
}

void choose_ticks_of(Axis& axis, double pixels_per_tick) {
    const double length = std::abs(axis.to - axis.from);
    axis.ticks = choose_ticks(axis.range, axis.scale, static_cast<int>(length / pixels_per_tick));
}

double widest_tick_label(const Layout& layout) {
    double widest = 0;
    for (const PanelLayout& panel : layout.panels)
        for (const Tick& tick : panel.y.ticks)
            widest = std::max(widest, text_width(tick.label, small_font));
    return widest;
}

double default_height(const Figure& figure) {
    const double count = static_cast<double>(figure.panels.size());
    return count <= 1 ? 500 : 140 + 250 * count;
}

/// Puts the panels below each other between `top` and `bottom`.
void place_panels(Layout& layout, const Figure& figure, double top, double bottom, Range x_range) {
    const double left = layout.panels.front().x.from;
    const double right = layout.width - plot_margin;
    std::vector<LegendShape> legends;
    double headers_height = 0;
    double shares = 0;
    for (const Panel& panel : figure.panels) {
        legends.push_back(shape_legend(panel, right - left));
        headers_height += header_line * static_cast<double>(header_lines(panel, legends.back()));
        shares += panel.share;
    }
    const double gaps = panel_gap * static_cast<double>(figure.panels.size() - 1);
    const double plots_height = std::max(bottom - top - headers_height - gaps, 1.0);
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        const Panel& panel = figure.panels[i];
        PanelLayout& out = layout.panels[i];
        out.x = {figure.x_scale, x_range, left, right, {}};
        place_header(out, panel, top, legends[i]);
        top += header_line * static_cast<double>(header_lines(panel, legends[i]));
        const double height = plots_height * panel.share / shares;
        out.y = {panel.y_scale, y_range_of(panel, x_range), top + height, top, {}};
        choose_ticks_of(out.x, pixels_per_tick_x);
        choose_ticks_of(out.y, pixels_per_tick_y);
        top += height + panel_gap;
    }
}

} // namespace

double Axis::place(double value) const {
    if (!can_be_shown(value, scale)) return std::numeric_limits<double>::quiet_NaN();
    const bool is_linear = scale == Scale::linear;
    const auto position = [&](double v) { return is_linear ? v : std::log10(v); };
    const double low = position(range.low);
    return from + (to - from) * (position(value) - low) / (position(range.high) - low);
}

Layout lay_out(const Figure& figure) {
    Layout layout;
    layout.width = figure.width;
    layout.height = figure.height ? *figure.height : default_height(figure);
    layout.panels.resize(figure.panels.size());
    double top = plot_margin;
    if (!figure.title.empty()) {
        layout.title = {plot_margin, top + 14};
        top += 26;
    }
    if (!figure.subtitle.empty()) {
        layout.subtitle = {plot_margin, top + 10};
        top += 20;
    }
    if (top > plot_margin) top += 6;
    double bottom = layout.height - plot_margin - 12;
    if (!figure.x_label.empty()) bottom -= 20;
    if (layout.panels.empty()) return layout;

    // The labels' width depends on the ticks, these on the heights, not on the left edge.
    const Range x_range = x_range_of(figure);
    layout.panels.front().x.from = plot_margin;
    place_panels(layout, figure, top, bottom, x_range);
    const double left = plot_margin + widest_tick_label(layout) + tick_label_gap;
    for (PanelLayout& panel : layout.panels) panel = {};
    layout.panels.front().x.from = left;
    place_panels(layout, figure, top, bottom, x_range);
    layout.x_label = {(left + layout.width - plot_margin) / 2, layout.height - plot_margin + 4};
    return layout;
}

} // namespace rubato::report
