// SPDX-License-Identifier: Apache-2.0
#include "diagram_layout.hpp"
#include "diagrams/layered/layered.hpp"
#include "plots/svg_style.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/files/output_file.hpp>
#include <rubato/private/format.hpp>
#include <rubato/report/diagram.hpp>

#include <cmath>

namespace rubato::report {
namespace {

using Look = Diagram::Look;

constexpr double head_length = 8;
constexpr double head_width = 7;

struct Pen {
    const char* color;
    double width;
    const char* dashes; ///< SVG's stroke-dasharray
};

Pen pen_of(Diagram::Line line) {
    switch (line) {
    case Diagram::Line::solid: return {ink, 1.5, "none"};
    case Diagram::Line::thin: return {"#8793a0", 1.2, "none"};
    case Diagram::Line::dashed: return {ink, 1.5, "6 4"};
    case Diagram::Line::dotted: return {muted_ink, 1.6, "0.1 4.5"};
    }
    return {};
}

std::string place(double x, double y) { return format("{} {}", pixels(x), pixels(y)); }

/// Cubic curves that are vertical at each point, and dip between points of one height.
std::string curve_through(const std::vector<Point>& points) {
    std::string path = "M" + place(points.front().x, points.front().y);
    for (std::size_t i = 1; i < points.size(); ++i) {
        const Point from = points[i - 1];
        const Point to = points[i];
        if (from.x == to.x) {
            path += "V" + pixels(to.y);
            continue;
        }
        // A cubic whose inner control points lie 4/3 deep reaches a depth of 1.
        const double turn = from.y == to.y ? from.y + layered::dip * 4 / 3 : (from.y + to.y) / 2;
        path += format("C{} {} {}", place(from.x, turn), place(to.x, turn), place(to.x, to.y));
    }
    return path;
}

/// Wide, unseen, and under the pointer where a line alone would be hard to hit.
void draw_target(SvgWriter& svg, const std::string& path) {
    svg.empty("path", {{"d", path},
                       {"fill", "none"},
                       {"stroke", ink},
                       {"stroke-width", "9"},
                       {"stroke-opacity", "0"}});
}

void draw_line(SvgWriter& svg, const std::string& path, const Pen& pen) {
    svg.empty("path", {{"d", path},
                       {"fill", "none"},
                       {"stroke", pen.color},
                       {"stroke-width", pixels(pen.width)},
                       {"stroke-linecap", "round"},
                       {"stroke-dasharray", pen.dashes}});
}

/// A head with its tip at the end of a line that arrives in this direction.
void draw_head(SvgWriter& svg, Point tip, Point direction, const Pen& pen) {
    const Point back{tip.x - direction.x * head_length, tip.y - direction.y * head_length};
    const Point side{-direction.y * head_width / 2, direction.x * head_width / 2};
    svg.empty("path", {{"d", format("M{}L{}L{}Z", place(tip.x, tip.y),
                                    place(back.x + side.x, back.y + side.y),
                                    place(back.x - side.x, back.y - side.y))},
                       {"fill", pen.color}});
}

/// Arrows reach their boxes from above, or from below where they lead up or dip.
void draw_arrow(SvgWriter& svg, const Diagram::Arrow& arrow, std::vector<Point> points,
                const Rectangle& target) {
    if (points.empty()) return;
    const Pen pen = pen_of(arrow.line);
    const Point tip = points.back();
    const double down = tip.y > target.corner.y + target.height / 2 ? -1 : 1;
    svg.open("g", {{"class", "arrow"}});
    svg.text("title", {}, arrow.hover);
    if (arrow.has_head) points.back().y -= down * (head_length - 1);
    const std::string path = curve_through(points);
    draw_target(svg, path);
    draw_line(svg, path, pen);
    if (arrow.has_head) draw_head(svg, tip, {0, down}, pen);
    svg.close("g");
}

void draw_frame(SvgWriter& svg, const Diagram::Frame& frame, const Rectangle& at,
                double rounding = 10) {
    const char* color = palette[frame.color % palette.size()];
    svg.open("g", {{"class", "frame"}});
    svg.text("title", {}, frame.hover);
    svg.empty("rect", {{"x", pixels(at.corner.x)},
                       {"y", pixels(at.corner.y)},
                       {"width", pixels(at.width)},
                       {"height", pixels(at.height)},
                       {"rx", pixels(rounding)},
                       {"fill", color},
                       {"fill-opacity", "0.08"},
                       {"stroke", color},
                       {"stroke-width", "1.75"}});
    svg.close("g");
}

/// Arrows may pass behind it.
void draw_frame_label(SvgWriter& svg, const Diagram::Frame& frame, const Rectangle& at) {
    svg.open("g", {{"stroke", "#ffffff"}, {"stroke-width", "4"}, {"paint-order", "stroke"}});
    draw_text(svg, {at.corner.x + 12, at.corner.y + 19}, frame.label, small_font, ink, "start",
              "600");
    svg.close("g");
}

void draw_box(SvgWriter& svg, const Diagram::Box& box, const Rectangle& at) {
    const bool is_filled = box.look == Look::filled;
    const double middle = at.corner.x + at.width / 2;
    svg.open("g", {{"class", "box"}});
    svg.text("title", {}, box.hover);
    svg.empty("rect", {{"x", pixels(at.corner.x)},
                       {"y", pixels(at.corner.y)},
                       {"width", pixels(at.width)},
                       {"height", pixels(at.height)},
                       {"rx", box.look == Look::pill ? pixels(at.height / 2) : "5"},
                       {"fill", is_filled ? "#dfe5ec" : "#ffffff"},
                       {"stroke", is_filled ? ink : muted_ink},
                       {"stroke-width", is_filled ? "1.5" : "1"}});
    const double baseline = box.caption.empty() ? at.height / 2 + 4.5 : at.height - 10;
    if (!box.caption.empty())
        draw_text(svg, {middle, at.corner.y + 15}, box.caption, caption_font, muted_ink, "middle");
    draw_text(svg, {middle, at.corner.y + baseline}, shown(box.label), label_font, ink, "middle",
              is_filled ? "600" : "normal");
    svg.close("g");
}

void draw_key(SvgWriter& svg, const Diagram::Key& key, Point at) {
    svg.open("g", {{"class", "key"}});
    if (const auto* color = std::get_if<Diagram::FrameColor>(&key.sample)) {
        constexpr double height = 14;
        draw_frame(svg, {{}, key.meaning, color->index},
                   {{at.x, at.y - height / 2}, key_sample, height}, 4);
    } else {
        const Pen pen = pen_of(std::get<Diagram::Line>(key.sample));
        draw_line(svg, format("M{}h{}", place(at.x, at.y), pixels(key_sample)), pen);
    }
    draw_text(svg, {at.x + key_sample + key_gap, at.y + 4}, key.meaning, small_font, ink);
    svg.close("g");
}

void refuse_if_too_large(const Diagram& diagram) {
    if (diagram.boxes.size() <= most_boxes) return;
    throw InputError(format("\"{}\" has {} boxes, more than the {} that a picture can show",
                            diagram.title, diagram.boxes.size(), most_boxes),
                     "write it as .dot and let a tool for large graphs draw it");
}

} // namespace

std::string to_svg(const Diagram& diagram) {
    refuse_if_too_large(diagram);
    const DiagramLayout layout = lay_out(diagram);
    SvgWriter svg;
    open_picture(svg, layout.width, layout.height);
    svg.text("style", {}, format(".arrow:hover path {{ stroke: {} }}", palette[1]));
    if (!diagram.title.empty())
        draw_text(svg, layout.title, diagram.title, title_font, ink, "start", "600");
    if (!diagram.subtitle.empty())
        draw_text(svg, layout.subtitle, diagram.subtitle, label_font, muted_ink);
    for (std::size_t i = 0; i < diagram.legend.size(); ++i)
        draw_key(svg, diagram.legend[i], layout.keys[i]);
    for (std::size_t i = 0; i < diagram.frames.size(); ++i)
        draw_frame(svg, diagram.frames[i], layout.frames[i]);
    for (std::size_t i = 0; i < diagram.arrows.size(); ++i)
        draw_arrow(svg, diagram.arrows[i], layout.arrows[i], layout.boxes[diagram.arrows[i].to]);
    for (std::size_t i = 0; i < diagram.frames.size(); ++i)
        draw_frame_label(svg, diagram.frames[i], layout.frames[i]);
    for (std::size_t i = 0; i < diagram.boxes.size(); ++i)
        draw_box(svg, diagram.boxes[i], layout.boxes[i]);
    svg.close("svg");
    return svg.result();
}

void write_diagram(const Diagram& diagram, const std::filesystem::path& file) {
    const std::string ending = file.extension().string();
    if (ending == ".svg") return files::write_atomically(file, to_svg(diagram));
    if (ending == ".dot") return files::write_atomically(file, to_dot(diagram));
    throw InputError(format("\"{}\" names no format to draw in", file.string()),
                     "let it end in .svg (a picture) or .dot (text for Graphviz)");
}

} // namespace rubato::report
