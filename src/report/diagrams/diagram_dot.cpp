// SPDX-License-Identifier: Apache-2.0
#include "plots/svg_style.hpp"

#include <rubato/private/format.hpp>
#include <rubato/report/diagram.hpp>

namespace rubato::report {
namespace {

using Look = Diagram::Look;

/// Quotes end texts and backslashes start escapes; control characters have no meaning.
std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
    }
    return out;
}

std::string in_quotes(std::string_view text) { return '"' + escaped(text) + '"'; }

std::string box_line(const Diagram::Box& box, std::size_t number) {
    const std::string label =
        (box.caption.empty() ? "" : escaped(box.caption) + "\\n") + escaped(box.label);
    std::string line = format("b{} [label=\"{}\", tooltip={}", number, label, in_quotes(box.hover));
    if (box.look == Look::filled) line += ", style=\"rounded,filled\"";
    if (box.look == Look::pill) line += ", shape=oval";
    return line + "]";
}

std::string arrow_line(const Diagram::Arrow& arrow) {
    std::string line =
        format("b{} -> b{} [tooltip={}", arrow.from, arrow.to, in_quotes(arrow.hover));
    switch (arrow.line) {
    case Diagram::Line::solid: break;
    case Diagram::Line::thin: line += ", color=gray55"; break;
    case Diagram::Line::dashed: line += ", style=dashed"; break;
    case Diagram::Line::dotted: line += ", style=dotted"; break;
    }
    if (!arrow.orders) line += ", constraint=false";
    if (!arrow.has_head) line += ", dir=none";
    return line + "]";
}

} // namespace

std::string to_dot(const Diagram& diagram) {
    std::string out = format("digraph {} {{\n", in_quotes(diagram.title));
    out += format("  label={}; labelloc=t\n", in_quotes(diagram.subtitle));
    out += "  node [shape=box, style=rounded, fontname=\"Helvetica\", fillcolor=\"#dfe5ec\"]\n";
    for (std::size_t f = 0; f < diagram.frames.size(); ++f) {
        const Diagram::Frame& frame = diagram.frames[f];
        out += format("  subgraph cluster_{} {{\n", f);
        out +=
            format("    label={}; tooltip={}; color=\"{}\"; penwidth=2\n", in_quotes(frame.label),
                   in_quotes(frame.hover), palette[frame.color % palette.size()]);
        for (std::size_t b = 0; b < diagram.boxes.size(); ++b) {
            if (diagram.boxes[b].frame == f)
                out += format("    {}\n", box_line(diagram.boxes[b], b));
        }
        out += "  }\n";
    }
    for (std::size_t b = 0; b < diagram.boxes.size(); ++b)
        if (!diagram.boxes[b].frame) out += format("  {}\n", box_line(diagram.boxes[b], b));
    for (const Diagram::Arrow& arrow : diagram.arrows) out += format("  {}\n", arrow_line(arrow));
    return out + "}\n";
}

} // namespace rubato::report
