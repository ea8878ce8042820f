// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "decimate.hpp"

#include <rubato/report/figure.hpp>

#include <vector>

/// Where everything on a figure goes, before anything is drawn.
namespace rubato::report {

/// A part of an axis: values from `range` lie between the pixels `from` and `to`.
struct Axis {
    Scale scale = Scale::linear;
    Range range;
    double from = 0;
    double to = 1;
    std::vector<Tick> ticks;

    /// NaN for what a logarithmic axis cannot show.
    double place(double value) const;
};

struct LegendEntry {
    std::size_t series = 0; ///< index within the panel
    Point at;               ///< left end of the sample line
};

struct PanelLayout {
    Axis x, y;
    Point label; ///< of the y axis: its baseline's left end
    std::vector<LegendEntry> legend;
};

struct Layout {
    double width = 0;
    double height = 0;
    Point title, subtitle, x_label;
    std::vector<PanelLayout> panels;
};

constexpr double legend_sample = 22; ///< length of a legend's sample line
constexpr double legend_band = 5;    ///< half the height of a band's sample
constexpr double legend_gap = 7;     ///< between it and its text

Layout lay_out(const Figure& figure);

} // namespace rubato::report
