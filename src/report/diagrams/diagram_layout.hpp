// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plots/point.hpp"

#include <rubato/report/diagram.hpp>

#include <string>
#include <vector>

/// Where everything on a diagram goes, before anything is drawn.
namespace rubato::report {

struct Rectangle {
    Point corner; ///< upper left
    double width = 0;
    double height = 0;
};

struct DiagramLayout {
    double width = 0;
    double height = 0;
    Point title, subtitle;
    std::vector<Point> keys; ///< of the legend: the left end of the sample's middle
    std::vector<Rectangle> boxes;
    std::vector<Rectangle> frames;
    /// Points at which the arrow is vertical (layered::Drawing); empty for one from a box to
    /// itself.
    std::vector<std::vector<Point>> arrows;
};

constexpr double caption_font = 10.5;
constexpr double key_sample = 26; ///< width of a sample in the legend
constexpr double key_gap = 7;     ///< between it and its meaning

/// What is shown of a text on a box: all of it, or its ends.
std::string shown(const std::string& text);

/// Each frame is laid out by itself and then takes part as one box. Arrows that enter it do so at
/// its upper border, and those that leave it at its lower one.
DiagramLayout lay_out(const Diagram& diagram);

} // namespace rubato::report
