// SPDX-License-Identifier: Apache-2.0
#include "formats/ssp/wiring.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>

namespace rubato::scenario::formats::ssp {

std::optional<Transformation> composed(const Transformation& first, const Transformation& then) {
    if (first.is_identity()) return then;
    if (then.is_identity()) return first;
    Transformation result;
    if (first.map.empty() && then.map.empty()) {
        result.factor = then.factor * first.factor;
        result.offset = then.factor * first.offset + then.offset;
        return result;
    }
    if (first.map.empty() || then.map.empty()) return std::nullopt;
    for (const MappedValue& entry : first.map) {
        const auto next = std::ranges::find(then.map, entry.to, &MappedValue::from);
        if (next != then.map.end()) result.map.push_back({entry.from, next->to});
    }
    return result;
}

MeasureName measure_of(const Element& element, const std::string& connector) {
    const Connector* const declared = element.find_connector(connector);
    if (declared && !declared->unit.name.empty()) return declared->unit;
    const Variable* const variable = variable_of(element, connector);
    return variable ? MeasureName{variable->unit, variable->measure} : MeasureName{};
}

namespace {

/// Whether the file says another unit of measure than the FMU.
bool overrides_unit(const End& end) {
    const Variable* const variable = variable_of(*end.element, end.connector);
    const Connector* const declared = end.element->find_connector(end.connector);
    if (!declared || declared->unit.name.empty()) return false;
    return !variable || variable->unit != declared->unit.name;
}

/// Whether the resolver can do it: the units are those of the FMUs, and nothing is scaled before
/// they are converted.
bool is_plain(const Flow& flow) {
    if (!flow.has_source() || flow.target.element->kind != Element::Kind::component) return false;
    if (overrides_unit(flow.source) || overrides_unit(flow.target)) return false;
    for (const Segment& segment : flow.segments) {
        const bool is_last = &segment == &flow.segments.back();
        if (segment.link->suppresses_conversion) return false;
        if (!is_last && (!segment.link->transformation.is_identity() ||
                         !measure_of(*segment.to.element, segment.to.connector).name.empty()))
            return false;
    }
    return true;
}

/// How values of one unit of measure become those of another. nullopt: they are none of one kind,
/// which has been reported.
std::optional<Transformation> converted(const MeasureName& from, const MeasureName& to,
                                        const Location& where, Diagnostics& diagnostics) {
    Transformation result;
    if (from.name.empty() || to.name.empty()) return result;
    if (!from.measure || !to.measure) {
        if (from.name != to.name)
            diagnostics.warning(
                where,
                format("\"{}\" goes to \"{}\" as it is: nothing says what \"{}\" is", from.name,
                       to.name, from.measure ? to.name : from.name),
                "define it in <Units>");
        return result;
    }
    const auto found = conversion(*from.measure, *to.measure);
    if (!found && from.name == to.name) {
        diagnostics.warning(where,
                            format("\"{}\" goes to \"{}\" as it is: they are called alike and "
                                   "defined as different things",
                                   from.name, to.name),
                            "correct one of the definitions in <Units>");
        return result;
    }
    if (!found) {
        diagnostics.error(where,
                          format("\"{}\" cannot be converted to \"{}\": they measure different "
                                 "things",
                                 from.name, to.name),
                          "suppressUnitConversion=\"true\" connects them all the same");
        return std::nullopt;
    }
    result.factor = found->factor;
    result.offset = found->offset;
    return result;
}

} // namespace

std::optional<Passage> passage_of(const Flow& flow, Diagnostics& diagnostics) {
    if (is_plain(flow)) return Passage{flow.segments.back().link->transformation, false};
    Passage passage;
    passage.is_explicit = true;
    // Connectors of systems without a unit of measure have that of what comes in.
    MeasureName unit = measure_of(*flow.source.element, flow.source.connector);
    for (const Segment& segment : flow.segments) {
        const MeasureName next = measure_of(*segment.to.element, segment.to.connector);
        const Location& where = segment.link->where;
        if (!segment.link->suppresses_conversion) {
            const auto change = converted(unit, next, where, diagnostics);
            if (!change) return std::nullopt;
            const auto both = composed(passage.transformation, *change);
            if (both) passage.transformation = *both; // tables are of values without a unit
        }
        if (!next.name.empty()) unit = next;
        const auto both = composed(passage.transformation, segment.link->transformation);
        if (!both) {
            diagnostics.error(where,
                              format("the way to \"{}.{}\" scales values and looks them up in a "
                                     "table, too",
                                     flow.target.element->name, flow.target.connector),
                              "let one connection have all of the transformation");
            return std::nullopt;
        }
        passage.transformation = *both;
    }
    return passage;
}

} // namespace rubato::scenario::formats::ssp
