// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plots/point.hpp"

#include <cstdint>
#include <optional>
#include <vector>

/// Drawings of directed graphs in layers, after Sugiyama, Tagawa and Toda (1981): boxes are put
/// into layers, so that wires lead downwards; within layers they are ordered, so that few wires
/// cross, and then shifted, so that wires are straight. Nothing is random: the same sketch gives
/// the same drawing.
namespace rubato::report::layered {

using Index = std::uint32_t;

/// A box that stands for a place on the border: alone with its like in the first or last layer.
enum class Pin : std::uint8_t { none, top, bottom };

struct Box {
    double width = 0;
    double height = 0;
    Pin pin = Pin::none;
};

struct Wire {
    Index from = 0, to = 0; ///< two different boxes
    bool orders = true;     ///< leads downwards, unless it would close a cycle
    /// Where it meets the box, to the right of its middle; absent: where there is room.
    std::optional<double> from_offset, to_offset;
};

struct Sketch {
    std::vector<Box> boxes;
    std::vector<Wire> wires;
};

/// Everything lies between 0 and width, 0 and height.
struct Drawing {
    double width = 0;
    double height = 0;
    std::vector<Point> middles;             ///< by box
    std::vector<std::vector<Point>> routes; ///< by wire, from its `from` to its `to`
};

/// Boxes do not overlap. A curve leads past all of them if it is vertical at each point of a route
/// and, where two neighbouring points are of one height, dips below them by at most `dip`. Throws
/// InputError for what would take too long (most_bends).
Drawing lay_out(const Sketch& sketch);

constexpr double dip = 18;

} // namespace rubato::report::layered
