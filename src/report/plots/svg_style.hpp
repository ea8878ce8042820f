// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "point.hpp"
#include "svg.hpp"

#include <array>
#include <string_view>

/// What all pictures have in common.
namespace rubato::report {

/// Okabe and Ito's colours, which the colour-blind can distinguish; without the yellow, which no
/// one can see on white.
inline constexpr std::array palette = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                       "#e69f00", "#56b4e9", "#3d4451"};
constexpr auto ink = "#1f2933";
constexpr auto muted_ink = "#5b6770";

constexpr double small_font = 12;
constexpr double label_font = 13;
constexpr double title_font = 18;

/// About how wide a text is drawn: the viewer's font decides.
double text_width(std::string_view text, double font_size);

/// Opens the `svg` element and fills the background; the caller closes it.
void open_picture(SvgWriter& svg, double width, double height);

/// Text with the left end, middle or right end (`anchor`) of its baseline at a place.
void draw_text(SvgWriter& svg, Point at, std::string_view content, double size, const char* color,
               const char* anchor = "start", const char* weight = "normal");

} // namespace rubato::report
