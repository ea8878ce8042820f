// SPDX-License-Identifier: Apache-2.0
#include "yaml_document.hpp"
#include "yaml_overrides.hpp"
#include "yaml_tree.hpp"

#include <algorithm>
#include <functional>
#include <tuple>

namespace rubato::scenario {

namespace formats {
namespace {

/// Lines of a text that nobody has seen tell nothing.
void forget_lines(Node& node) {
    node.mark.line = node.mark.column = 0;
    for (Node& item : node.items) forget_lines(item);
    for (Entry& entry : node.entries) {
        entry.mark.line = entry.mark.column = 0;
        forget_lines(entry.value);
    }
}

/// Gives what is still there the places that it was read from.
void restore_places(const Scenario& from, Scenario& to) {
    const auto restore = [](const auto& known, auto& parts, auto name) {
        for (auto& part : parts) {
            const auto same = std::ranges::find(known, std::invoke(name, part), name);
            if (same != known.end() && part.where.file == same->where.file)
                part.where = same->where;
        }
    };
    restore(from.units, to.units, &Unit::name);
    for (Unit& unit : to.units) {
        const auto same = std::ranges::find(from.units, unit.name, &Unit::name);
        if (same == from.units.end()) continue;
        restore(same->inputs, unit.inputs, &InputSettings::name);
        restore(same->outputs, unit.outputs, &OutputSettings::name);
    }
    restore(from.connections, to.connections, [](const Connection& c) {
        return std::tie(c.from_unit, c.from_port, c.to_unit, c.to_port);
    });
}

} // namespace
} // namespace formats

Scenario with_overrides(const Scenario& scenario, std::span<const Override> overrides,
                        Diagnostics& diagnostics) {
    formats::Reporter reporter(formats::source_names(scenario.file, overrides), diagnostics);
    auto document = formats::parse_yaml_tree(write_yaml(scenario), 0, reporter);
    if (!document) return {};
    formats::forget_lines(*document);
    formats::expand_short_forms(*document);
    formats::apply(overrides, *document, reporter);
    Scenario result = formats::read_document(reporter, *document, scenario.file);
    formats::restore_places(scenario, result);
    return result;
}

} // namespace rubato::scenario
