// SPDX-License-Identifier: Apache-2.0
#include "layout.hpp"
#include "svg_style.hpp"

#include <rubato/files/output_file.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/figure.hpp>

#include <array>
#include <cassert>

namespace rubato::report {
namespace {

constexpr auto grid_color = "#e4e8ec";
constexpr auto axis_color = "#9aa5b1";
constexpr auto mark_color = "#e3b7a0";
constexpr double line_width = 1.75;
constexpr double marker_radius = 2.75;
constexpr auto band_opacity = "0.18";

struct Stroke {
    std::string color;
    std::string dashes; ///< SVG's stroke-dasharray
};

/// When the colours are used up, dashes distinguish the next round.
Stroke stroke_of(const Series& series, std::size_t index) {
    constexpr std::array rounds = {"none", "7 4", "2 4", "9 3 2 3"};
    const std::size_t number = series.color.value_or(index);
    Stroke stroke{palette[number % palette.size()],
                  rounds[number / palette.size() % rounds.size()]};
    if (series.line == Line::dashed) stroke.dashes = "7 4";
    if (series.line == Line::dotted) stroke.dashes = "1.5 4";
    return stroke;
}

std::vector<Point> place_points(const Series& series, const PanelLayout& layout) {
    assert(series.x.size() == series.y.size());
    std::vector<Point> points;
    points.reserve(series.x.size());
    for (std::size_t i = 0; i < series.x.size(); ++i)
        points.push_back({layout.x.place(series.x[i]), layout.y.place(series.y[i])});
    return points;
}

/// Each value stays until the next one.
std::vector<Point> hold(const std::vector<Point>& points) {
    std::vector<Point> out;
    for (const Point& point : points) {
        if (!out.empty() && !is_gap(point) && !is_gap(out.back()))
            out.push_back({point.x, out.back().y});
        out.push_back(point);
    }
    return out;
}

/// A path through the points, interrupted at gaps; a lone point becomes a dot.
std::string path_through(const std::vector<Point>& points) {
    std::string path;
    bool pen_down = false;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Point point = points[i];
        if (is_gap(point)) {
            pen_down = false;
            continue;
        }
        const std::string place = format("{} {}", pixels(point.x), pixels(point.y));
        const bool is_last = i + 1 == points.size() || is_gap(points[i + 1]);
        if (pen_down)
            path += "L" + place;
        else
            path += is_last ? format("M{}L{}", place, place) : "M" + place;
        pen_down = true;
    }
    return path;
}

void draw_markers(SvgWriter& svg, const std::vector<Point>& points, const PanelLayout& layout,
                  const Stroke& stroke) {
    const auto room = static_cast<std::size_t>((layout.x.to - layout.x.from) / 8) + 1;
    const std::size_t stride = points.size() / room + 1;
    for (std::size_t i = 0; i < points.size(); i += stride) {
        if (is_gap(points[i])) continue;
        svg.empty("circle", {{"cx", pixels(points[i].x)},
                             {"cy", pixels(points[i].y)},
                             {"r", pixels(marker_radius)},
                             {"fill", stroke.color}});
    }
}

void draw_line(SvgWriter& svg, const std::string& path, const Stroke& stroke) {
    svg.empty("path", {{"d", path},
                       {"fill", "none"},
                       {"stroke", stroke.color},
                       {"stroke-width", pixels(line_width)},
                       {"stroke-linejoin", "round"},
                       {"stroke-linecap", "round"},
                       {"stroke-dasharray", stroke.dashes}});
}

void fill(SvgWriter& svg, const std::vector<Point>& outline, const Stroke& stroke) {
    if (outline.empty()) return;
    svg.empty("path", {{"d", path_through(outline) + "Z"},
                       {"fill", stroke.color},
                       {"fill-opacity", band_opacity},
                       {"stroke", "none"}});
}

/// Along the lower edge and back along the upper one, from gap to gap.
void draw_band(SvgWriter& svg, const Series& series, const PanelLayout& layout,
               const Stroke& stroke) {
    assert(series.upper.size() == series.x.size());
    std::vector<Point> lower, upper;
    const auto conclude = [&] {
        std::vector<Point> outline = decimate(lower);
        const std::vector<Point> back = decimate(upper);
        outline.insert(outline.end(), back.rbegin(), back.rend());
        fill(svg, outline, stroke);
        lower.clear();
        upper.clear();
    };
    for (std::size_t i = 0; i < series.x.size(); ++i) {
        const double x = layout.x.place(series.x[i]);
        const Point low{x, layout.y.place(series.y[i])}, high{x, layout.y.place(series.upper[i])};
        if (is_gap(low) || is_gap(high)) {
            conclude();
            continue;
        }
        lower.push_back(low);
        upper.push_back(high);
    }
    conclude();
}

void draw_series(SvgWriter& svg, const Series& series, const PanelLayout& layout,
                 const Stroke& stroke) {
    if (!series.upper.empty()) {
        draw_band(svg, series, layout, stroke);
        return;
    }
    const std::vector<Point> points = place_points(series, layout);
    if (series.line != Line::none) {
        const auto shown = series.between == Between::hold ? hold(points) : points;
        draw_line(svg, path_through(decimate(shown)), stroke);
    }
    if (series.markers) draw_markers(svg, points, layout, stroke);
}

void draw_segment(SvgWriter& svg, Point from, Point to, const char* color) {
    svg.empty("line", {{"x1", pixels(from.x)},
                       {"y1", pixels(from.y)},
                       {"x2", pixels(to.x)},
                       {"y2", pixels(to.y)},
                       {"stroke", color}});
}

void draw_axes(SvgWriter& svg, const PanelLayout& panel, bool with_x_labels) {
    const auto& [x, y, label, legend] = panel;
    for (const Tick& tick : x.ticks) {
        const double place = x.place(tick.value);
        draw_segment(svg, {place, y.from}, {place, y.to}, grid_color);
        if (with_x_labels)
            draw_text(svg, {place, y.from + 18}, tick.label, small_font, muted_ink, "middle");
    }
    for (const Tick& tick : y.ticks) {
        const double place = y.place(tick.value);
        draw_segment(svg, {x.from, place}, {x.to, place}, grid_color);
        draw_text(svg, {x.from - 8, place + 4}, tick.label, small_font, muted_ink, "end");
    }
    draw_segment(svg, {x.from, y.from}, {x.to, y.from}, axis_color);
}

/// Marks that fall onto the same pixel are drawn once.
void draw_marks(SvgWriter& svg, const std::vector<double>& marks, const PanelLayout& panel) {
    double last = panel.x.from - 1;
    for (const double mark : marks) {
        const double place = panel.x.place(mark);
        if (place < panel.x.from || place > panel.x.to || place - last < 1) continue;
        draw_segment(svg, {place, panel.y.from}, {place, panel.y.to}, mark_color);
        last = place;
    }
}

void draw_legend(SvgWriter& svg, const Panel& panel, const PanelLayout& layout) {
    for (const LegendEntry& entry : layout.legend) {
        const Series& series = panel.series[entry.series];
        const Stroke stroke = stroke_of(series, entry.series);
        const Point end{entry.at.x + legend_sample, entry.at.y};
        const Point middle{entry.at.x + legend_sample / 2, entry.at.y};
        if (!series.upper.empty())
            fill(svg,
                 {{entry.at.x, entry.at.y - legend_band},
                  {end.x, end.y - legend_band},
                  {end.x, end.y + legend_band},
                  {entry.at.x, entry.at.y + legend_band}},
                 stroke);
        else if (series.line != Line::none)
            draw_line(svg, path_through({entry.at, end}), stroke);
        if (series.markers) draw_markers(svg, {middle}, layout, stroke);
        draw_text(svg, {end.x + legend_gap, end.y + 4}, series.label, small_font, ink);
    }
}

void draw_panel(SvgWriter& svg, const Panel& panel, const PanelLayout& layout,
                const std::vector<double>& marks, std::size_t number, bool with_x_labels) {
    const std::string clip = format("panel{}", number);
    svg.open("clipPath", {{"id", clip}});
    svg.empty("rect", {{"x", pixels(layout.x.from - 3)},
                       {"y", pixels(layout.y.to - 3)},
                       {"width", pixels(layout.x.to - layout.x.from + 6)},
                       {"height", pixels(layout.y.from - layout.y.to + 6)}});
    svg.close("clipPath");
    draw_axes(svg, layout, with_x_labels);
    draw_marks(svg, marks, layout);
    draw_text(svg, layout.label, panel.y_label, label_font, muted_ink);
    draw_legend(svg, panel, layout);
    svg.open("g", {{"clip-path", format("url(#{})", clip)}});
    for (std::size_t i = 0; i < panel.series.size(); ++i)
        draw_series(svg, panel.series[i], layout, stroke_of(panel.series[i], i));
    svg.close("g");
}

} // namespace

std::string to_svg(const Figure& figure) {
    const Layout layout = lay_out(figure);
    SvgWriter svg;
    open_picture(svg, layout.width, layout.height);
    if (!figure.title.empty())
        draw_text(svg, layout.title, figure.title, title_font, ink, "start", "600");
    if (!figure.subtitle.empty())
        draw_text(svg, layout.subtitle, figure.subtitle, label_font, muted_ink);
    for (std::size_t i = 0; i < figure.panels.size(); ++i)
        draw_panel(svg, figure.panels[i], layout.panels[i], figure.marks, i,
                   i + 1 == figure.panels.size());
    if (!figure.x_label.empty())
        draw_text(svg, layout.x_label, figure.x_label, label_font, muted_ink, "middle");
    svg.close("svg");
    return svg.result();
}

void write_svg(const Figure& figure, const std::filesystem::path& file) {
    files::write_atomically(file, to_svg(figure));
}

} // namespace rubato::report
