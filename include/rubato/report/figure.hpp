// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/report/ticks.hpp>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rubato::report {

enum class Line { solid, dashed, dotted, none };
/// What is drawn between two samples.
enum class Between { straight, hold };

struct Series {
    std::string label;
    std::vector<double> x, y; ///< of equal length; NaN and infinity leave a gap
    Line line = Line::solid;
    Between between = Between::straight;
    bool markers = false;
    std::optional<std::size_t> color; ///< index into the palette; default: the series' own index
    /// The series is a filled band from `y` up to these; as many as `x`. Empty: it is a line.
    std::vector<double> upper = {};
};

/// A pair of axes; all panels of a figure share the x axis.
struct Panel {
    std::string y_label;
    std::vector<Series> series;
    Scale y_scale = Scale::linear;
    std::optional<Range> y_range; ///< default: what the data take
    double share = 1;             ///< of the height, relative to the other panels
};

/// Panels, one below the other.
struct Figure {
    std::string title;
    std::string subtitle;
    std::string x_label;
    Scale x_scale = Scale::linear;
    std::optional<Range> x_range; ///< default: what the data take
    std::vector<Panel> panels;
    std::vector<double> marks; ///< places on the x axis, drawn through all panels
    int width = 960;
    std::optional<int> height; ///< default: by the number of panels
};

/// A picture that needs nothing else. The same figure gives the same bytes.
std::string to_svg(const Figure& figure);

/// Creates the folder, replaces the file as a whole. Throws Error.
void write_svg(const Figure& figure, const std::filesystem::path& file);

} // namespace rubato::report
