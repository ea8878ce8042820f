// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace rubato::report {

/// Boxes joined by arrows: what comes before what. Texts may hold anything.
struct Diagram {
    enum class Look : std::uint8_t { filled, outlined, pill };
    struct Box {
        std::string label;
        std::string caption; ///< small, above the label; may be empty
        std::string hover;   ///< what a viewer shows under the pointer
        Look look = Look::outlined;
        std::optional<std::size_t> frame; ///< index into `frames`
    };

    enum class Line : std::uint8_t { solid, thin, dashed, dotted };
    struct Arrow {
        std::size_t from = 0; ///< indices into `boxes`
        std::size_t to = 0;
        Line line = Line::solid;
        std::string hover;
        bool orders = true; ///< leads downwards, unless it would close a cycle
        bool has_head = true;
    };

    /// What boxes that belong together stand in. No cycle of ordering arrows leads out of a frame
    /// and back.
    struct Frame {
        std::string label;
        std::string hover;
        std::size_t color = 0; ///< index into the palette of figures
    };

    struct FrameColor {
        std::size_t index = 0;
    };
    struct Key {
        std::variant<Line, FrameColor> sample;
        std::string meaning;
    };

    std::string title;
    std::string subtitle;
    std::vector<Box> boxes;
    std::vector<Arrow> arrows;
    std::vector<Frame> frames;
    std::vector<Key> legend;
};

/// Beyond this many boxes there is no SVG: nobody could find anything on it.
constexpr std::size_t most_boxes = 2000;

/// A layered drawing that needs nothing else: arrows lead downwards, except within frames. The same
/// diagram gives the same bytes. Throws InputError for more than `most_boxes`, and where the arrows
/// would be too long.
std::string to_svg(const Diagram& diagram);

/// The language of Graphviz: frames become clusters.
std::string to_dot(const Diagram& diagram);

/// As the name of the file ends: .svg or .dot; throws InputError for anything else. Creates the
/// folder, replaces the file as a whole. Throws Error.
void write_diagram(const Diagram& diagram, const std::filesystem::path& file);

} // namespace rubato::report
