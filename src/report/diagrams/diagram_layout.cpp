// SPDX-License-Identifier: Apache-2.0
#include "diagram_layout.hpp"

#include "diagrams/layered/layered.hpp"
#include "plots/svg_style.hpp"

#include <rubato/report/text_table.hpp>

#include <algorithm>

namespace rubato::report {
namespace {

using layered::Drawing;
using layered::Index;
using layered::Pin;
using layered::Sketch;

constexpr double margin = 24;
constexpr double least_width = 420;
constexpr double line_height = 22; ///< of the legend
constexpr double frame_header = 32;
constexpr double frame_padding = 16;
constexpr double bold = 1.08; ///< times as wide

layered::Box size_of(const Diagram::Box& box) {
    constexpr double padding = 12;
    constexpr double least = 58;
    const double label = text_width(shown(box.label), label_font) * bold;
    const double caption = text_width(box.caption, caption_font);
    return {std::max(least, std::max(label, caption) + 2 * padding),
            box.caption.empty() ? 28.0 : 42.0};
}

/// The byte at which the n-th code point of UTF-8 starts.
std::size_t start_of_character(std::string_view text, std::size_t n) {
    std::size_t byte = 0;
    for (; byte < text.size(); ++byte) {
        const bool is_start = display_width(text.substr(byte, 1)) == 1;
        if (is_start && n-- == 0) break;
    }
    return byte;
}

/// Lays out the inside of each frame, then the whole with frames as boxes, and puts both together.
class Composition {
public:
    explicit Composition(const Diagram& diagram)
        : diagram_(diagram), whole_(diagram.frames.size()), sketches_(whole_ + 1),
          origins_(whole_ + 1), pieces_(diagram.arrows.size()) {}

    DiagramLayout compose() && {
        sketches_[whole_].boxes.resize(diagram_.frames.size());
        for (const Diagram::Box& box : diagram_.boxes) sketch_box(box);
        for (std::size_t a = 0; a < diagram_.arrows.size(); ++a) sketch_arrow(a);
        for (std::size_t f = 0; f < whole_; ++f) lay_out_frame(f);
        for (std::size_t a = 0; a < diagram_.arrows.size(); ++a) attach_to_frames(a);
        drawings_.push_back(layered::lay_out(sketches_[whole_]));
        DiagramLayout result;
        result.width = drawings_[whole_].width;
        result.height = drawings_[whole_].height;
        place_frames(result);
        for (std::size_t b = 0; b < diagram_.boxes.size(); ++b)
            result.boxes.push_back(placed(home_of(b), place_[b]));
        for (const auto& pieces : pieces_) result.arrows.push_back(route_over(pieces));
        return result;
    }

private:
    /// Sketches are numbered: those of the frames come first, then that of the whole.
    using SketchIndex = std::size_t;

    /// A part of an arrow, inside a frame or outside of all.
    struct Piece {
        SketchIndex sketch = 0;
        std::size_t wire = 0;
    };

    SketchIndex home_of(std::size_t box) const {
        return diagram_.boxes[box].frame.value_or(whole_);
    }

    void sketch_box(const Diagram::Box& box) {
        Sketch& sketch = sketches_[box.frame.value_or(whole_)];
        place_.push_back(static_cast<Index>(sketch.boxes.size()));
        sketch.boxes.push_back(size_of(box));
    }

    void add_piece(std::size_t arrow, SketchIndex sketch, Index from, Index to, bool orders) {
        pieces_[arrow].push_back({sketch, sketches_[sketch].wires.size()});
        sketches_[sketch].wires.push_back({from, to, orders, {}, {}});
    }

    /// A place on the border of a frame, for an arrow to pass.
    Index add_pin(SketchIndex frame, Pin pin) {
        sketches_[frame].boxes.push_back({0, 0, pin});
        return static_cast<Index>(sketches_[frame].boxes.size() - 1);
    }

    void sketch_arrow(std::size_t a) {
        const auto& [from, to, line, hover, orders, has_head] = diagram_.arrows[a];
        if (from == to) return;
        const SketchIndex from_home = home_of(from);
        const SketchIndex to_home = home_of(to);
        if (from_home == to_home) {
            add_piece(a, from_home, place_[from], place_[to], orders);
            return;
        }
        Index outside_from = place_[from];
        Index outside_to = place_[to];
        if (from_home != whole_) {
            add_piece(a, from_home, place_[from], add_pin(from_home, Pin::bottom), true);
            outside_from = static_cast<Index>(from_home);
        }
        if (to_home != whole_) outside_to = static_cast<Index>(to_home);
        add_piece(a, whole_, outside_from, outside_to, orders);
        if (to_home != whole_) add_piece(a, to_home, add_pin(to_home, Pin::top), place_[to], true);
    }

    void lay_out_frame(std::size_t f) {
        const Drawing& inside = drawings_.emplace_back(layered::lay_out(sketches_[f]));
        const double label = text_width(diagram_.frames[f].label, small_font) * bold;
        const double width = std::max(inside.width, label) + 2 * frame_padding;
        origins_[f] = {(width - inside.width) / 2, frame_header};
        sketches_[whole_].boxes[f] = {width, frame_header + inside.height + frame_padding};
    }

    /// Outside, an arrow meets a frame where it leaves or enters its inside.
    void attach_to_frames(std::size_t a) {
        const auto& pieces = pieces_[a];
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            if (pieces[i].sketch != whole_) continue;
            layered::Wire& wire = sketches_[whole_].wires[pieces[i].wire];
            if (i > 0)
                wire.from_offset = offset_in_frame(wire.from, route_of(pieces[i - 1]).back());
            if (i + 1 < pieces.size())
                wire.to_offset = offset_in_frame(wire.to, route_of(pieces[i + 1]).front());
        }
    }

    const std::vector<Point>& route_of(Piece piece) const {
        return drawings_[piece.sketch].routes[piece.wire];
    }

    /// From the middle of the frame to a point of its inside.
    double offset_in_frame(SketchIndex frame, Point point) const {
        return origins_[frame].x + point.x - sketches_[whole_].boxes[frame].width / 2;
    }

    Rectangle placed(SketchIndex sketch, Index box) const {
        const layered::Box& size = sketches_[sketch].boxes[box];
        const Point middle = drawings_[sketch].middles[box];
        return {{origins_[sketch].x + middle.x - size.width / 2,
                 origins_[sketch].y + middle.y - size.height / 2},
                size.width,
                size.height};
    }

    /// And with them the origins of their insides.
    void place_frames(DiagramLayout& result) {
        for (std::size_t f = 0; f < whole_; ++f) {
            const Rectangle frame = placed(whole_, static_cast<Index>(f));
            origins_[f].x += frame.corner.x;
            origins_[f].y += frame.corner.y;
            result.frames.push_back(frame);
        }
    }

    std::vector<Point> route_over(const std::vector<Piece>& pieces) const {
        std::vector<Point> points;
        for (const Piece piece : pieces) {
            const Point origin = origins_[piece.sketch];
            for (const Point point : route_of(piece))
                points.push_back({origin.x + point.x, origin.y + point.y});
        }
        return points;
    }

    const Diagram& diagram_;
    SketchIndex whole_;
    std::vector<Sketch> sketches_;
    std::vector<Drawing> drawings_;          ///< by sketch
    std::vector<Point> origins_;             ///< by sketch: of its drawing
    std::vector<Index> place_;               ///< by box: among those of its sketch
    std::vector<std::vector<Piece>> pieces_; ///< by arrow, from its start to its end
};

/// The legend: in lines, each as wide as the diagram lets it be. Returns its height.
double place_keys(const Diagram& diagram, DiagramLayout& layout, double top) {
    constexpr double between = 22;
    double x = margin;
    double y = top;
    for (const Diagram::Key& key : diagram.legend) {
        const double width = key_sample + key_gap + text_width(key.meaning, small_font);
        if (x > margin && x + width > layout.width - margin) {
            x = margin;
            y += line_height;
        }
        layout.keys.push_back({x, y + line_height / 2});
        x += width + between;
    }
    return diagram.legend.empty() ? 0 : y + line_height - top;
}

void shift(DiagramLayout& layout, double right, double down) {
    const auto move = [&](Point& point) {
        point.x += right;
        point.y += down;
    };
    for (Rectangle& box : layout.boxes) move(box.corner);
    for (Rectangle& frame : layout.frames) move(frame.corner);
    for (auto& arrow : layout.arrows) std::ranges::for_each(arrow, move);
}

} // namespace

std::string shown(const std::string& text) {
    constexpr std::size_t longest = 36;
    constexpr std::size_t head = 14;
    constexpr std::size_t tail = 21;
    const std::size_t length = display_width(text);
    if (length <= longest) return text;
    return text.substr(0, start_of_character(text, head)) + "…" +
           text.substr(start_of_character(text, length - tail));
}

DiagramLayout lay_out(const Diagram& diagram) {
    DiagramLayout layout = Composition(diagram).compose();
    const double graph_width = layout.width;
    const double title = text_width(diagram.title, title_font) * bold;
    const double subtitle = text_width(diagram.subtitle, label_font);
    layout.width = std::max({graph_width, least_width, title, subtitle}) + 2 * margin;
    double top = margin;
    if (!diagram.title.empty()) {
        layout.title = {margin, top + 14};
        top += 26;
    }
    if (!diagram.subtitle.empty()) {
        layout.subtitle = {margin, top + 10};
        top += 22;
    }
    top += place_keys(diagram, layout, top);
    top += top > margin ? 14 : 0;
    shift(layout, (layout.width - graph_width) / 2, top);
    layout.height += top + margin;
    return layout;
}

} // namespace rubato::report
