// SPDX-License-Identifier: Apache-2.0
#include "svg_style.hpp"

#include <rubato/private/format.hpp>
#include <rubato/report/text_table.hpp>

namespace rubato::report {

double text_width(std::string_view text, double font_size) {
    return 0.56 * font_size * static_cast<double>(display_width(text));
}

void open_picture(SvgWriter& svg, double width, double height) {
    constexpr auto font =
        "Inter, 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif";
    svg.open("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                     {"width", pixels(width)},
                     {"height", pixels(height)},
                     {"viewBox", format("0 0 {} {}", pixels(width), pixels(height))},
                     {"font-family", font}});
    svg.empty("rect", {{"width", pixels(width)}, {"height", pixels(height)}, {"fill", "#ffffff"}});
}

void draw_text(SvgWriter& svg, Point at, std::string_view content, double size, const char* color,
               const char* anchor, const char* weight) {
    svg.text("text",
             {{"x", pixels(at.x)},
              {"y", pixels(at.y)},
              {"font-size", pixels(size)},
              {"font-weight", weight},
              {"text-anchor", anchor},
              {"fill", color}},
             content);
}

} // namespace rubato::report
