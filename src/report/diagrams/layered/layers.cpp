// SPDX-License-Identifier: Apache-2.0
#include "layers.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <deque>
#include <utility>

namespace rubato::report::layered {
namespace {

/// Gives every box its layer.
class Ranking {
public:
    explicit Ranking(const Sketch& sketch)
        : sketch_(sketch), layer_(sketch.boxes.size()), place_(sketch.boxes.size()),
          wires_from_(sketch.boxes.size()), waiting_for_(sketch.boxes.size()) {
        for (const Wire& wire : sketch.wires) {
            if (!wire.orders) continue;
            wires_from_[wire.from].push_back(wire.to);
            ++waiting_for_[wire.to];
        }
    }

    std::vector<Index> rank() && {
        const bool has_top = has_pin(Pin::top);
        for (Index box = 0; box < layer_.size(); ++box) {
            if (has_top && sketch_.boxes[box].pin != Pin::top) layer_[box] = 1;
        }
        push_down_from_sources();
        if (has_pin(Pin::bottom)) sink_bottom_pins();
        pull_down_to_targets();
        return std::move(layer_);
    }

private:
    bool has_pin(Pin pin) const {
        return std::ranges::find(sketch_.boxes, pin, &Box::pin) != sketch_.boxes.end();
    }

    /// Longest paths, in topological order. Where only cycles are left, the first box goes next and
    /// wires that lead back to it from later ones do not count.
    void push_down_from_sources() {
        std::deque<Index> ready;
        std::vector<bool> is_queued(layer_.size());
        const auto enqueue = [&](Index box) {
            is_queued[box] = true;
            ready.push_back(box);
        };
        for (Index box = 0; box < layer_.size(); ++box) {
            if (waiting_for_[box] == 0) enqueue(box);
        }
        for (Index first_left = 0; order_.size() < layer_.size();) {
            if (ready.empty()) {
                while (is_queued[first_left]) ++first_left;
                enqueue(first_left);
            }
            const Index box = ready.front();
            ready.pop_front();
            place_[box] = order_.size();
            order_.push_back(box);
            for (const Index target : wires_from_[box]) {
                if (is_queued[target]) continue;
                layer_[target] = std::max(layer_[target], layer_[box] + 1);
                if (--waiting_for_[target] == 0) enqueue(target);
            }
        }
    }

    void sink_bottom_pins() {
        Index last = 0;
        for (Index box = 0; box < layer_.size(); ++box) {
            if (sketch_.boxes[box].pin != Pin::bottom) last = std::max(last, layer_[box]);
        }
        for (Index box = 0; box < layer_.size(); ++box) {
            if (sketch_.boxes[box].pin == Pin::bottom) layer_[box] = last + 1;
        }
    }

    void pull_down_to_targets() {
        std::vector<std::size_t> wires_to(layer_.size());
        for (const Wire& wire : sketch_.wires) wires_to[wire.to] += wire.orders ? 1 : 0;
        for (auto box = order_.rbegin(); box != order_.rend(); ++box) {
            const auto& targets = wires_from_[*box];
            if (sketch_.boxes[*box].pin != Pin::none || targets.size() <= wires_to[*box]) continue;
            Index nearest = layer_[*box];
            bool has_target = false;
            for (const Index target : targets) {
                if (place_[target] < place_[*box]) continue;
                nearest = has_target ? std::min(nearest, layer_[target] - 1) : layer_[target] - 1;
                has_target = true;
            }
            layer_[*box] = nearest;
        }
    }

    const Sketch& sketch_;
    std::vector<Index> layer_;       ///< by box
    std::vector<Index> order_;       ///< boxes, those above before those below
    std::vector<std::size_t> place_; ///< by box: in `order_`
    std::vector<std::vector<Index>> wires_from_;
    std::vector<std::size_t> waiting_for_;
};

class Builder {
public:
    explicit Builder(const Sketch& sketch) : sketch_(sketch) {}

    Layers build() && {
        const std::vector<Index> layer = Ranking(sketch_).rank();
        for (std::size_t b = 0; b < layer.size(); ++b) {
            const Box& box = sketch_.boxes[b];
            result_.vertices.push_back({layer[b], box.width, box.height});
        }
        refuse_too_many_bends(layer);
        for (const Wire& wire : sketch_.wires) result_.chains.push_back(chain_for(wire));
        link_spans();
        fill_rows();
        return std::move(result_);
    }

private:
    void refuse_too_many_bends(const std::vector<Index>& layer) const {
        std::size_t bends = 0;
        for (const Wire& wire : sketch_.wires) {
            const auto [upper, lower] = std::minmax(layer[wire.from], layer[wire.to]);
            if (upper < lower) bends += lower - upper - 1;
        }
        if (bends <= most_bends) return;
        throw InputError(
            format("the arrows pass {} layers of boxes in all, more than the {} that a "
                   "picture can show",
                   bends, most_bends),
            "write it as .dot and let a tool for large graphs draw it");
    }

    Chain chain_for(const Wire& wire) {
        Index upper = wire.from;
        Index lower = wire.to;
        Chain chain;
        chain.first_span = static_cast<Index>(result_.spans.size());
        chain.leads_up = result_.vertices[upper].layer > result_.vertices[lower].layer;
        if (chain.leads_up) std::swap(upper, lower);
        chain.vertices.push_back(upper);
        const Index last = result_.vertices[lower].layer;
        for (Index layer = result_.vertices[upper].layer + 1; layer < last; ++layer) {
            const Index bend = static_cast<Index>(result_.vertices.size());
            result_.vertices.push_back({.layer = layer, .is_bend = true});
            result_.spans.push_back({chain.vertices.back(), bend});
            chain.vertices.push_back(bend);
        }
        chain.vertices.push_back(lower);
        if (!result_.is_flat(chain))
            result_.spans.push_back({chain.vertices.end()[-2], chain.vertices.back()});
        const double from = wire.from_offset.value_or(0);
        const double to = wire.to_offset.value_or(0);
        result_.attach(chain, chain.leads_up ? to : from, chain.leads_up ? from : to);
        return chain;
    }

    void link_spans() {
        result_.spans_above.resize(result_.vertices.size());
        result_.spans_below.resize(result_.vertices.size());
        for (Index s = 0; s < result_.spans.size(); ++s) {
            result_.spans_below[result_.spans[s].upper].push_back(s);
            result_.spans_above[result_.spans[s].lower].push_back(s);
        }
    }

    /// What is connected starts side by side.
    void fill_rows() {
        std::vector<bool> seen(result_.vertices.size());
        for (Index root = 0; root < result_.vertices.size(); ++root) {
            if (seen[root]) continue;
            seen[root] = true;
            std::deque<Index> pending{root};
            const auto reach = [&](Index vertex) {
                if (seen[vertex]) return;
                seen[vertex] = true;
                pending.push_back(vertex);
            };
            while (!pending.empty()) {
                const Index vertex = pending.front();
                pending.pop_front();
                const Index layer = result_.vertices[vertex].layer;
                if (result_.rows.size() <= layer) result_.rows.resize(layer + 1);
                result_.rows[layer].push_back(vertex);
                for (const Index s : result_.spans_below[vertex]) reach(result_.spans[s].lower);
                for (const Index s : result_.spans_above[vertex]) reach(result_.spans[s].upper);
            }
        }
    }

    const Sketch& sketch_;
    Layers result_;
};

} // namespace

void Layers::attach(Chain& chain, double upper_offset, double lower_offset) {
    chain.upper_offset = upper_offset;
    chain.lower_offset = lower_offset;
    if (is_flat(chain)) return;
    spans[chain.first_span].upper_offset = upper_offset;
    spans[chain.first_span + chain.vertices.size() - 2].lower_offset = lower_offset;
}

Layers build_layers(const Sketch& sketch) { return Builder(sketch).build(); }

double separation(const Vertex& left, const Vertex& right) {
    constexpr double between_boxes = 22;
    constexpr double beside_wires = 14;
    const bool is_wire = left.width == 0 || right.width == 0;
    return (left.width + right.width) / 2 + (is_wire ? beside_wires : between_boxes);
}

void pack(Layers& layers, const std::vector<Index>& row) {
    double x = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
        Vertex& vertex = layers.vertices[row[i]];
        if (i > 0) x += separation(layers.vertices[row[i - 1]], vertex);
        vertex.x = x;
    }
    for (const Index v : row) layers.vertices[v].x -= x / 2;
}

} // namespace rubato::report::layered
