// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layered.hpp"

namespace rubato::report::layered {

/// A box, or a bend where a wire passes through a layer.
struct Vertex {
    Index layer = 0;
    double width = 0;
    double height = 0;
    bool is_bend = false;
    double x = 0; ///< of its middle
};

/// A piece of a wire between neighbouring layers.
struct Span {
    Index upper = 0, lower = 0;
    double upper_offset = 0, lower_offset = 0;
};

/// The vertices that a wire leads through.
struct Chain {
    std::vector<Index> vertices; ///< from the upper to the lower; or two within a layer
    bool leads_up = false;       ///< it starts at the last one
    Index first_span = 0;        ///< one of as many as lie between the vertices; if it is not flat
    double upper_offset = 0;     ///< where it meets the boxes
    double lower_offset = 0;
};

/// A sketch in layers, every wire taken apart into spans. Crossing reduction changes the order
/// within rows; placement changes x.
struct Layers {
    std::vector<Vertex> vertices; ///< boxes first, then bends
    std::vector<Span> spans;
    std::vector<std::vector<Index>> spans_above, spans_below; ///< by vertex
    std::vector<std::vector<Index>> rows;                     ///< by layer, from left to right
    std::vector<Chain> chains;                                ///< by wire

    bool is_flat(const Chain& chain) const {
        return vertices[chain.vertices.front()].layer == vertices[chain.vertices.back()].layer;
    }
    /// Lets a wire meet its boxes elsewhere.
    void attach(Chain& chain, double upper_offset, double lower_offset);
};

/// What is laid out within a few seconds.
constexpr std::size_t most_bends = 200'000;

/// A box stands below all boxes from which ordering wires lead to it, no further than needed; boxes
/// with more wires below than above are drawn down to them. Throws InputError for more than
/// `most_bends`.
Layers build_layers(const Sketch& sketch);

/// The least distance between the middles of neighbours in a row.
double separation(const Vertex& left, const Vertex& right);

/// Puts the vertices of a row side by side.
void pack(Layers& layers, const std::vector<Index>& row);

} // namespace rubato::report::layered
