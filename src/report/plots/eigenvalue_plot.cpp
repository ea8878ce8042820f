// SPDX-License-Identifier: Apache-2.0
#include "svg_style.hpp"

#include <rubato/files/output_file.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/eigenvalue_plot.hpp>
#include <rubato/report/ticks.hpp>

#include <algorithm>
#include <cmath>

namespace rubato::report {
namespace {

constexpr double plane_side = 480;

/// Around the plane.
namespace margin {
constexpr double left = 70, top = 70, bottom = 56, right = 24;
} // namespace margin

/// The plane from -reach to reach in both directions.
class Plane {
public:
    explicit Plane(double reach) : reach_(reach) {}

    double reach() const { return reach_; }
    double length(double value) const { return value / reach_ * plane_side / 2; }
    Point place(std::complex<double> value) const {
        return {margin::left + plane_side / 2 + length(value.real()),
                margin::top + plane_side / 2 - length(value.imag())};
    }

private:
    double reach_;
};

double reach_of(const EigenvaluePlot& plot) {
    double largest = 1;
    for (const auto& value : plot.eigenvalues)
        if (std::isfinite(std::abs(value))) largest = std::max(largest, std::abs(value));
    return 1.15 * largest;
}

void draw_plane_line(SvgWriter& svg, Point from, Point to, const char* color) {
    svg.empty("line", {{"x1", pixels(from.x)},
                       {"y1", pixels(from.y)},
                       {"x2", pixels(to.x)},
                       {"y2", pixels(to.y)},
                       {"stroke", color},
                       {"stroke-width", "1"}});
}

void draw_plane_axes(SvgWriter& svg, const Plane& plane) {
    constexpr auto grid = "#e4e7eb", axis = "#9aa5b1";
    const double r = plane.reach();
    for (const Tick& tick : choose_ticks({-r, r}, Scale::linear, 7)) {
        const bool is_axis = tick.value == 0;
        draw_plane_line(svg, plane.place({tick.value, -r}), plane.place({tick.value, r}),
                        is_axis ? axis : grid);
        draw_plane_line(svg, plane.place({-r, tick.value}), plane.place({r, tick.value}),
                        is_axis ? axis : grid);
        const Point below = plane.place({tick.value, -r}), beside = plane.place({-r, tick.value});
        draw_text(svg, {below.x, below.y + 18}, tick.label, small_font, muted_ink, "middle");
        draw_text(svg, {beside.x - 8, beside.y + 4}, tick.label, small_font, muted_ink, "end");
    }
    draw_text(svg, {margin::left + plane_side / 2, margin::top + plane_side + 42}, "real part",
              label_font, ink, "middle");
    draw_text(svg, {margin::left - 54, margin::top - 10}, "imaginary part", label_font, ink);
}

void draw_eigenvalue(SvgWriter& svg, const Plane& plane, std::complex<double> value,
                     bool is_stable) {
    const Point at = plane.place(value);
    svg.empty("circle", {{"class", is_stable ? "stable" : "unstable"},
                         {"cx", pixels(at.x)},
                         {"cy", pixels(at.y)},
                         {"r", "4.5"},
                         {"fill", is_stable ? palette[0] : palette[1]},
                         {"fill-opacity", "0.8"}});
}

} // namespace

std::string to_svg(const EigenvaluePlot& plot) {
    const Plane plane(reach_of(plot));
    SvgWriter svg;
    open_picture(svg, margin::left + plane_side + margin::right,
                 margin::top + plane_side + margin::bottom);
    draw_text(svg, {margin::left - 54, 26}, plot.title, title_font, ink, "start", "600");
    draw_text(svg, {margin::left - 54, 44}, plot.subtitle, small_font, muted_ink);
    draw_plane_axes(svg, plane);
    const Point center = plane.place(0);
    svg.empty("circle", {{"class", "unit-circle"},
                         {"cx", pixels(center.x)},
                         {"cy", pixels(center.y)},
                         {"r", pixels(plane.length(1))},
                         {"fill", "none"},
                         {"stroke", ink},
                         {"stroke-width", "1.5"}});
    for (const auto& value : plot.eigenvalues) {
        if (!std::isfinite(std::abs(value))) continue;
        const bool is_stable = std::abs(value) <= plot.largest_stable;
        draw_eigenvalue(svg, plane, value, is_stable);
        if (value.imag() != 0) draw_eigenvalue(svg, plane, std::conj(value), is_stable);
    }
    svg.close("svg");
    return svg.result();
}

void write_svg(const EigenvaluePlot& plot, const std::filesystem::path& file) {
    files::write_atomically(file, to_svg(plot));
}

} // namespace rubato::report
