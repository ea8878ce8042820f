// SPDX-License-Identifier: Apache-2.0
#include "layered.hpp"

#include "crossings.hpp"
#include "placement.hpp"

#include <algorithm>
#include <cmath>

namespace rubato::report::layered {
namespace {

/// Finds places on the borders of boxes for the wires that may meet them anywhere.
class Spreading {
public:
    Spreading(const Sketch& sketch, Layers& layers)
        : sketch_(sketch), layers_(layers), above_(sketch.boxes.size()),
          below_(sketch.boxes.size()) {}

    void spread() && {
        for (std::size_t w = 0; w < sketch_.wires.size(); ++w) collect(w);
        for (std::size_t b = 0; b < sketch_.boxes.size(); ++b) {
            distribute(above_[b], sketch_.boxes[b].width);
            distribute(below_[b], sketch_.boxes[b].width);
        }
        for (Chain& chain : layers_.chains)
            layers_.attach(chain, chain.upper_offset, chain.lower_offset);
    }

private:
    struct End {
        double towards = 0; ///< x of the next vertex
        double* offset = nullptr;
    };

    void collect(std::size_t w) {
        const Wire& wire = sketch_.wires[w];
        Chain& chain = layers_.chains[w];
        const auto& vertices = chain.vertices;
        const auto& at_upper = chain.leads_up ? wire.to_offset : wire.from_offset;
        const auto& at_lower = chain.leads_up ? wire.from_offset : wire.to_offset;
        const double after_upper = layers_.vertices[vertices[1]].x;
        const double before_lower = layers_.vertices[vertices[vertices.size() - 2]].x;
        auto& side_of_lower = layers_.is_flat(chain) ? below_ : above_;
        if (!at_upper) below_[vertices.front()].push_back({after_upper, &chain.upper_offset});
        if (!at_lower)
            side_of_lower[vertices.back()].push_back({before_lower, &chain.lower_offset});
    }

    static void distribute(std::vector<End>& ends, double width) {
        constexpr double most_apart = 14;
        constexpr double share = 0.8; ///< of the border that wires may use
        std::ranges::stable_sort(ends, {}, &End::towards);
        const auto count = static_cast<double>(ends.size());
        const double apart = std::min(most_apart, share * width / std::max(count, 1.0));
        for (std::size_t i = 0; i < ends.size(); ++i)
            *ends[i].offset = (static_cast<double>(i) - (count - 1) / 2) * apart;
    }

    const Sketch& sketch_;
    Layers& layers_;
    std::vector<std::vector<End>> above_, below_; ///< by box: ends at its upper and lower border
};

/// The strip that a layer takes.
struct Band {
    double top = 0;
    double bottom = 0;
};

/// How far wires go to the side between this layer and the next.
double widest_way(const Layers& layers, const std::vector<Index>& row) {
    double widest = 0;
    for (const Index v : row) {
        for (const Index s : layers.spans_below[v]) {
            const double way = layers.vertices[layers.spans[s].lower].x - layers.vertices[v].x;
            widest = std::max(widest, std::abs(way));
        }
    }
    return widest;
}

double height_of(const Layers& layers, const std::vector<Index>& row) {
    double height = 0;
    for (const Index v : row) height = std::max(height, layers.vertices[v].height);
    return height;
}

/// Layers whose wires go far to the side stand further apart, so that wires are not too flat;
/// borders may be near.
std::vector<Band> stack_layers(const Layers& layers) {
    constexpr double slope = 0.12;
    constexpr double most_gap = 76;
    std::vector<Band> bands;
    double bottom = 0;
    for (std::size_t r = 0; r < layers.rows.size(); ++r) {
        const double height = height_of(layers, layers.rows[r]);
        double top = bottom;
        if (r > 0) {
            const bool at_border = height == 0 || bands.back().top == bands.back().bottom;
            const double way = slope * widest_way(layers, layers.rows[r - 1]);
            top += std::clamp(way, at_border ? 14.0 : 30.0, most_gap);
        }
        bottom = top + height;
        bands.push_back({top, bottom});
    }
    return bands;
}

/// Boxes lower than their layer stand on the side of most of their wires.
double middle_of(const Layers& layers, Index box, const std::vector<Band>& bands) {
    const Vertex& vertex = layers.vertices[box];
    const Band& band = bands[vertex.layer];
    return layers.spans_below[box].size() > layers.spans_above[box].size()
               ? band.bottom - vertex.height / 2
               : band.top + vertex.height / 2;
}

/// Straight through the bands, from border to border of the boxes.
std::vector<Point> route_of(const Layers& layers, const std::vector<Band>& bands,
                            const Chain& chain) {
    std::vector<Point> points;
    const auto add = [&](double x, double y) {
        constexpr double rounding = 1e-6;
        const std::size_t count = points.size();
        const bool is_vertical = count > 0 && points.back().x == x;
        if (is_vertical && std::abs(points.back().y - y) < rounding) return;
        if (is_vertical && count > 1 && points[count - 2].x == x) points.pop_back();
        points.push_back({x, y});
    };
    const Index first = chain.vertices.front();
    const Index last = chain.vertices.back();
    const Vertex& upper = layers.vertices[first];
    const Vertex& lower = layers.vertices[last];
    add(upper.x + chain.upper_offset, middle_of(layers, first, bands) + upper.height / 2);
    add(upper.x + chain.upper_offset, bands[upper.layer].bottom);
    for (std::size_t i = 1; i + 1 < chain.vertices.size(); ++i) {
        const Vertex& bend = layers.vertices[chain.vertices[i]];
        add(bend.x, bands[bend.layer].top);
        add(bend.x, bands[bend.layer].bottom);
    }
    const bool from_below = layers.is_flat(chain);
    const Band& band = bands[lower.layer];
    const double half = lower.height / 2;
    add(lower.x + chain.lower_offset, from_below ? band.bottom : band.top);
    add(lower.x + chain.lower_offset, middle_of(layers, last, bands) + (from_below ? half : -half));
    if (chain.leads_up) std::ranges::reverse(points);
    return points;
}

} // namespace

Drawing lay_out(const Sketch& sketch) {
    Layers layers = build_layers(sketch);
    reduce_crossings(layers);
    place(layers);
    Spreading(sketch, layers).spread();
    place(layers); // now that it is known where wires meet the boxes
    const std::vector<Band> bands = stack_layers(layers);

    Drawing drawing;
    for (const Vertex& vertex : layers.vertices)
        drawing.width = std::max(drawing.width, vertex.x + vertex.width / 2);
    drawing.height = bands.empty() ? 0 : bands.back().bottom;
    for (Index b = 0; b < sketch.boxes.size(); ++b)
        drawing.middles.push_back({layers.vertices[b].x, middle_of(layers, b, bands)});
    for (const Chain& chain : layers.chains) {
        drawing.routes.push_back(route_of(layers, bands, chain));
        const Band& band = bands[layers.vertices[chain.vertices.front()].layer];
        if (layers.is_flat(chain)) drawing.height = std::max(drawing.height, band.bottom + dip);
    }
    return drawing;
}

} // namespace rubato::report::layered
