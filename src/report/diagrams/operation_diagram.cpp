// SPDX-License-Identifier: Apache-2.0
#include <rubato/private/format.hpp>
#include <rubato/report/operation_diagram.hpp>

#include <algorithm>
#include <array>

namespace rubato::report {
namespace {

using scenario::System;
using synthesis::GraphView;
using synthesis::LoopKind;
using synthesis::Operation;
using synthesis::Rule;

/// By LoopKind, in the palette of figures: blue, vermilion, green, purple.
std::size_t color_of(LoopKind kind) { return static_cast<std::size_t>(kind); }

std::string name_of(const Operation& operation, const System& system) {
    switch (operation.kind) {
    case Operation::Kind::step: return "step " + system.unit(operation.unit).name;
    case Operation::Kind::get: return "get " + system.name_of(operation.port);
    case Operation::Kind::set: return "set " + system.name_of(operation.port);
    case Operation::Kind::update: return "update " + system.unit(operation.unit).name;
    case Operation::Kind::agreement: break;
    }
    return "step agreed";
}

Diagram::Box step_box(const scenario::SystemUnit& unit) {
    Diagram::Box box;
    box.label = unit.name;
    box.caption = unit.can_reject_step ? "step, may be rejected" : "step";
    box.hover = format("unit {} advances", unit.name);
    box.look = Diagram::Look::filled;
    return box;
}

/// ", boolean to real: true is 1"
std::string conversion_text(const System& system, PortId input) {
    for (const auto* links : {&system.links, &system.event_links}) {
        const auto link = std::ranges::find(*links, input, &scenario::Link::to);
        if (link == links->end()) continue;
        const std::string text =
            type_conversion_text(*link, system.port(link->from).type, system.port(link->to).type);
        return text.empty() ? text : ", " + text;
    }
    return {};
}

Diagram::Box update_box(const scenario::SystemUnit& unit) {
    Diagram::Box box;
    box.label = unit.name;
    box.caption = "update";
    box.hover = format("unit {} ends the instant", unit.name);
    box.look = Diagram::Look::filled;
    return box;
}

/// ", only while a clock ticks: c"
std::string guard_text(const System& system, PortId port) {
    std::string names;
    for (const PortId clock : system.port(port).clocks)
        names += (names.empty() ? "" : ", ") + system.port(clock).name;
    return names.empty() ? names : ", only while a clock ticks: " + names;
}

Diagram::Box clock_box(const System& system, PortId id) {
    const scenario::Port& clock = system.port(id);
    const bool is_output = clock.direction == scenario::Direction::output;
    Diagram::Box box;
    box.label = system.name_of(id);
    box.caption = is_output ? "get clock" : clock.is_timed ? "set clock, timed" : "set clock";
    box.hover =
        format("{} clock {}{}", is_output ? "output" : "input", box.label, guard_text(system, id));
    box.look = Diagram::Look::pill;
    return box;
}

/// Contracts are about steps: initialization and events know none.
Diagram::Box set_box(const System& system, PortId port, bool has_steps) {
    if (system.port(port).is_clock()) return clock_box(system, port);
    Diagram::Box box;
    box.label = system.name_of(port);
    box.caption = has_steps ? format("set, {}", to_string(system.port(port).reactivity)) : "set";
    if (!conversion_text(system, port).empty()) box.caption += ", converted";
    box.hover = format("input {} is set{}", box.label, guard_text(system, port));
    return box;
}

Diagram::Box get_box(const System& system, PortId port) {
    if (system.port(port).is_clock()) return clock_box(system, port);
    Diagram::Box box;
    box.label = system.name_of(port);
    box.caption = "get";
    box.hover = format("output {} is read{}", box.label, guard_text(system, port));
    return box;
}

Diagram::Box box_of(const Operation& operation, const System& system, bool has_steps) {
    switch (operation.kind) {
    case Operation::Kind::step: return step_box(system.unit(operation.unit));
    case Operation::Kind::get: return get_box(system, operation.port);
    case Operation::Kind::set: return set_box(system, operation.port, has_steps);
    case Operation::Kind::update: return update_box(system.unit(operation.unit));
    case Operation::Kind::agreement: break;
    }
    Diagram::Box box;
    box.label = "step agreed";
    box.hover = "all units that may have to go back have accepted the same step";
    box.look = Diagram::Look::pill;
    return box;
}

Diagram::Line line_of(const GraphView::Edge& edge) {
    if (edge.guessed) return Diagram::Line::dashed;
    switch (edge.rule) {
    case Rule::connection: return Diagram::Line::solid;
    case Rule::same_step:
    case Rule::agreed_first: return Diagram::Line::dotted;
    default: return Diagram::Line::thin;
    }
}

/// The ring that binds steps needs no closing line.
bool is_shown(const GraphView::Edge& edge) {
    return edge.rule != Rule::same_step || edge.from < edge.to;
}

Diagram::Arrow arrow_of(const GraphView::Edge& edge, const GraphView& view, const System& system) {
    const bool binds = edge.rule == Rule::same_step;
    Diagram::Arrow arrow;
    arrow.from = edge.from;
    arrow.to = edge.to;
    arrow.line = line_of(edge);
    arrow.hover = format("{} {} {}: {}{}{}", name_of(view.nodes[edge.from].operation, system),
                         binds ? "–" : "→", name_of(view.nodes[edge.to].operation, system),
                         to_string(edge.rule), edge.guessed ? ", guessed" : "",
                         edge.rule == Rule::connection
                             ? conversion_text(system, view.nodes[edge.to].operation.port)
                             : std::string());
    arrow.orders = !edge.guessed && !binds;
    arrow.has_head = !binds;
    return arrow;
}

/// What is in use, in the order of the kinds and lines.
std::vector<Diagram::Key> legend_of(const GraphView& view, const Diagram& diagram) {
    std::vector<Diagram::Key> legend;
    for (const auto kind :
         {LoopKind::feedthrough, LoopKind::reactivity, LoopKind::step_finding, LoopKind::nested}) {
        if (std::ranges::find(view.loops, kind, &synthesis::Loop::kind) != view.loops.end())
            legend.push_back({Diagram::FrameColor{color_of(kind)}, std::string(to_string(kind))});
    }
    static constexpr std::array<std::pair<Diagram::Line, const char*>, 4> meanings = {{
        {Diagram::Line::solid, "connection"},
        {Diagram::Line::dashed, "connection to a guessed input"},
        {Diagram::Line::thin, "order within a unit"},
        {Diagram::Line::dotted, "one step for all"},
    }};
    for (const auto& [line, meaning] : meanings) {
        if (std::ranges::find(diagram.arrows, line, &Diagram::Arrow::line) != diagram.arrows.end())
            legend.push_back({line, meaning});
    }
    return legend;
}

} // namespace

Diagram draw_operations(const GraphView& view, const System& system) {
    Diagram diagram;
    const bool has_steps = std::ranges::any_of(view.nodes, [](const GraphView::Node& node) {
        return node.operation.kind == Operation::Kind::step;
    });
    for (const GraphView::Node& node : view.nodes) {
        diagram.boxes.push_back(box_of(node.operation, system, has_steps));
        diagram.boxes.back().frame = node.loop;
    }
    for (const GraphView::Edge& edge : view.edges)
        if (is_shown(edge)) diagram.arrows.push_back(arrow_of(edge, view, system));
    for (const synthesis::Loop& loop : view.loops)
        diagram.frames.push_back(
            {std::string(to_string(loop.kind)), describe(loop, system), color_of(loop.kind)});
    diagram.legend = legend_of(view, diagram);
    return diagram;
}

} // namespace rubato::report
